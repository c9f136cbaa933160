"""Made-up glances, in which things of each name light up maps of their own, and a retina for close-ups."""

import cv2
import numpy as np
import torch
from scipy import ndimage

from stamina_video.backbone.perception.closeup import PATCH
from stamina_video.backbone.perception.colour import SURVEYED
from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.efficientdet import MIDDLE_GREY, Sight
from stamina_video.backbone.perception.finder import Reading, Seen
from stamina_video.backbone.perception.percept import Floats
from stamina_video.training.eyes.glance import Glance, Told, as_told_by_detector, coded
from stamina_video.training.eyes.things import Found
from tests.backbone.perception.sights import COLUMNS, SIDES, VOCABULARY, Box, lit_maps

CHANNELS = 112  # of the detector's maps
SIDE = 80  # pixels of a picture
CUP, BOTTLE, BOX, OTHER = (COLUMNS.index(name) for name in ("cup", "bottle", "box", "something"))
LABELS = {CUP: (0.75, 0.125), BOTTLE: (0.125, 0.75), BOX: (0.25, 0.25), OTHER: (0.25, 0.25)}
PAINTED = {CUP: (230, 30, 30), BOTTLE: (30, 200, 40), BOX: (40, 40, 230), OTHER: (240, 230, 40)}


class LitRetina:
    """Finds what is painted in the colours of the names, anywhere, and lights up their maps."""

    vocabulary = VOCABULARY

    def __init__(self) -> None:
        self.looks = 0

    def look(self, image_HW3: Image, /) -> Sight:
        self.looks += 1
        palette = np.array([(MIDDLE_GREY,) * 3, *PAINTED.values()], np.int32)
        nearest_HW = np.abs(image_HW3[:, :, None].astype(np.int32) - palette).sum(-1).argmin(-1)
        maps = tuple(np.zeros((side, side, CHANNELS), np.float32) for side in SIDES)
        boxes, labels = list[Box](), list[tuple[float, float]]()
        height, width = nearest_HW.shape
        for number, name in enumerate(PAINTED, start=1):
            shown_HW = nearest_HW == number
            for one_HWC in maps:
                lit = cv2.resize(shown_HW.astype(np.float32), one_HWC.shape[:2], interpolation=cv2.INTER_AREA)
                one_HWC[..., name] = lit
            for rows, columns in ndimage.find_objects(ndimage.label(shown_HW)[0]):
                boxes.append(
                    (columns.start / width, rows.start / height, columns.stop / width, rows.stop / height)
                )
                labels.append(LABELS[name])
        return Sight(
            np.array(boxes, np.float32).reshape(-1, 4),
            np.array(labels, np.float32).reshape(-1, 2),
            maps,
            np.ones(2, np.float32),
        )


def glance(*things: tuple[int, Box], follows: bool = False) -> Glance:
    """Things of a name each, numbered as they come."""
    boxes_K4 = np.array([box for _, box in things], np.float32).reshape(-1, 4)
    told = Told(
        boxes_K4,
        np.ones(len(things), bool),
        np.array([name for name, _ in things], np.int64),
        np.arange(len(things)),
        np.array([(name, 1, 2) for name, _ in things], np.float32).reshape(-1, 3),
    )
    labels_KV = np.array([LABELS[name] for name, _ in things], np.float32).reshape(-1, 2)
    sight = Sight(boxes_K4, labels_KV, lit_maps(things, CHANNELS), np.ones(2, np.float32))
    flow = np.zeros((12, 16, 2), np.float32) if follows else None
    return Glance(sight, coded(picture(*things)), told, flow)


def picture(*things: tuple[int, Box]) -> Image:
    image_HW3 = np.full((SIDE, SIDE, 3), MIDDLE_GREY, np.uint8)
    for name, box in things:
        left, top, right, bottom = (round(SIDE * side) for side in box)
        image_HW3[top:bottom, left:right] = PAINTED[name]
    return image_HW3


def filmed(*things: tuple[int, Box]) -> Glance:
    """A look at a clip, of which the detector tells; such pictures are darker on the maps."""
    seen = glance(*things)
    maps = tuple(one_HWC - 0.25 for one_HWC in seen.sight.maps)
    sight = Sight(seen.sight.boxes_K4, seen.sight.labels_KV, maps, seen.sight.filled_2)
    return Glance(sight, seen.coded, as_told_by_detector(sight, COLUMNS, VOCABULARY))


def moved(box: Box, by: float) -> Box:
    left, top, right, bottom = box
    return left + by, top, right + by, bottom


def scene(shift: float) -> list[Glance]:
    cup, box = (CUP, moved((0.1, 0.1, 0.3, 0.3), shift)), (BOX, moved((0.4, 0.5, 0.8, 0.9), shift))
    return [glance(cup, box), glance(cup, box, follows=True)]


def as_found(seen: Glance, there: list[int] | None = None) -> Found:
    """Just what was there."""
    count = len(seen.told)

    def none(*widths: int) -> Floats:
        return np.zeros((count, *widths), np.float32)

    return Found(
        Seen(
            seen.told.boxes_K4,
            np.ones(count, np.float32),
            none(128),
            none(len(VOCABULARY)),
            none(len(VOCABULARY)),
            none(PATCH, PATCH, 2 * CHANNELS),
            none(SURVEYED),
        ),
        np.arange(count) if there is None else np.array(there, np.int64),
    )


def as_read(things: Found) -> Reading:
    """Nothing that tells anybody apart."""
    count = len(things)
    return Reading(torch.zeros(count, 128), torch.zeros(count, 3), torch.zeros(count))
