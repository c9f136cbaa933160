"""What a retina would see of a few things, and things of one look, made up without weights."""

from collections.abc import Sequence

import cv2
import numpy as np

from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.efficientdet import Sight
from stamina_video.backbone.perception.finder import EyesConfig
from stamina_video.backbone.perception.linking import Sights
from stamina_video.backbone.perception.percept import Floats
from stamina_video.backbone.perception.spotter import SpotterConfig

Box = tuple[float, float, float, float]

SIDES = (56, 28, 14, 7)  # cells of each level: close-ups are whole cells of the first two
VOCABULARY = ("cup", "bottle")
COLUMNS = ("cup", "bottle", "box", "something", "nothing")
KINDS = ("cup", "box", "something")
CONFIG = EyesConfig(COLUMNS, VOCABULARY, SpotterConfig(KINDS, width=8, channels=3))


class ToyRetina:
    """Says the same of every image: a cup, and what may be a bottle. Its maps are the image, made small."""

    vocabulary = VOCABULARY

    def __init__(self) -> None:
        self.looks = 0

    def look(self, image_HW3: Image, /) -> Sight:
        self.looks += 1
        height, width = image_HW3.shape[:2]
        filled_2 = np.array([width, height], np.float32) / max(height, width)
        return Sight(
            np.array([(0.1, 0.1, 0.4, 0.6), (0.5, 0.2, 0.9, 0.8)], np.float32),
            np.array([(0.75, 0.125), (0.0625, 0.25)], np.float32),
            tuple(np.asarray(cv2.resize(image_HW3, (side, side)) / 255, np.float32) for side in SIDES),
            filled_2,
        )


def closed() -> ToyRetina:
    raise AssertionError("nothing is missing")


def lit_maps(things: Sequence[tuple[int, Box]], channels: int) -> tuple[Floats, ...]:
    """Each thing lights up one channel, cell by cell as far as its box covers them."""
    maps = []
    for side in SIDES:
        lit_HWC = np.zeros((side, side, channels), np.float32)
        edges = np.arange(side + 1) / side
        for channel, (left, top, right, bottom) in things:
            across, down = (
                (np.minimum(edges[1:], high) - np.maximum(edges[:-1], low)).clip(0) * side
                for low, high in ((left, right), (top, bottom))
            )
            lit_HWC[..., channel] += np.outer(down, across)
        maps.append(lit_HWC)
    return tuple(maps)


def sights(
    *boxes: Box,
    scores: Sequence[float] | None = None,
    names: Sequence[Sequence[float]] | None = None,
    moved: tuple[float, float] = (0, 0),
) -> Sights:
    """Things that are alike but for what is given."""
    count = len(boxes)
    return Sights(
        np.array(boxes, np.float32).reshape(-1, 4),
        np.full(count, 0.9, np.float32) if scores is None else np.array(scores, np.float32),
        np.full((count, 2), 0.5, np.float32) if names is None else np.array(names, np.float32),
        np.ones((count, 3), np.float32),
        np.ones((count, 4), np.float32),
        np.tile(np.array(moved, np.float32), (count, 1)),
    )
