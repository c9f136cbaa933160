"""Shows a counter a video only as far as it may know it, writes down what it saw, and tells who saw more.

A counter is handed observations up to a horizon, the time of the query it is asked about. It may also look at
any earlier picture again. Whoever asks for a later one, or opens the video's file, ends the run: at once, or,
where the error was swallowed, when the run is checked.
"""

import math
import os
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from stamina_video.evaluation.openings import handles, listening, unheard
from stamina_video.semantics import InvalidInput, Observation, StaminaError
from stamina_video.video import Frame, Gap, Recording, Video


class CausalityViolation(StaminaError):
    """A counter saw, or tried to see, what had not happened yet."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One picture that reached the counter, and how far it was allowed to see just then."""

    time: float
    horizon: float


class Witness:
    """One pass over a video, shown piece by piece."""

    def __init__(self, video: Video, path: Path) -> None:
        self.stream = video.stream
        self.horizon = -math.inf
        self.shown: list[Shown] = []
        self.gaps = 0
        self._video = video
        self._path = path.resolve()
        self._items = iter(video)
        self._held: Observation | Gap | None = None
        self._breaches: list[str] = []

    def until(self, at: float) -> Iterator[Observation | Gap]:
        """Move the horizon on, and show what is new up to it."""
        if at < self.horizon:
            raise InvalidInput(f"expected a horizon from {self.horizon:g} s on, got {at:g} s")
        self.horizon = at
        return self._fresh(at)

    def look(self, at: float) -> Any:
        """The picture on show at `at`, for counters that choose their own; never one beyond the horizon."""
        if at > self.horizon:
            self._breach(f"asked for the picture at {at:g} s")
        place = bisect_right(self._times, at) - 1
        if place < 0:
            raise InvalidInput(f"expected a time from {self._times[0]:g} s on, got {at:g} s")
        with unheard(self.opened):
            frame = next(item for item in self._recording.select([place]) if isinstance(item, Frame))
        self.shown.append(Shown(frame.time, self.horizon))
        return frame.image

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """The counter's turn: until it ends, nobody but this witness opens the video's file."""
        before = handles(self._path)
        with listening(self.opened):
            yield
        if handles(self._path) > before:
            self._breach("holds the video's file open")

    def check(self) -> None:
        """Fail the run of a counter that saw too much, whether or not it heard about it."""
        late = [shown for shown in self.shown if shown.time > shown.horizon]
        if late:
            self._breaches.append(f"was shown {late[0].time:g} s at a horizon of {late[0].horizon:g} s")
        if self._breaches:
            raise CausalityViolation(self._words(self._breaches[0]))

    def opened(self, path: object) -> None:
        """Told of every opening while the counter works."""
        if not isinstance(path, str | bytes | os.PathLike):
            return
        name = Path(os.fsdecode(path))
        # Resolving every name would cost more than counting; the video's own name rarely lies.
        if name.name == self._path.name and name.resolve() == self._path:
            self._breach("opened the video's file")

    def _fresh(self, at: float) -> Iterator[Observation | Gap]:
        while (item := self._next()) is not None:
            if (item.start if isinstance(item, Gap) else item.time) > at:
                self._held = item
                return
            if isinstance(item, Gap):
                self.gaps += 1
            else:
                self.shown.append(Shown(item.time, self.horizon))
            yield item

    def _next(self) -> Observation | Gap | None:
        held, self._held = self._held, None
        return held if held is not None else next(self._items, None)

    def _breach(self, deed: str) -> None:
        self._breaches.append(deed)
        raise CausalityViolation(self._words(deed))

    def _words(self, deed: str) -> str:
        return (
            f"expected a counter of {self.stream!r} to know nothing after {self.horizon:g} s, but it {deed}"
        )

    @cached_property
    def _times(self) -> list[float]:
        with unheard(self.opened):
            return self._recording.times()

    @property
    def _recording(self) -> Recording:
        source = self._video.source
        assert isinstance(source, Recording), "benchmarks are files"
        return source
