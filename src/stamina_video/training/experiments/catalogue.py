"""Which scenes the experiments are trained and diagnosed on. Parents of the two never overlap."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stamina_video.data.world import family_names
from stamina_video.semantics import Operator
from stamina_video.training.experiments.footage import Aim, Footage, Take
from stamina_video.training.experiments.stretch import Stretch, stretches

ENDPOINT_ONLY, BOUNDARY_SUPPORTED = "endpoint only", "boundary supported"
PERIODIC = ("exercise", "pendulum")  # their cycles need six looks a second
DIAGNOSED = 10  # the first scenes of every family: nano learns from later ones
ROUTINES = 100  # further scenes for decisions, beyond all that nano learns from
CATALOGUE = 1  # the seed of all draws: the collections are one and the same everywhere


@dataclass(frozen=True, slots=True)
class Source:
    """A family of scenes as a source of event trajectories: four from every parent."""

    family: str
    parts: int  # stretches of every parent
    operators: tuple[Operator, ...]  # one target of each is diagnosed in every stretch
    stratum: str


# Each operator has as many trajectories as any other, each stratum as many as the other.
SOURCES = (
    Source("exercise", 4, (Operator.E2_PERIODIC,), ENDPOINT_ONLY),
    Source("packing", 2, (Operator.E2_EPISODE, Operator.E1_ACTION), BOUNDARY_SUPPORTED),
    Source("conveyor", 2, (Operator.E1_TRANSIT, Operator.E1_ACTION), ENDPOINT_ONLY),
    Source("tour", 2, (Operator.E1_TRANSIT, Operator.E2_EPISODE), BOUNDARY_SUPPORTED),
)


@dataclass(frozen=True, slots=True)
class Trial:
    """One target in one stretch: what a trajectory is made of."""

    stretch: Stretch
    aim: Aim
    stratum: str

    @property
    def name(self) -> str:
        return f"{self.stretch.name} {self.aim.target.description}"


def takes(family: str, numbers: Sequence[int], split: str = "train") -> list[Take]:
    """The takes of a family by number: lengths and rates vary as videos do."""
    return [_take(family, number, split) for number in numbers]


def _take(family: str, number: int, split: str) -> Take:
    dice = np.random.default_rng([CATALOGUE, number, family_names("unseen").index(family)])
    periodic = family in PERIODIC
    seconds = float(dice.integers(10, 18) if periodic else dice.integers(14, 26))
    fps = 6.0 if periodic else float(dice.choice([2, 3, 4]))
    return Take(family, int(dice.integers(0, 2**31 - 1)), seconds, fps, split)


def trials(footage: Footage, source: Source) -> list[Trial]:
    """In every stretch, of each operator the target with most completions in the whole take."""
    chosen = [
        max(
            (aim for aim in footage.aims if aim.target.operator is operator),
            key=lambda aim: len(aim.completions),
        )
        for operator in source.operators
    ]
    return [
        Trial(stretch, aim, source.stratum) for stretch in stretches(footage, source.parts) for aim in chosen
    ]
