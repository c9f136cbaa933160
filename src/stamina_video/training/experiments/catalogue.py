"""Which scenes the experiments are trained and diagnosed on. Parents of the two never overlap."""

from dataclasses import dataclass

from stamina_video.semantics import Operator
from stamina_video.training.footage import Aim, Footage
from stamina_video.training.stretch import Stretch, stretches

ENDPOINT_ONLY, BOUNDARY_SUPPORTED = "endpoint only", "boundary supported"


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
