"""Frozen eyes without weights: a detector that sees one box and an encoder of mean colours."""

from typing import NamedTuple

import numpy as np
import pytest

from stamina_video.backbone.perception import pretrained
from stamina_video.backbone.perception.detector import Detections, Image
from stamina_video.backbone.perception.percept import Floats


class ColourEncoder:
    width = 6

    def encode(self, image_HW3: Image, /) -> tuple[Floats, ...]:
        field = np.asarray(image_HW3[::8, ::8] / 255, np.float32)
        return field, np.asarray(field * field, np.float32)


class Eyes(NamedTuple):
    encoder: ColourEncoder

    def detector(self, image_HW3: Image) -> Detections:
        """A box for everything brighter than black, as sure as it is bright."""
        score = np.float32(image_HW3.mean() / 255)
        found = int(score > 0.01)
        return Detections(
            np.array([(0.2, 0.2, 0.6, 0.6)] * found, np.float32).reshape(found, 4),
            np.full(found, score, np.float32),
            ("cup", "bowl"),
            np.array([(score, score / 4)] * found, np.float32).reshape(found, 2),
            np.zeros((found, 0), np.float32),
        )


def open_eyes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pretrained, "load_perception", lambda: Eyes(ColourEncoder()))
