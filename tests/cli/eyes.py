"""Frozen eyes without weights: a detector that sees one box and an encoder of mean colours."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stamina_video.backbone import weights
from stamina_video.backbone.perception import pretrained, tinyvit
from stamina_video.backbone.perception.detector import Detections, Image
from stamina_video.backbone.perception.percept import Floats


class ColourEncoder:
    width = 6

    def encode(self, image_HW3: Image, /) -> tuple[Floats, ...]:
        field = np.asarray(image_HW3[::8, ::8] / 255, np.float32)
        return field, np.asarray(field * field, np.float32)


class Retina:
    def __call__(self, image_HW3: Image) -> Detections:
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
    monkeypatch.setattr(pretrained, "load_retina", Retina)
    monkeypatch.setattr(tinyvit, "TinyViT", _encoder)
    monkeypatch.setattr(weights, "fetch", Path)


def _encoder(*_: Any) -> ColourEncoder:
    return ColourEncoder()
