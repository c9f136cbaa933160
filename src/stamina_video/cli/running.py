"""Does a run's work with progress on standard error; an interrupt keeps what was done."""

from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from stamina_video.evaluation.running import Counter, Listener, Pass, Plan, Run


def work(run: Run, counter: Counter, plan: Plan, videos: Path, rank: int, world_size: int) -> bool:
    """Do a shard; False where an interrupt ended it early."""
    try:
        with Bar() as bar:
            run.work(counter, plan, videos, rank, world_size, bar)
    except KeyboardInterrupt:
        return False
    return True


class Bar(Listener):
    """Passes done of those to do, and how far the present one has come."""

    def __init__(self) -> None:
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[clock]}"),
            console=Console(stderr=True),
        )
        self._task = self._progress.add_task("opening", total=None, clock="")
        self._until = 0.0

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()
        if not self._progress.console.is_terminal:
            self._progress.console.line()  # a terminal's display ends its own last line

    def began(self, one: Pass, done: int, of: int) -> None:
        self._until = one.until
        self._progress.update(self._task, description=one.video, completed=done, total=of, clock="")

    def observed(self, time: float) -> None:
        self._progress.update(self._task, clock=f"{time:.1f} of {self._until:.1f} s")

    def ended(self, of: int) -> None:
        self._progress.update(self._task, description="done", completed=of, total=of, clock="")
