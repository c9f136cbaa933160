"""How each thing moves while it is in view: its last step, where it stands between its usual places, and
what was so lately.

Knows no names and no target. What is kept is a value, and as large for an hour as for a second.
"""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.perception.boxes import areas, intersections
from stamina_video.backbone.perception.percept import Floats

# S seats, K things of a look, A = x, y, size, H habits

SLOWLY = 1 / 12  # the share that one look has in what is usual
LATELY = 1 / 3  # and in what was so lately
FARTHEST = 3.0  # steps and levels are bounded
STILLEST = 0.08  # of its own size: a thing that sways less than this stands still
CROSSED = 0.5  # beyond the middle by this much, it is on the other side
EDGE = 0.02  # of the image
THIN = 0.02  # of the image: a landmark is no thinner
BESIDE = 0.75  # of a doorway's width from its middle: who stands farther away does not stand in it
NEAR = 2.0  # of the size of the larger: who comes into view there may be who went out of it
CLEARLY = 0.1  # of a scanner's width, or of a quarter of a doorway's height: on the other side of the line
NOWHERE = (0.0, 0.0, 0.0, 0.0)
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
        around: "Around",
    ) -> "Gaits":
        """After all is told of a look: what it showed of those who sit here has been so lately."""
        seen = seats[missed_S[seats] == 0]
        now_KH = self._habits(seen, boxes_S4[seen], around)
        lately_KH = self._lately(seen, looks_S, now_KH)
        came_K2 = self._came(seen, looks_S, missed_S)
        sides_K2 = [passed.side_K for passed in self._passed(seen, came_K2, boxes_S4[seen], around)]
        return replace(
            self,
            lately_SH=_put(self.lately_SH, seen, lately_KH + LATELY * (now_KH - lately_KH)),
            passed_S2=_put(self.passed_S2, seen, np.stack(sides_K2, axis=1)),
        )

    def told(
        self,
        seats: NDArray[np.intp],
        looks_S: NDArray[np.int32],
        missed_S: NDArray[np.int32],
        boxes_S4: Floats,
        around: "Around",
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
        scanner, doorway = self._passed(seats, came_K2, boxes_K4, around)
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
            *habits_KH[:, [HABITS.index("held"), HABITS.index("inside")]].T,
            *(scanner.within_K, here_K * scanner.level_K, here_K * scanner.crossed_K),
            *(doorway.within_K, here_K * doorway.level_K, here_K * doorway.crossed_K),
            habits_KH[:, HABITS.index("shelved")],
            habits_KH[:, HABITS.index("speed")],
            *self._lately(seats, looks_S, habits_KH).T,
            *self._beating(seats, level_KA),
        ]
        return np.stack(columns, axis=1).astype(np.float32)

    def _habits(self, seats: NDArray[np.intp], boxes_K4: Floats, around: "Around") -> Floats:
        """(K, H) as they are now."""
        speed_K = np.linalg.norm(self.step_SA[seats, :2], axis=1) / np.exp(self.place_SA[seats, 2])
        others = (around.people_J4, around.boxes_J4, around.shelves_J4)
        covers = [_covered(boxes_K4, others_J4) for others_J4 in others]
        return np.stack([_bounded(speed_K), *covers], axis=1)

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
        return _bounded(4 * sway_K), np.where(began_K > 0, -level_K, level_K)

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

    def _passed(
        self, seats: NDArray[np.intp], came_K2: Floats, boxes_K4: Floats, around: "Around"
    ) -> tuple["Passed", "Passed"]:
        """The scanner, by middles, and the doorway: feet before its threshold or behind it, higher up."""
        scanner, doorway = around.scanner, around.doorway
        left, top, right, bottom = scanner.middle
        across_K = (self.place_SA[seats, 0] - (left + right) / 2) / max(right - left, THIN)
        is_other_K = ~scanner.is_K(boxes_K4)
        scanned = Passed.of(scanner.covered(boxes_K4), across_K, is_other_K, came_K2[:, 0])
        left, top, right, bottom = doorway.middle
        aside_K = np.abs(self.place_SA[seats, 0] - (left + right) / 2)
        is_there_K = ~doorway.is_K(boxes_K4) & (aside_K < BESIDE * max(right - left, THIN))
        before_K = 4 * (boxes_K4[:, 3] - bottom) / max(bottom - top, THIN)
        entered = Passed.of(doorway.covered(boxes_K4), before_K, is_there_K, came_K2[:, 1])
        return scanned, entered


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
        return cls(within_K, is_there_K * _bounded(level_K), side_K, crossed_K)


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
        return np.asarray(np.where(self.is_K(boxes_K4), 0, _covered(boxes_K4, self.steady_J4)), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """Boxes of what may hold, hide or frame a thing, the surest of each kind first."""

    people_J4: Floats
    boxes_J4: Floats
    shelves_J4: Floats
    doorway: Landmark
    scanner: Landmark


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
    return np.asarray(np.where(_are(boxes_K4, others_J4), 0, share_KJ).max(axis=1), np.float32)


def _are(boxes_K4: Floats, others_J4: Floats) -> NDArray[np.bool_]:
    """Which of the others each one is."""
    return np.asarray((np.abs(boxes_K4[:, None] - others_J4) < 1e-6).all(axis=-1))


def _put(kept: Floats, seats: NDArray[np.intp], news: Floats) -> Floats:
    after = kept.copy()
    after[seats] = news
    return after
