"""Colour of every pixel as a few smooth numbers whose mean over a box still says "red" or "dark grey"."""

from functools import cache

import cv2
import numpy as np

from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.percept import Floats

LONG_SIDE = 160
BITS = 5  # per channel in the table: finer differences are noise
# Where the everyday words lie on OpenCV's circle of 180 hues.
HUES = {
    "red": 0,
    "orange": 14,
    "yellow": 28,
    "green": 60,
    "cyan": 90,
    "blue": 115,
    "purple": 138,
    "pink": 160,
}
COLOUR_CHANNELS = (
    *("lightness", "green_red", "blue_yellow", "lightness_squared", "saturation"),
    *HUES,
    *("black", "grey", "white"),
)


def colour_field(image_HW3: Image) -> Floats:
    """The colour channels at every pixel of a small copy of the image."""
    shrink = LONG_SIDE / max(image_HW3.shape[:2])
    height, width = (max(1, round(side * shrink)) for side in image_HW3.shape[:2])
    small = cv2.resize(image_HW3, (width, height), interpolation=cv2.INTER_AREA).astype(np.int32) >> (
        8 - BITS
    )
    colour_HW = (small[..., 0] << 2 * BITS) | (small[..., 1] << BITS) | small[..., 2]
    return np.asarray(_table()[colour_HW], np.float32)


@cache
def _table() -> Floats:
    """The channels of every colour."""
    levels = np.linspace(0, 1, 2**BITS, dtype=np.float32)
    colours_XY3 = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), axis=-1).reshape(1, -1, 3)
    lab_X3 = cv2.cvtColor(colours_XY3, cv2.COLOR_RGB2LAB)[0] / np.array([100, 128, 128], np.float32)
    hue_X, saturation_X, value_X = cv2.cvtColor(colours_XY3, cv2.COLOR_RGB2HSV)[0].T
    chroma_X = saturation_X * value_X
    dull_X = np.clip(1 - 3 * chroma_X, 0, 1)
    lightness_X = lab_X3[:, 0]
    columns = [
        *lab_X3.T,
        lightness_X**2,
        saturation_X,
        *(_near(hue_X / 2) * chroma_X),
        dull_X * np.clip(1 - 3 * lightness_X, 0, 1),
        dull_X * np.clip(1 - np.abs(2 * lightness_X - 1), 0, 1),
        dull_X * np.clip(3 * lightness_X - 2, 0, 1),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _near(hue_X: Floats) -> Floats:
    """How near a hue lies to each word: one at its place, falling to nought at its neighbours'."""
    places = np.array(list(HUES.values()), np.float32)
    circle = np.array([places[-1] - 180, *places, places[0] + 180], np.float32)
    peaks = np.eye(len(circle), dtype=np.float32)
    near = np.stack([np.interp(hue_X, circle, peak) for peak in peaks])
    near[1] += near[-1]  # the circle closes: red lies at both ends
    near[-2] += near[0]
    return np.asarray(near[1:-1], np.float32)
