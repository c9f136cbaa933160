"""How each thing moves while it is in view: its last step, and where it stands between its usual places.

Knows no names and no target. What is kept is a value, and as large for an hour as for a second.
"""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.perception.boxes import areas, intersections
from stamina_video.backbone.perception.percept import Floats

# S seats, K things of a look, A = x, y, size

SLOWLY = 1 / 12  # the share that one look has in what is usual
FARTHEST = 3.0  # steps and levels are bounded
STILLEST = 0.08  # of its own size: a thing that sways less than this stands still
CROSSED = 0.5  # beyond the middle by this much, it is on the other side
EDGE = 0.02  # of the image
GAIT = (
    *("here", "born", "lost", "edge", "x", "y", "size"),
    *("step_x", "step_y", "step_size", "level_x", "level_y", "level_size"),
    *("crossed_x", "crossed_y", "crossed_size"),
    *("gone_x", "gone_y", "held", "inside"),
)
SIDEWAYS = tuple(name for name in GAIT if name == "x" or name.endswith("_x"))


@dataclass(frozen=True, slots=True, eq=False)
class Gaits:
    """Of each seat: where it is now (x and y of the middle, logarithm of the size), and what is usual."""

    place_SA: Floats
    step_SA: Floats  # from the look before
    usual_SA: Floats
    sway_SA: Floats  # the usual distance from what is usual
    first_SA: Floats
    side_SA: Floats  # of its middle, at the last look and …
    before_SA: Floats  # … at the one before

    @classmethod
    def none(cls, seats: int) -> "Gaits":
        return cls(*(np.zeros((seats, 3), np.float32) for _ in fields(cls)))

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def gone_on(self, seats: NDArray[np.intp], boxes_K4: Floats, is_new_K: NDArray[np.bool_]) -> "Gaits":
        """After a look at those who sit here; the others stay as they were, without a step."""
        new_K1 = is_new_K[:, None]
        now_KA = _places(boxes_K4)
        step_KA = np.where(new_K1, 0, now_KA - self.place_SA[seats])
        first_KA = np.where(new_K1, now_KA, self.first_SA[seats])
        before_KA = np.where(new_K1, now_KA, self.usual_SA[seats])
        usual_KA = before_KA + SLOWLY * (now_KA - before_KA)
        sway_KA = np.where(new_K1, 0, self.sway_SA[seats])
        sway_KA = sway_KA + SLOWLY * (np.abs(now_KA - usual_KA) - sway_KA)
        came_KA = np.where(new_K1, 0, self.side_SA[seats])
        level_KA = _levels(now_KA, usual_KA, sway_KA)
        side_KA = np.where(np.abs(level_KA) > CROSSED, np.sign(level_KA), came_KA)
        still_SA, steady_SA = np.zeros_like(self.step_SA), self.side_SA
        return Gaits(
            _put(self.place_SA, seats, now_KA),
            _put(still_SA, seats, step_KA),
            _put(self.usual_SA, seats, usual_KA),
            _put(self.sway_SA, seats, sway_KA),
            _put(self.first_SA, seats, first_KA),
            _put(self.side_SA, seats, side_KA),
            _put(steady_SA, seats, came_KA),
        )

    def told(
        self,
        seats: NDArray[np.intp],
        looks_S: NDArray[np.int32],
        missed_S: NDArray[np.int32],
        boxes_S4: Floats,
        people_K4: Floats,
        holders_K4: Floats,
    ) -> Floats:
        """(K, G) of those who sit on these seats; steps are in sizes of their own."""
        place_KA, boxes_K4 = self.place_SA[seats], boxes_S4[seats]
        size_K1 = np.exp(place_KA[:, 2:])
        here_K = (missed_S[seats] == 0).astype(np.float32)
        level_KA = _levels(place_KA, self.usual_SA[seats], self.sway_SA[seats])
        side_KA, came_KA = self.side_SA[seats], self.before_SA[seats]
        crossed_KA = np.where(side_KA * came_KA < 0, side_KA, 0)
        columns = [
            here_K,
            here_K * (looks_S[seats] == 1),
            (missed_S[seats] == 1).astype(np.float32),
            ((boxes_K4[:, :2] < EDGE).any(1) | (boxes_K4[:, 2:] > 1 - EDGE).any(1)).astype(np.float32),
            *(2 * (place_KA[:, :2] - 0.5)).T,
            place_KA[:, 2] + 2,
            *_bounded(self.step_SA[seats, :2] / size_K1).T,
            _bounded(4 * self.step_SA[seats, 2]),
            *level_KA.T,
            *(here_K * crossed_KA.T),
            *_bounded((place_KA - self.first_SA[seats])[:, :2] * 4).T,
            _covered(boxes_K4, people_K4),
            _covered(boxes_K4, holders_K4),
        ]
        return np.stack(columns, axis=1).astype(np.float32)


def _places(boxes_K4: Floats) -> Floats:
    sides_K2 = np.maximum(boxes_K4[:, 2:] - boxes_K4[:, :2], 1e-3)
    middles_K2 = (boxes_K4[:, :2] + boxes_K4[:, 2:]) / 2
    sizes_K1 = np.log(np.prod(sides_K2, axis=1, keepdims=True)) / 2
    return np.asarray(np.concatenate([middles_K2, sizes_K1], axis=1), np.float32)


def _levels(now_KA: Floats, usual_KA: Floats, sway_KA: Floats) -> Floats:
    """How far from its usual place, beside how far it usually is; less where it hardly moves."""
    size_K1 = np.exp(now_KA[:, 2:])
    least_KA = STILLEST * np.concatenate([size_K1, size_K1, np.ones_like(size_K1)], axis=1)
    return _bounded((now_KA - usual_KA) / np.maximum(sway_KA, least_KA))


def _bounded(numbers: NDArray[Any]) -> Floats:
    return np.asarray(np.clip(numbers, -FARTHEST, FARTHEST), np.float32)


def _covered(boxes_K4: Floats, others_J4: Floats) -> Floats:
    """The greatest share of a box that one of the others covers; nobody covers himself."""
    if not len(others_J4) or not len(boxes_K4):
        return np.zeros(len(boxes_K4), np.float32)
    share_KJ = intersections(boxes_K4, others_J4) / np.maximum(areas(boxes_K4), 1e-6)[:, None]
    himself_KJ = (np.abs(boxes_K4[:, None] - others_J4) < 1e-6).all(axis=-1)
    return np.asarray(np.where(himself_KJ, 0, share_KJ).max(axis=1), np.float32)


def _put(kept: Floats, seats: NDArray[np.intp], news: Floats) -> Floats:
    after = kept.copy()
    after[seats] = news
    return after
