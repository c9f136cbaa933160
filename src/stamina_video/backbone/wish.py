"""What a target's words ask for, as the compact model reads it: a meaning, names of the list, a paint."""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.names import Names
from stamina_video.backbone.paints import painted
from stamina_video.backbone.perception.detector import PAINT_UNIT
from stamina_video.backbone.phrase import parse
from stamina_video.backbone.text import TextEncoder

# S width of a target's vector

PARTS = ("text", "names", "paint", "is_painted", "square", "filler")
# How loud each part is: together they stay shorter than one, and the filler makes up the rest.
SCALES = {"text": 0.5, "names": 0.4, "paint": 0.06, "is_painted": 0.2, "square": 0.02, "filler": 1.0}
LONGEST = 1.5  # of the names: several may be meant


@dataclass(frozen=True)
class Wish:
    """Parts of a target's vector: text, names, paint, whether it names one, half of the paint's square."""

    text: TextEncoder

    @cached_property
    def listed(self) -> Names:
        return Names(self.text)

    @property
    def width(self) -> int:
        return int(self._places["filler"].stop)

    @property
    def names(self) -> slice:
        return self._places["names"]

    @property
    def paint(self) -> slice:
        return self._places["paint"]

    @property
    def is_painted(self) -> int:
        return int(self._places["is_painted"].start)

    @property
    def square(self) -> int:
        return int(self._places["square"].start)

    def scale(self, part: str) -> float:
        return SCALES[part]

    def __call__(self, description: str) -> NDArray[np.float32]:
        """(S,), of unit length."""
        apart = painted(description)
        paint_3 = np.zeros(3) if apart.lab_3 is None else apart.lab_3.astype(np.float64) / PAINT_UNIT
        # What is done has a meaning of its own, whoever it is done to: names say who.
        phrase = parse(apart.rest)
        text_T = self.text.encode([phrase.generic if phrase.deed else description])[0].astype(np.float64)
        asked_N = self.listed.asked(phrase.subject).astype(np.float64)
        parts = {
            "text": text_T / max(float(np.linalg.norm(text_T)), 1e-12),
            "names": _bounded(asked_N),
            "paint": paint_3,
            "is_painted": np.array([float(apart.lab_3 is not None)]),
            "square": np.array([paint_3 @ paint_3 / 2]),
        }
        told = np.concatenate([SCALES[part] * values for part, values in parts.items()])
        length = float(np.linalg.norm(told))
        assert length < 1, "every part is bounded"
        return np.append(told, math.sqrt(1 - length**2)).astype(np.float32)

    @cached_property
    def _places(self) -> dict[str, slice]:
        widths = (self.text.width, self.listed.width, 3, 1, 1, 1)
        ends = accumulate(widths, initial=0)
        return dict(zip(PARTS, (slice(*pair) for pair in pairwise(ends)), strict=True))


def _bounded(asked_N: NDArray[np.float64]) -> NDArray[np.float64]:
    """As much of the best name as there can be: what may be called by several names fits each."""
    fits_N = asked_N / asked_N.max()
    return np.asarray(fits_N * min(1.0, LONGEST / float(np.linalg.norm(fits_N))))
