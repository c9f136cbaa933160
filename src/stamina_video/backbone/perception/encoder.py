"""Appearance: an image → fields of features that cover it. Knows nothing about boxes."""

from typing import Protocol

from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.percept import Floats


class Encoder(Protocol):
    """Fields may differ in resolution; together they have `width` channels."""

    @property
    def width(self) -> int: ...

    def encode(self, image_HW3: Image, /) -> tuple[Floats, ...]: ...
