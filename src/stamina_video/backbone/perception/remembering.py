"""Eyes that look once at what they are shown again, as a replay of the same moments does for every query."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.glimpse import Glimpse
from stamina_video.backbone.perception.percept import Percept, PerceptLayout
from stamina_video.backbone.perception.perception import Eyes

Seen = tuple[Percept, Glimpse]


@dataclass(frozen=True, slots=True)
class RememberingEyes:
    """The latest `most` looks, each under all it follows from: the picture and the glimpse before it."""

    eyes: Eyes
    most: int = 256
    _kept: OrderedDict[bytes, Seen] = field(
        default_factory=OrderedDict, init=False, repr=False, compare=False
    )

    @property
    def layout(self) -> PerceptLayout:
        return self.eyes.layout

    @property
    def fingerprint(self) -> str:
        """They see what the eyes see."""
        return str(getattr(self.eyes, "fingerprint", ""))

    def save_pretrained(self, folder: Path) -> None:
        save = getattr(self.eyes, "save_pretrained", None)
        if save is not None:
            save(folder)

    def perceive(self, image_HW3: Image, previous: Glimpse | None) -> Seen:
        key = _key(image_HW3, previous)
        if key not in self._kept:
            self._kept[key] = self.eyes.perceive(image_HW3, previous)
        self._kept.move_to_end(key)
        while len(self._kept) > self.most:
            self._kept.popitem(last=False)
        return self._kept[key]


def _key(image_HW3: Image, previous: Glimpse | None) -> bytes:
    digest = hashlib.sha256(str(np.shape(image_HW3)).encode())
    digest.update(np.ascontiguousarray(image_HW3).data)
    for array in () if previous is None else previous.arrays().values():
        digest.update(np.ascontiguousarray(array).data)
    return digest.digest()
