"""How each thing moves while it is in view: its last step, where it stands between its usual places, and
what was so lately.

Knows no names and no target. What is kept is a value, and as large for an hour as for a second.
"""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.perception.around import Around, bounded, covered
from stamina_video.backbone.perception.percept import Floats

# S seats, K things of a look, A = x, y, size, H habits

SLOWLY = 1 / 12  # the share that one look has in what is usual
LATELY = 1 / 3  # and in what was so lately
STILLEST = 0.08  # of its own size: a thing that sways less than this stands still
CROSSED = 0.5  # beyond the middle by this much, it is on the other side
EDGE = 0.02  # of the image
NEAR = 2.0  # of the size of the larger: who comes into view there may be who went out of it
# What begins and ends: a thing that was not held lately and is now has been taken.
HABITS = ("speed", "held", "inside", "shelved")
GAIT = (
    *("here", "born", "lost", "edge", "x", "y", "size"),
    *("step_x", "step_y", "step_size", "level_x", "level_y", "level_size"),
    *("crossed_x", "crossed_y", "crossed_size"),
    *("gone_x", "gone_y", "held", "inside"),
    *("scanned", "scanner_x", "scanner_crossed_x", "entered", "doorway_y", "doorway_crossed_y", "shelved"),
    *("speed", *(f"{habit}_lately" for habit in HABITS)),
    *("sway", "beat"),
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
    lately_SH: Floats  # up to the look before
    passed_S2: Floats  # on which side of a scanner and of a threshold it was, up to the look before

    @classmethod
    def none(cls, seats: int) -> "Gaits":
        others = {"lately_SH": len(HABITS), "passed_S2": 2}
        widths = (others.get(field.name, 3) for field in fields(cls))
        return cls(*(np.zeros((seats, width), np.float32) for width in widths))

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
            self.lately_SH,
            _put(self.passed_S2, seats[is_new_K], np.zeros((int(is_new_K.sum()), 2), np.float32)),
        )

    def lived(
        self,
        seats: NDArray[np.intp],
        looks_S: NDArray[np.int32],
        missed_S: NDArray[np.int32],
        boxes_S4: Floats,
        around: Around,
    ) -> "Gaits":
        """After all is told of a look: what it showed of those who sit here has been so lately."""
        seen = seats[missed_S[seats] == 0]
        now_KH = self._habits(seen, boxes_S4[seen], around)
        lately_KH = self._lately(seen, looks_S, now_KH)
        came_K2 = self._came(seen, looks_S, missed_S)
        passed = around.passed(self.place_SA[seen, 0], boxes_S4[seen], came_K2)
        return replace(
            self,
            lately_SH=_put(self.lately_SH, seen, lately_KH + LATELY * (now_KH - lately_KH)),
            passed_S2=_put(self.passed_S2, seen, np.stack([one.side_K for one in passed], axis=1)),
        )

    def told(
        self,
        seats: NDArray[np.intp],
        looks_S: NDArray[np.int32],
        missed_S: NDArray[np.int32],
        boxes_S4: Floats,
        around: Around,
    ) -> Floats:
        """(K, G) of those who sit on these seats; steps are in sizes of their own."""
        place_KA, boxes_K4 = self.place_SA[seats], boxes_S4[seats]
        size_K1 = np.exp(place_KA[:, 2:])
        here_K = (missed_S[seats] == 0).astype(np.float32)
        level_KA = _levels(place_KA, self.usual_SA[seats], self.sway_SA[seats])
        side_KA, came_KA = self.side_SA[seats], self.before_SA[seats]
        crossed_KA = np.where(side_KA * came_KA < 0, side_KA, 0)
        habits_KH = self._habits(seats, boxes_K4, around)
        came_K2 = self._came(seats, looks_S, missed_S)
        scanner, doorway = around.passed(place_KA[:, 0], boxes_K4, came_K2)
        columns = [
            here_K,
            here_K * (looks_S[seats] == 1),
            (missed_S[seats] == 1).astype(np.float32),
            ((boxes_K4[:, :2] < EDGE).any(1) | (boxes_K4[:, 2:] > 1 - EDGE).any(1)).astype(np.float32),
            *(2 * (place_KA[:, :2] - 0.5)).T,
            place_KA[:, 2] + 2,
            *bounded(self.step_SA[seats, :2] / size_K1).T,
            bounded(4 * self.step_SA[seats, 2]),
            *level_KA.T,
            *(here_K * crossed_KA.T),
            *bounded((place_KA - self.first_SA[seats])[:, :2] * 4).T,
            *habits_KH[:, [HABITS.index("held"), HABITS.index("inside")]].T,
            *(scanner.within_K, here_K * scanner.level_K, here_K * scanner.crossed_K),
            *(doorway.within_K, here_K * doorway.level_K, here_K * doorway.crossed_K),
            habits_KH[:, HABITS.index("shelved")],
            habits_KH[:, HABITS.index("speed")],
            *self._lately(seats, looks_S, habits_KH).T,
            *self._beating(seats, level_KA),
        ]
        return np.stack(columns, axis=1).astype(np.float32)

    def _habits(self, seats: NDArray[np.intp], boxes_K4: Floats, around: Around) -> Floats:
        """(K, H) as they are now."""
        speed_K = np.linalg.norm(self.step_SA[seats, :2], axis=1) / np.exp(self.place_SA[seats, 2])
        others = (around.people_J4, around.boxes_J4, around.shelves_J4)
        covers = [covered(boxes_K4, others_J4) for others_J4 in others]
        return np.stack([bounded(speed_K), *covers], axis=1)

    def _lately(self, seats: NDArray[np.intp], looks_S: NDArray[np.int32], now_KH: Floats) -> Floats:
        """Of whom nothing else is known: what is so now."""
        return np.where(looks_S[seats, None] == 1, now_KH, self.lately_SH[seats])

    def _beating(self, seats: NDArray[np.intp], level_KA: Floats) -> tuple[Floats, Floats]:
        """How widely each one sways, in its own sizes, and where it stands along the way that it sways most.

        Where it was first seen is low: whoever goes away from there and comes back has gone once to and fro.
        """
        size_K1 = np.exp(self.place_SA[seats, 2:])
        wide_KA = self.sway_SA[seats] / np.concatenate([size_K1, size_K1, np.ones_like(size_K1)], axis=1)
        widest_K1 = wide_KA.argmax(axis=1)[:, None]
        began_KA = self.first_SA[seats] - self.usual_SA[seats]
        level_K, began_K = (np.take_along_axis(one, widest_K1, 1)[:, 0] for one in (level_KA, began_KA))
        sway_K = np.take_along_axis(wide_KA, widest_K1, 1)[:, 0]
        return bounded(4 * sway_K), np.where(began_K > 0, -level_K, level_K)

    def _came(
        self, seats: NDArray[np.intp], looks_S: NDArray[np.int32], missed_S: NDArray[np.int32]
    ) -> Floats:
        """(K, 2) on which sides each was. A newcomer comes from where the nearest of those out of sight was.

        What passes behind a scanner is hidden, and often another thing to the eyes when it comes out.
        """
        came_K2 = self.passed_S2[seats]
        new = np.flatnonzero((looks_S[seats] == 1) & (missed_S[seats] == 0))
        unseen = np.flatnonzero((looks_S > 0) & (missed_S > 0))
        if len(new) and len(unseen):
            here_N13, there_U3 = self.place_SA[seats[new], None], self.place_SA[unseen]
            size_NU = np.exp(np.maximum(here_N13[..., 2], there_U3[:, 2]))
            apart_NU = np.linalg.norm(here_N13[..., :2] - there_U3[:, :2], axis=-1) / size_NU
            is_near_N = apart_NU.min(axis=1) < NEAR
            came_K2[new[is_near_N]] = self.passed_S2[unseen[apart_NU.argmin(axis=1)[is_near_N]]]
        return came_K2


def _places(boxes_K4: Floats) -> Floats:
    sides_K2 = np.maximum(boxes_K4[:, 2:] - boxes_K4[:, :2], 1e-3)
    middles_K2 = (boxes_K4[:, :2] + boxes_K4[:, 2:]) / 2
    sizes_K1 = np.log(np.prod(sides_K2, axis=1, keepdims=True)) / 2
    return np.asarray(np.concatenate([middles_K2, sizes_K1], axis=1), np.float32)


def _levels(now_KA: Floats, usual_KA: Floats, sway_KA: Floats) -> Floats:
    """How far from its usual place, beside how far it usually is; less where it hardly moves."""
    size_K1 = np.exp(now_KA[:, 2:])
    least_KA = STILLEST * np.concatenate([size_K1, size_K1, np.ones_like(size_K1)], axis=1)
    return bounded((now_KA - usual_KA) / np.maximum(sway_KA, least_KA))


def _put(kept: Floats, seats: NDArray[np.intp], news: Floats) -> Floats:
    after = kept.copy()
    after[seats] = news
    return after
