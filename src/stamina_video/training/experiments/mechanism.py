"""The 2×2 of the paper: phase input and endpoint objective, crossed on one set of frozen inputs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from stamina_video.training.experiments.event_heads import (
    Objective,
    Optimisation,
    Told,
    continued,
    optimise,
    tell,
    warmed,
)
from stamina_video.training.experiments.tracks import Track
from stamina_video.transitions import HeadsConfig


@dataclass(frozen=True, slots=True)
class Cell:
    phase_input: bool
    objective: Objective

    @property
    def name(self) -> str:
        return f"{'On' if self.phase_input else 'Off'}, {self.objective.capitalize()}"


CELLS = tuple(
    Cell(phase_input, objective)
    for objective in (Objective.MEAN, Objective.PATH)
    for phase_input in (False, True)
)


def run(
    config: HeadsConfig,
    training: Sequence[Track],
    diagnostic: Sequence[Track],
    settings: Optimisation,
    seed: int,
    report: Callable[[str], None],
) -> dict[str, list[Told]]:
    """What the four heads of one seed say of the diagnostic tracks, by cell."""
    start = warmed(config, training, settings, seed)
    found = {}
    for cell in CELLS:
        scorer = continued(start, replace(config, phase_input=cell.phase_input))
        optimise(scorer, training, cell.objective, settings, settings.updates, seed)
        found[cell.name] = [tell(scorer, one) for one in diagnostic]
        report(f"seed {seed}: {cell.name} trained")
    return found
