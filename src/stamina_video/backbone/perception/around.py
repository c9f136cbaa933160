"""What stands around a thing: who holds it, what hides or frames it, and the lines it may pass.

Knows no names and no target, and keeps nothing.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.perception.boxes import areas, intersections
from stamina_video.backbone.perception.percept import Floats

# K things of a look, J others

FARTHEST = 3.0  # steps and levels are bounded
CLEARLY = 0.1  # of a scanner's width, or of a quarter of a doorway's height: on the other side of the line
THIN = 0.02  # of the image: a landmark is no thinner
BESIDE = 0.75  # of a doorway's width from its middle: who stands farther away does not stand in it
NOWHERE = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Landmark:
    """Where it stands, (1, 4) or (0, 4), and all boxes that looked like one at this look."""

    steady_J4: Floats
    found_J4: Floats

    @property
    def middle(self) -> tuple[float, float, float, float]:
        """The box; one that nobody is near where there is none."""
        left, top, right, bottom = map(float, self.steady_J4[0] if len(self.steady_J4) else NOWHERE)
        return left, top, right, bottom

    def is_K(self, boxes_K4: Floats) -> NDArray[np.bool_]:
        """Who is a part of it; everybody, where there is none."""
        if not len(self.steady_J4):
            return np.ones(len(boxes_K4), bool)
        return np.asarray(_are(boxes_K4, self.found_J4).any(axis=1), bool)

    def covered(self, boxes_K4: Floats) -> Floats:
        return np.asarray(np.where(self.is_K(boxes_K4), 0, covered(boxes_K4, self.steady_J4)), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Passed:
    """A line, and whom of the things it parts from whom."""

    within_K: Floats  # how much of each the landmark covers
    level_K: Floats  # how far beyond the line
    side_K: Floats  # 0 where nothing is known yet
    crossed_K: Floats  # the side of those who have just come over

    @classmethod
    def of(cls, within_K: Floats, level_K: Floats, is_there_K: NDArray[np.bool_], came_K: Floats) -> "Passed":
        is_clear_K = is_there_K & (np.abs(level_K) > CLEARLY)
        side_K = np.where(is_clear_K, np.sign(level_K), came_K)
        crossed_K = np.where(side_K * came_K < 0, side_K, 0)
        return cls(within_K, is_there_K * bounded(level_K), side_K, crossed_K)


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """Boxes of what may hold, hide or frame a thing, the surest of each kind first."""

    people_J4: Floats
    boxes_J4: Floats
    shelves_J4: Floats
    doorway: Landmark
    scanner: Landmark

    def passed(self, middles_K: Floats, boxes_K4: Floats, came_K2: Floats) -> tuple[Passed, Passed]:
        """The scanner, by middles, and the doorway: feet before its threshold or behind it, higher up."""
        left, _, right, _ = self.scanner.middle
        across_K = (middles_K - (left + right) / 2) / max(right - left, THIN)
        is_other_K = ~self.scanner.is_K(boxes_K4)
        scanned = Passed.of(self.scanner.covered(boxes_K4), across_K, is_other_K, came_K2[:, 0])
        left, top, right, bottom = self.doorway.middle
        aside_K = np.abs(middles_K - (left + right) / 2)
        is_there_K = ~self.doorway.is_K(boxes_K4) & (aside_K < BESIDE * max(right - left, THIN))
        before_K = 4 * (boxes_K4[:, 3] - bottom) / max(bottom - top, THIN)
        entered = Passed.of(self.doorway.covered(boxes_K4), before_K, is_there_K, came_K2[:, 1])
        return scanned, entered


def bounded(numbers: NDArray[Any]) -> Floats:
    return np.asarray(np.clip(numbers, -FARTHEST, FARTHEST), np.float32)


def covered(boxes_K4: Floats, others_J4: Floats) -> Floats:
    """The greatest share of a box that one of the others covers; nobody covers himself."""
    if not len(others_J4) or not len(boxes_K4):
        return np.zeros(len(boxes_K4), np.float32)
    share_KJ = intersections(boxes_K4, others_J4) / np.maximum(areas(boxes_K4), 1e-6)[:, None]
    return np.asarray(np.where(_are(boxes_K4, others_J4), 0, share_KJ).max(axis=1), np.float32)


def _are(boxes_K4: Floats, others_J4: Floats) -> NDArray[np.bool_]:
    """Which of the others each one is."""
    return np.asarray((np.abs(boxes_K4[:, None] - others_J4) < 1e-6).all(axis=-1))
