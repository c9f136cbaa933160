"""The demo while it runs: every target's count beside the truth, on standard error."""

from collections import deque
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from stamina_video.cli.driving import Listener
from stamina_video.data.world import Truth
from stamina_video.runtime import Session
from stamina_video.semantics import Decision, Observation, Target

LATEST = 5  # commits on the board


class Board(Listener):
    """A table that follows the video's clock, and the latest commits below it."""

    def __init__(self, truth: Truth, targets: Sequence[Target], console: Console | None = None) -> None:
        self._truth = truth
        self._targets = targets
        self._latest: deque[str] = deque(maxlen=LATEST)
        self._live = Live(console=console or Console(stderr=True), refresh_per_second=8)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()
        if not self._live.console.is_terminal:
            self._live.console.line()  # a terminal's display ends its own last line

    def observed(self, session: Session, observation: Observation, decisions: Sequence[Decision]) -> None:
        for target, decision in zip(self._targets, decisions, strict=False):
            for change in decision.changes:
                if change.kind.measure is target.operator.measure:
                    self._latest.append(
                        f"{observation.time:5.1f} s  {target.description}: {change.kind} {change.delta:+d}"
                    )
        self._live.update(self._shown(session, observation.time))

    def said(self, line: str) -> None:
        self._live.console.print(Text(line))

    def _shown(self, session: Session, time: float) -> Group:
        table = Table(title=f"{time:.1f} of {self._truth.duration:g} s", title_justify="left")
        table.add_column("Target")
        table.add_column("Operator")
        table.add_column("Counted", justify="right")
        table.add_column("True", justify="right")
        for target in self._targets:
            counted = session.count(target.description, time, target.operator)
            true = self._truth.count(target, time)
            style = "green" if counted == true else "red"
            table.add_row(
                Text(target.description), target.operator, Text(str(counted), style=style), str(true)
            )
        return Group(table, *map(Text, self._latest))
