"""Close-ups: the things of a look once more, enlarged, side by side in one frame. Knows no names.

A detector sees a thing of twenty pixels as a smudge. Cut out and enlarged, with what is around it, the same
detector tells a doughnut from a bowl; one more look serves all things of a picture.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.efficientdet import MIDDLE_GREY, Retina, spoken
from stamina_video.backbone.perception.percept import Floats
from stamina_video.semantics import InvalidInput

# K things, V classes, P cells on a patch's side, C channels of both maps together

FRAME = 448  # pixels on a side of what the detector looks at
ROW, CELL = 3, 144  # close-ups in a row of the frame, and pixels of each: whole cells of both maps
AROUND = 1.6  # a close-up is so many times as wide as the longer side of its thing
SMALLEST = 6.0  # pixels: what is smaller is not enlarged further
PATCH = 9
FINE, COARSE = 0, 1  # the maps that are read
SPOKEN_OF = 0.4  # overlap from which the detector's box speaks of the thing in a close-up


@dataclass(frozen=True, slots=True, eq=False)
class Closeups:
    """What the detector says of each thing at best, class by class, and the part of its maps with it."""

    scores_KV: Floats
    patches_KPPC: Floats

    def __len__(self) -> int:
        return len(self.scores_KV)


def look_closer(retina: Retina, image_HW3: Image, boxes_K4: Floats) -> Closeups:
    """One look at every nine things, best first."""
    frames = [
        _closer(retina, image_HW3, boxes_K4[first : first + ROW**2])
        for first in range(0, len(boxes_K4), ROW**2)
    ]
    if not frames:
        nobody_KV = np.zeros((0, len(retina.vocabulary)), np.float32)
        return Closeups(nobody_KV, np.zeros((0, PATCH, PATCH, 0), np.float32))
    return Closeups(
        np.concatenate([frame.scores_KV for frame in frames]),
        np.concatenate([frame.patches_KPPC for frame in frames]),
    )


def _closer(retina: Retina, image_HW3: Image, boxes_K4: Floats) -> Closeups:
    framed, places_K4 = laid_out(image_HW3, boxes_K4)
    sight = retina.look(framed)
    patches = [_patches(sight.maps[level], len(boxes_K4)) for level in (FINE, COARSE)]
    return Closeups(spoken(sight, places_K4, SPOKEN_OF), np.concatenate(patches, axis=-1))


def laid_out(image_HW3: Image, boxes_K4: Floats) -> tuple[Image, Floats]:
    """The frame of close-ups, and where each thing is in it, as shares of the frame."""
    framed = np.full((FRAME, FRAME, 3), MIDDLE_GREY, np.uint8)
    places = []
    height, width = image_HW3.shape[:2]
    shrunk = {1: image_HW3}
    for thing, box_4 in enumerate(boxes_K4 * np.array([width, height, width, height], np.float32)):
        top, left = (CELL * place for place in divmod(thing, ROW))
        middle_2 = (box_4[:2] + box_4[2:]) / 2
        half = AROUND / 2 * max(float((box_4[2:] - box_4[:2]).max()), SMALLEST)
        framed[top : top + CELL, left : left + CELL] = _cut(shrunk, middle_2, half)
        places.append((box_4 - np.tile(middle_2 - half, 2)) * (CELL / (2 * half)) + (left, top, left, top))
    return framed, np.asarray(np.array(places) / FRAME, np.float32)


def _cut(shrunk: dict[int, Image], middle_2: Floats, half: float) -> Image:
    """The square around a point; grey where there is no picture.

    Where a close-up is smaller than what it shows, it is cut from a picture that was `shrunk` first: every
    pixel counts.
    """
    by = max(1, round(2 * half / CELL))
    if by not in shrunk:
        height, width = (math.ceil(size / by) for size in shrunk[1].shape[:2])
        smaller = cv2.resize(shrunk[1], (width, height), interpolation=cv2.INTER_AREA)
        shrunk[by] = np.asarray(smaller, np.uint8)
    enlarged = CELL * by / (2 * half)
    # Boxes count from the edges of pixels, OpenCV from their middles.
    x, y = (((float(place) - half) / by - 0.5) * enlarged + 0.5 for place in middle_2)
    cut = cv2.warpAffine(
        shrunk[by],
        np.array([[enlarged, 0, -x], [0, enlarged, -y]]),
        (CELL, CELL),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(MIDDLE_GREY,) * 3,
    )
    return np.asarray(cut, np.uint8)


def _patches(map_HWC: Floats, things: int) -> Floats:
    """The parts of a map that show close-ups, `PATCH` × `PATCH` cells each."""
    cells = max(1, round(len(map_HWC) * CELL / FRAME))
    corners = [divmod(thing, ROW) for thing in range(things)]
    parts_KHWC = np.stack(
        [map_HWC[top * cells : (top + 1) * cells, left * cells : (left + 1) * cells] for top, left in corners]
    )
    if cells % PATCH:
        raise InvalidInput(f"expected maps whose cells fit into close-ups, got {len(map_HWC)} on a side")
    by = cells // PATCH
    patches_KPPC = parts_KHWC.reshape(things, PATCH, by, PATCH, by, -1).mean((2, 4))
    return np.asarray(patches_KPPC, np.float32)
