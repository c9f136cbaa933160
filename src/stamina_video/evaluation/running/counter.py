"""What a run asks of a counter, whether a model or a baseline. Knows nothing of files and scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from stamina_video.evaluation.causality import Witness
from stamina_video.semantics import Commit, Observation, Operator, Target
from stamina_video.semantics.pace import Pace
from stamina_video.video import Gap


@dataclass(frozen=True, slots=True)
class Read:
    """The count as of a query, and for a window also what stood at its start and how many entered since."""

    count: int
    start: int | None = None
    entries: int | None = None

    @property
    def change(self) -> int:
        return self.count - (self.start or 0)

    def answer(self, operator: Operator) -> int:
        """What a benchmark is told: every O1-Delta question asks for appearances, so entries answer it."""
        if not operator.windowed:
            return self.count
        return self.change if operator is not Operator.O1_DELTA or self.entries is None else self.entries


class Counting(Protocol):
    """A counter at work on one stream: shown observations in order of time, asked as of the latest."""

    def observe(self, item: Observation | Gap) -> None: ...

    def read(self, target: Target, at: float, since: float | None) -> Read:
        """`since` is the start of a window, None where the question has none."""
        ...

    def commits(self, target: Target) -> Sequence[Commit]:
        """What made up the target's count so far, in order of time."""
        ...

    def close(self) -> None: ...


class Counter(Protocol):
    """Something that counts, and what moves its scores."""

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str:
        """Changes with every weight and setting that can change an answer."""
        ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """Its own settings that move a score, in words and numbers."""
        ...

    @property
    def answers(self) -> frozenset[Operator]:
        """The operators it can answer; for others it says 0."""
        ...

    def pace(self, targets: Sequence[Target]) -> Pace:
        """How often it wants to look at these targets."""
        ...

    def begin(self, witness: Witness, fps: float, targets: Sequence[Target], ledger: str | Path) -> Counting:
        """Start on a stream; `ledger` is where an interrupted pass may be taken up again."""
        ...
