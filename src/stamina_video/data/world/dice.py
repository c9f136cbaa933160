"""Seeded draws. Everything is built on one stream of uniform numbers, so a seed means the same everywhere."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")


class Dice:
    """Draws of one stream; other seeds, or more of them, name other streams."""

    def __init__(self, *seed: int) -> None:
        # The bit generator's stream is stable across numpy versions; the distributions' methods are not.
        # The length goes in because a seed sequence ignores zeros at its end.
        self._uniform = np.random.Generator(np.random.PCG64(np.random.SeedSequence((len(seed), *seed))))

    def between(self, low: float, high: float) -> float:
        """A number in [low, high), rounded to 1/4096 so that no last bit depends on the machine."""
        return round((low + (high - low) * self._uniform.random()) * 4096) / 4096

    def whole(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + int(self._uniform.random() * (high - low + 1))

    def chance(self, probability: float) -> bool:
        return bool(self._uniform.random() < probability)

    def pick(self, choices: Sequence[T]) -> T:
        return choices[int(self._uniform.random() * len(choices))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        drawn = list(items)
        for last in range(len(drawn) - 1, 0, -1):
            other = self.whole(0, last)
            drawn[last], drawn[other] = drawn[other], drawn[last]
        return drawn

    def grid(self, rows: int, columns: int) -> NDArray[np.float64]:
        return self._uniform.random((rows, columns))
