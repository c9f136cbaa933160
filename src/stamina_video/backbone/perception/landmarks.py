"""Where what stays stands: the middle of what the last looks said, for whoever passes hides a part of it.

Knows no names. What is kept is a value, and as large for an hour as for a second.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.perception.boxes import areas, intersections
from stamina_video.backbone.perception.percept import Floats

# L kinds of landmark, T looks

LOOKS = 24  # that are remembered, and for which it is believed in unseen
ELSEWHERE = 0.3  # a box that overlaps by less is not where the landmark was …
MOVED = 3  # … and after so many in a row, that is where it is


@dataclass(frozen=True, slots=True, eq=False)
class Landmarks:
    """The surest box of each kind at the last looks that had one, the newest last."""

    boxes_LT4: Floats
    looks_L: NDArray[np.int32]  # how many of the boxes there are
    missed_L: NDArray[np.int32]  # looks since the newest
    elsewhere_L: NDArray[np.int32]  # how many of the newest are elsewhere

    @classmethod
    def none(cls, kinds: int) -> "Landmarks":
        none_L = np.zeros(kinds, np.int32)
        return cls(np.zeros((kinds, LOOKS, 4), np.float32), none_L, none_L, none_L)

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def steady(self, kind: int) -> Floats:
        """(1, 4) where it stands; (0, 4) where there is none."""
        looks = int(self.looks_L[kind])
        if not looks:
            return np.zeros((0, 4), np.float32)
        return np.asarray(np.median(self.boxes_LT4[kind, LOOKS - looks :], axis=0, keepdims=True), np.float32)

    def gone_on(self, found: Sequence[Floats]) -> "Landmarks":
        """After a look that found these of each kind, the surest first."""
        after = Landmarks(*(array.copy() for array in self.arrays().values()))
        for kind, boxes_J4 in enumerate(found):
            if len(boxes_J4):
                after._seen(kind, boxes_J4[:1])  # a copy of our own
            else:
                after._missed(kind)
        return after

    def _seen(self, kind: int, box_14: Floats) -> None:
        is_elsewhere = self.looks_L[kind] > 0 and _overlap(self.steady(kind), box_14) < ELSEWHERE
        self.elsewhere_L[kind] = self.elsewhere_L[kind] + 1 if is_elsewhere else 0
        self.boxes_LT4[kind] = np.concatenate([self.boxes_LT4[kind, 1:], box_14])
        self.looks_L[kind] = min(self.looks_L[kind] + 1, LOOKS)
        self.missed_L[kind] = 0
        if self.elsewhere_L[kind] == MOVED:
            self.looks_L[kind], self.elsewhere_L[kind] = MOVED, 0

    def _missed(self, kind: int) -> None:
        self.missed_L[kind] = min(self.missed_L[kind] + 1, LOOKS)
        if self.missed_L[kind] == LOOKS:
            self.looks_L[kind] = self.elsewhere_L[kind] = 0


def _overlap(one_14: Floats, other_14: Floats) -> float:
    both = float(intersections(one_14, other_14)[0, 0])
    return both / max(float(areas(one_14)[0] + areas(other_14)[0]) - both, 1e-6)
