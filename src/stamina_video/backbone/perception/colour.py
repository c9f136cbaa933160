"""Colour of every pixel as a few smooth numbers whose mean over a box still says "red" or "dark grey"."""

from functools import cache

import cv2
import numpy as np

from stamina_video.backbone.perception.boxes import WHOLE_14, areas, box_means
from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.percept import Floats

LONG_SIDE = 320
BITS = 5  # per channel in the table: finer differences are noise
# What everyday words mean, in levels of red, green and blue: a pixel belongs to those it is near to.
PALETTE = {
    "red": (200, 30, 30),
    "orange": (240, 130, 30),
    "yellow": (235, 205, 40),
    "green": (40, 135, 55),
    "turquoise": (45, 170, 170),
    "blue": (35, 70, 185),
    "purple": (115, 50, 150),
    "pink": (240, 150, 175),
    "brown": (110, 68, 40),
    "beige": (215, 195, 155),
    "white": (240, 238, 232),
    "grey": (132, 134, 136),
    "black": (25, 25, 27),
}
NEAR = 11.0  # in Lab: two colours this far apart are told apart by a glance
LIGHTNESS = 0.7  # shade changes lightness before it changes colours
COLOUR_CHANNELS = (*PALETTE, "lightness", "green_red", "blue_yellow")
# Parts of a box as shares of its sides: most of it, its upper, middle and lower third, and what surrounds it.
PARTS = (
    (0.15, 0.12, 0.85, 0.9),
    (0.2, 0.05, 0.8, 0.36),
    (0.2, 0.34, 0.8, 0.66),
    (0.2, 0.62, 0.8, 0.95),
)
AROUND = 0.2
SURVEYED = (len(PARTS) + 2) * len(COLOUR_CHANNELS)

# N boxes, X colours, C channels


def colour_field(image_HW3: Image) -> Floats:
    """The colour channels at every pixel of a small copy of the image."""
    shrink = min(1.0, LONG_SIDE / max(image_HW3.shape[:2]))
    height, width = (max(1, round(side * shrink)) for side in image_HW3.shape[:2])
    small = cv2.resize(image_HW3, (width, height), interpolation=cv2.INTER_AREA).astype(np.int32) >> (
        8 - BITS
    )
    colour_HW = (small[..., 0] << 2 * BITS) | (small[..., 1] << BITS) | small[..., 2]
    return np.asarray(_table()[colour_HW], np.float32)


def survey(field_HWC: Floats, boxes_N4: Floats) -> Floats:
    """(N, parts × C): the colours in the parts of each box, around it, and of all the image."""
    wider_N4 = _part(boxes_N4, (-AROUND, -AROUND, 1 + AROUND, 1 + AROUND)).clip(0, 1)
    inside = [_part(boxes_N4, part).clip(0, 1) for part in PARTS]
    # All at once: what a field adds up to is computed for every call.
    means = box_means(field_HWC, np.concatenate([*inside, wider_N4, boxes_N4, WHOLE_14]))
    *inside_NC, wider_NC, boxes_NC, image_1C = np.split(means, np.arange(1, len(PARTS) + 3) * len(boxes_N4))
    outer_N1, inner_N1 = (np.maximum(areas(boxes), 1e-6)[:, None] for boxes in (wider_N4, boxes_N4))
    around_NC = (wider_NC * outer_N1 - boxes_NC * inner_N1) / np.maximum(outer_N1 - inner_N1, 1e-6)
    image_NC = np.repeat(image_1C, len(boxes_N4), axis=0)
    return np.concatenate([*inside_NC, around_NC.clip(-1, 1), image_NC], axis=1)


def _part(boxes_N4: Floats, part: tuple[float, float, float, float]) -> Floats:
    low_N2, sides_N2 = boxes_N4[:, :2], boxes_N4[:, 2:] - boxes_N4[:, :2]
    corners = (np.array(part[:2], np.float32), np.array(part[2:], np.float32))
    return np.concatenate([low_N2 + corner * sides_N2 for corner in corners], axis=1)


@cache
def _table() -> Floats:
    """The channels of every colour; a cell of the table is told by its middle."""
    levels = (np.arange(2**BITS, dtype=np.float32) + 0.5) / 2**BITS
    colours_X3 = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), axis=-1).reshape(-1, 3)
    words_P3 = np.asarray(np.array(list(PALETTE.values())) / 255, np.float32)
    lab_X3, palette_P3 = _lab(colours_X3), _lab(words_P3)
    apart_XP3 = (lab_X3[:, None] - palette_P3) * np.array([LIGHTNESS, 1, 1], np.float32)
    squares_XP = (apart_XP3**2).sum(axis=-1)
    near_XP = np.exp((squares_XP.min(axis=1, keepdims=True) - squares_XP) / (2 * NEAR**2))
    shares_XP = near_XP / near_XP.sum(axis=1, keepdims=True)
    return np.concatenate([shares_XP, lab_X3 / np.array([100, 128, 128], np.float32)], axis=1).astype(
        np.float32
    )


def _lab(colours_X3: Floats) -> Floats:
    return np.asarray(cv2.cvtColor(colours_X3[None], cv2.COLOR_RGB2LAB)[0], np.float32)
