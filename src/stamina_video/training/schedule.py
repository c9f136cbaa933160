"""Where a run stands after so many updates: its stage, its batch, its rates. No history is needed for it."""

import math
import random
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate

from stamina_video.training.recipe import Recipe, Resting


class Stage(StrEnum):
    NAMING = "naming"
    SEEING = "seeing"
    REREADING = "rereading"
    WARM_UP = "warm-up"
    JOINT = "joint"


@dataclass(frozen=True, slots=True)
class Schedule:
    """Naming, seeing and rereading where there are such stages, warm-up, then whole epochs.

    `steps` ends a run early; rates still fall to zero at its end. `others` are samples beyond the first
    `samples`, mixed in by chance where a stage says so.
    """

    recipe: Recipe
    samples: int
    seed: int
    steps: int | None = None
    others: int = 0

    @property
    def updates(self) -> int:
        whole = self._before + self.recipe.epochs * self.per_epoch
        return whole if self.steps is None else min(whole, self.steps)

    @property
    def per_epoch(self) -> int:
        return math.ceil(self.samples / self.recipe.batch)

    def stage(self, update: int) -> Stage:
        return next((stage for stage, end in self._ends if update < end), Stage.JOINT)

    def begins(self, update: int) -> bool:
        """Whether a stage does."""
        return update == self.first(self.stage(update))

    def first(self, stage: Stage) -> int:
        """The first update of a stage."""
        ends = [0, *(end for _, end in self._ends)]
        return ends[list(Stage).index(stage)]

    def end(self, stage: Stage) -> int:
        """The update after its last."""
        return min(dict(self._ends).get(stage, self.updates), self.updates)

    def is_joint(self, update: int) -> bool:
        return self.stage(update) is Stage.JOINT

    def epoch(self, update: int) -> float:
        """Passes over the data since joint training began."""
        return max(0, update - self._before) / self.per_epoch

    def factor(self, update: int) -> float:
        """Of the highest rate: one in warm-up; in the other stages a short rise, then a cosine to zero."""
        stage = self.stage(update)
        if stage is Stage.WARM_UP:
            return 1.0
        first = self.first(stage)
        last = self.end(stage)
        risen = min(1.0, (update - first + 1) / self.recipe.rise) if self.recipe.rise else 1.0
        return risen * 0.5 * (1 + math.cos(math.pi * (update - first) / (last - first)))

    def batch(self, update: int) -> list[int]:
        """The samples of an update; every stage begins its passes over the data anew."""
        stage = self.stage(update)
        own = self.recipe.own(stage.value)
        size = self.recipe.batch if own is None else own.batch
        passed, place = divmod(update - self.first(stage), math.ceil(self.samples / size))
        order = self._order(passed, stage)[place * size :][:size]
        share = own.mixed if isinstance(own, Resting) else 0.0
        return self._mixed(order, share, update)

    def _mixed(self, places: list[int], share: float, update: int) -> list[int]:
        if not self.others:
            return places
        draw = random.Random(f"{self.seed} mixed {update}")
        return [
            self.samples + draw.randrange(self.others) if draw.random() < share else place for place in places
        ]

    def _order(self, passed: int, stage: Stage) -> list[int]:
        # Drawn from names, not from a running generator: a resumed run needs no history.
        part = stage is Stage.JOINT if self.recipe.own(stage.value) is None else stage.value
        return random.Random(f"{self.seed} {part} {passed}").sample(range(self.samples), self.samples)

    @property
    def _ends(self) -> tuple[tuple[Stage, int], ...]:
        """Every stage before joint training, and the update after its last."""
        updates = [(stage, self._updates(stage)) for stage in Stage if stage is not Stage.JOINT]
        ends = accumulate(many for _, many in updates)
        return tuple((stage, end) for (stage, _), end in zip(updates, ends, strict=True))

    def _updates(self, stage: Stage) -> int:
        own = self.recipe.own(stage.value)
        if stage is Stage.WARM_UP:
            return self.recipe.warm_up
        return 0 if own is None else own.updates

    @property
    def _before(self) -> int:
        """Updates before joint training."""
        return self._ends[-1][1]
