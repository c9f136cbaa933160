"""Where a run stands after so many updates: its stage, its batch, its rates. No history is needed for it."""

import math
import random
from dataclasses import dataclass

from stamina_video.training.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Schedule:
    """Warm-up, then whole epochs. `steps` ends a run early; rates still fall to zero at its end."""

    recipe: Recipe
    samples: int
    seed: int
    steps: int | None = None

    @property
    def updates(self) -> int:
        whole = self.recipe.warm_up + self.recipe.epochs * self.per_epoch
        return whole if self.steps is None else min(whole, self.steps)

    @property
    def per_epoch(self) -> int:
        return math.ceil(self.samples / self.recipe.batch)

    def is_joint(self, update: int) -> bool:
        return update >= self.recipe.warm_up

    def epoch(self, update: int) -> float:
        """Passes over the data since joint training began."""
        return max(0, update - self.recipe.warm_up) / self.per_epoch

    def factor(self, update: int) -> float:
        """Of the highest rate: one in warm-up, then a cosine to zero."""
        if not self.is_joint(update):
            return 1.0
        joint = self.updates - self.recipe.warm_up
        return 0.5 * (1 + math.cos(math.pi * (update - self.recipe.warm_up) / joint))

    def batch(self, update: int) -> list[int]:
        """The samples of an update; joint training begins its epochs anew."""
        joint = self.is_joint(update)
        passed, place = divmod(update - self.recipe.warm_up * joint, self.per_epoch)
        order = self._order(passed, joint)
        return order[place * self.recipe.batch :][: self.recipe.batch]

    def _order(self, passed: int, joint: bool) -> list[int]:
        # Drawn from names, not from a running generator: a resumed run needs no history.
        return random.Random(f"{self.seed} {joint} {passed}").sample(range(self.samples), self.samples)
