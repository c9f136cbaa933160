"""Progress of a count on standard error: how far, how fast, and what was counted so far."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from stamina_video.cli.driving import Listener
from stamina_video.cli.output import say
from stamina_video.cli.wording import in_short
from stamina_video.runtime import Session
from stamina_video.semantics import Decision, Observation, Target


@contextmanager
def clock_bar(words: str, end: float | None) -> Iterator[Callable[[float], None]]:
    """A bar that follows the video's clock; the block calls what it is given with the time reached."""
    with Progress(
        TextColumn(words), BarColumn(24), TimeRemainingColumn(), console=Console(stderr=True)
    ) as bar:
        task = bar.add_task("", total=end)
        yield lambda time: bar.update(task, completed=time)


class Meter(Listener):
    """A bar over the video's own clock, the counts below it; without a known end the bar only moves."""

    def __init__(self, targets: Sequence[Target], end: float | None) -> None:
        self._targets = targets
        self._end = end
        self._bar = Progress(
            TextColumn("{task.fields[clock]}"),
            BarColumn(24),
            TextColumn("{task.fields[speed]}"),
            TimeRemainingColumn(),
        )
        self._task = self._bar.add_task("", total=end, clock="opening", speed="")
        self._live = Live(self._bar, console=Console(stderr=True))
        self._seen = 0
        self._started = time.monotonic()

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
        """In Full access the clock starts again with every replay."""
        self._seen += bool(decisions)
        speed = self._seen / max(time.monotonic() - self._started, 1e-6)
        of = "" if self._end is None else f" of {self._end:.1f}"
        self._bar.update(
            self._task,
            completed=observation.time,
            total=self._end,
            clock=f"{observation.time:.1f}{of} s",
            speed=f"{speed:.1f} frames/s",
        )
        counts = [
            f"{session.count(target.description, observation.time, target.operator)} {in_short(target)}"
            for target in self._targets
        ]
        self._live.update(Group(self._bar, Text(" · ".join(counts))))

    def replayed(self, target: Target, done: int, of: int) -> None:
        self._bar.update(
            self._task, completed=done, total=of, clock=f"replaying {done} of {of} for {target.description}"
        )

    def said(self, line: str) -> None:
        say(line)
