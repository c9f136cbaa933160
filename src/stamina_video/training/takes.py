"""Which scenes there are, by family and number: one collection for nano and the experiments."""

from collections.abc import Sequence

import numpy as np

from stamina_video.data.world import family_names
from stamina_video.training.footage import Take

PERIODIC = ("exercise", "pendulum")  # their cycles need six looks a second
DIAGNOSED = 10  # the first scenes of every family: nano learns from later ones
ROUTINES = 100  # further scenes for decisions, beyond all that nano learns from
RATES = (3, 4)  # looks a second: as often as deployment looks at scenes with episodes and actions
LINES = (240, 360, 480)  # rows of a picture: cameras differ
CATALOGUE = 1  # the seed of all draws: the collections are one and the same everywhere


def takes(family: str, numbers: Sequence[int], split: str = "train") -> list[Take]:
    """The takes of a family by number: lengths and rates vary as videos do."""
    return [_take(family, number, split) for number in numbers]


def _take(family: str, number: int, split: str) -> Take:
    dice = np.random.default_rng([CATALOGUE, number, family_names("unseen").index(family)])
    periodic = family in PERIODIC
    seconds = float(dice.integers(10, 18) if periodic else dice.integers(14, 26))
    fps = 6.0 if periodic else float(dice.choice(RATES))
    seed = int(dice.integers(0, 2**31 - 1))
    return Take(family, seed, seconds, fps, split, int(dice.choice(LINES)))
