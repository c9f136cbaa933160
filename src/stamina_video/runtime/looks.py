"""How often a session looked, and what it could not count at that rate. Knows nothing of models."""

from dataclasses import dataclass

from stamina_video.semantics import Target, ceiling, slots_of
from stamina_video.semantics.pace import pace_of

ENOUGH = 0.9  # of the rate a target needs: ticks fall on frames, and frames jitter


@dataclass(slots=True)
class Looks:
    """The observations delivered to a session, those consumed before an interruption included."""

    number: int = 0  # as the stream counts them: the index of the next one
    _first: float = 0.0  # time of the first that was delivered here
    _last: float = 0.0
    _here: int = 0

    def add(self, index: int, time: float) -> None:
        if self._here == 0:
            self._first = time
        self.number, self._last, self._here = index + 1, time, self._here + 1

    @property
    def rate(self) -> float | None:
        """Observations a second; None before there is an interval to measure."""
        span = self._last - self._first
        return None if span <= 0 else (self._here - 1) / span

    def capacity(self, target: Target) -> int | None:
        """The most completions so many observations can show; None for objects, which have no such limit."""
        if not target.operator.is_event:
            return None
        return ceiling(target.operator, self.number, slots_of(target))

    def warnings(self, target: Target, completed: int) -> list[str]:
        return [*self._too_seldom(target), *self._exhausted(target, completed)]

    def _too_seldom(self, target: Target) -> list[str]:
        pace = pace_of(target)
        if self.rate is None or self.rate >= ENOUGH * pace.fps:
            return []
        return [f"rate: looked {self.rate:.3g} times a second, {pace.fps:g} would be enough: {pace.reason}"]

    def _exhausted(self, target: Target, completed: int) -> list[str]:
        if (most := self.capacity(target)) is None or completed < most:
            return []
        looks = "1 observation" if self.number == 1 else f"{self.number} observations"
        return [f"capacity: {completed} is all that {looks} can count; looking more often may count more"]
