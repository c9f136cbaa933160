"""The pixel-recurrence sensor: cycles counted by how the picture comes back to itself, whatever moves."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stamina_video.evaluation.baselines.committing import CommittingCounting
from stamina_video.evaluation.causality import Witness
from stamina_video.evaluation.recurrence import GRID, PixelRecurrence
from stamina_video.semantics import Change, Decision, Kind, Observation, Operator, Target
from stamina_video.semantics.pace import Pace

LOOKS = 20.0  # a second: with fewer, a fast cycle between two looks recurs worse than its double
EVERY = 0.5  # seconds between estimates


@dataclass(frozen=True)
class Cycles:
    name: str = "baseline:cycles"

    @property
    def fingerprint(self) -> str:
        return f"{self.name} pixel-recurrence-2 every {EVERY}"

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"detector": "pixel recurrence", "resize": f"{GRID[1]} × {GRID[0]} block means"}

    @property
    def answers(self) -> frozenset[Operator]:
        return frozenset({Operator.E2_PERIODIC})

    def pace(self, targets: Sequence[Target]) -> Pace:
        return Pace(LOOKS, f"cycles of {len(targets)} targets come up to three times a second")

    def begin(
        self, witness: Witness, fps: float, targets: Sequence[Target], ledger: str | Path
    ) -> "CyclesCounting":
        del fps, ledger  # its frames are not kept: an interrupted pass starts over
        names = [target.description for target in targets if target.operator in self.answers]
        return CyclesCounting(witness.stream, self.fingerprint, names)


class CyclesCounting(CommittingCounting):
    """Commits each rise of the estimate; a falling estimate takes nothing back."""

    def __init__(self, stream: str, counter: str, names: Sequence[str]) -> None:
        super().__init__(stream, counter)
        self._names = names
        self._sensor = PixelRecurrence()
        self._count = 0
        self._due = 0.0

    def decide(self, observation: Observation) -> Iterable[Decision]:
        if not self._names:
            return
        self._sensor.observe(observation.time, observation.image)
        if observation.time < self._due:
            return
        self._due = observation.time + EVERY
        rise = self._sensor.estimate(observation.time) - self._count
        if rise <= 0:
            return
        self._count += rise
        change = Change(Kind.EVENT, rise, "sensor", "recurrence", {"estimate": self._count})
        for name in self._names:
            yield Decision(self.stream, name, observation.index, observation.time, (change,))
