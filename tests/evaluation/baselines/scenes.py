"""Observations made of arrays, and the witness a counter is begun with."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import numpy as np

from stamina_video.evaluation.running import Counter, Counting
from stamina_video.semantics import Observation, Target

STREAM = "made.mp4"


def counted(counter: Counter, fps: float, targets: list[Target], images: Iterable[Any]) -> Counting:
    """A counter that was shown these images at this rate."""
    witness: Any = SimpleNamespace(stream=STREAM)
    counting = counter.begin(witness, fps, targets, ":memory:")
    for index, image in enumerate(images):
        counting.observe(Observation(STREAM, index, index / fps, image, index))
    return counting


def noise(seed: int, shape: tuple[int, int, int] = (96, 128, 3)) -> Any:
    return np.random.default_rng(seed).integers(0, 255, shape, np.uint8)
