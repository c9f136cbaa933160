"""Eyes that need no weights: coloured blobs on a plain ground, found by their colour.

`toy_perception()` is the real assembly (motion, regions, pooling) of a toy detector, encoder and text.
"""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from stamina_video.backbone.names import Names
from stamina_video.backbone.perception import Detections, Image, Perception, labelled

WORDS = {
    "red": (220, 30, 30),
    "green": (30, 180, 60),
    "blue": (40, 60, 220),
    "yellow": (230, 220, 40),
    "white": (240, 240, 240),
    "black": (15, 15, 15),
}
GROUND = (128, 128, 128)
WIDTH = 16


class ToyText:
    """A text is the mean of its words, and a word is a direction of its own: "red mug" lies near "red"."""

    width = WIDTH
    fingerprint = ""

    def encode(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        vectors = [np.sum([_direction(word) for word in text.lower().split()], axis=0) for text in texts]
        return np.array([vector / np.linalg.norm(vector) for vector in vectors], np.float32).reshape(
            -1, WIDTH
        )


class ToyDetector:
    """Finds connected blobs of each known colour; the larger the blob, the surer."""

    def __call__(self, image_HW3: Image, /) -> Detections:
        names = list(WORDS)
        palette = np.array([GROUND, *WORDS.values()], np.float32)
        distances = np.abs(image_HW3[:, :, None, :].astype(np.float32) - palette).sum(axis=-1)
        nearest = distances.argmin(axis=-1)
        boxes, labels, scores = [], [], []
        height, width = nearest.shape
        for colour, name in enumerate(names, start=1):
            blobs, _ = ndimage.label(nearest == colour)
            for rows, columns in ndimage.find_objects(blobs):
                boxes.append(
                    (columns.start / width, rows.start / height, columns.stop / width, rows.stop / height)
                )
                share = (rows.stop - rows.start) * (columns.stop - columns.start) / (height * width)
                labels.append(name)
                scores.append(0.5 + min(share, 0.5))
        return labelled(boxes, labels, scores)


class ToyEncoder:
    """Mean colours of a small grid, and their squares."""

    width = 6
    side = 14

    def encode(self, image_HW3: Image, /) -> tuple[NDArray[np.float32], ...]:
        rows = np.linspace(0, image_HW3.shape[0] - 1, self.side).astype(int)
        columns = np.linspace(0, image_HW3.shape[1] - 1, self.side).astype(int)
        sampled = image_HW3[rows][:, columns].astype(np.float32) / 255
        return sampled, sampled**2


def toy_perception() -> Perception:
    return Perception(ToyDetector(), Names(ToyText()), ToyEncoder(), detections=8, grid=3, regions=4)


def toy_image(
    *blobs: tuple[str, float, float, float],
    height: int = 96,
    width: int = 128,
    ground: tuple[int, int, int] = GROUND,
) -> Image:
    """A picture of (colour, centre x, centre y, size) blobs; places and sizes are fractions of the width."""
    image = np.full((height, width, 3), ground, np.uint8)
    for colour, x, y, size in blobs:
        left, top, reach = int((x - size / 2) * width), int((y - size / 2) * width), max(1, int(size * width))
        image[max(top, 0) : top + reach, max(left, 0) : left + reach] = WORDS[colour]
    return image


def _direction(word: str) -> NDArray[np.float64]:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "little")
    return np.random.default_rng(seed).standard_normal(WIDTH)
