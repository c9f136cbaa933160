"""A textured ground seen by a camera, with a textured thing on it."""

from typing import Any

import cv2
import numpy as np

from stamina_video.backbone.perception import Image


def scene(shift: tuple[float, float] = (0, 0), thing: tuple[float, float] | None = None) -> Image:
    """A textured ground, seen by a camera moved by `shift` pixels, with a textured thing on it."""
    rng = np.random.default_rng(1)
    ground = cv2.GaussianBlur(rng.integers(40, 140, (304, 406, 3)).astype(np.uint8), (0, 0), 3)
    ground = stretched(ground, 40, 140)
    move = np.array([[1, 0, shift[0] - 75], [0, 1, shift[1] - 80]], np.float64)
    image = cv2.warpAffine(ground, move, (256, 144), borderMode=cv2.BORDER_REFLECT)
    if thing is not None:
        patch = cv2.GaussianBlur(rng.integers(150, 256, (40, 40, 3)).astype(np.uint8), (0, 0), 2)
        x, y = round(thing[0]), round(thing[1])
        image[y : y + 40, x : x + 40] = stretched(patch, 180, 255)
    return np.asarray(image, np.uint8)


def stretched(image: Any, low: int, high: int) -> Image:
    darkest, brightest = image.min(), image.max()
    return np.asarray(low + (high - low) * ((image - darkest) / (brightest - darkest)), np.uint8)
