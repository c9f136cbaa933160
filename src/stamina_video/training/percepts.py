"""Eyes that have looked already: cached percepts stand where images stood, so that training looks once."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stamina_video.backbone.perception import Glimpse, Percept, PerceptLayout
from stamina_video.backbone.perception.finder import TrainedEyes
from stamina_video.semantics import InvalidInput


@dataclass(frozen=True, slots=True)
class CachedEyes:
    """Hands a percept through. What it saw of motion was settled when it was made."""

    layout: PerceptLayout
    trained: TrainedEyes | None = None  # what the percepts were seen with

    def save_pretrained(self, folder: Path) -> None:
        if self.trained is not None:
            self.trained.save_pretrained(folder)

    def perceive(self, image_HW3: Any, previous: Glimpse | None) -> tuple[Percept, Glimpse]:
        if not isinstance(image_HW3, Percept):
            raise InvalidInput(f"expected a cached percept, got {type(image_HW3).__name__}")
        return image_HW3, previous or _BLANK


_BLANK = Glimpse(np.zeros((1, 1), np.uint8), np.zeros((1, 1), np.uint8))
