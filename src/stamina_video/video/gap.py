"""Stretches of a source that were not seen."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Gap:
    """Nothing reliable was seen between the observation times `start` and `end`."""

    start: float
    end: float
    reason: str
    missed: int | None = None  # source frames lost, or observations where the reason says so; None: unknown

    def shifted(self, seconds: float) -> "Gap":
        return replace(self, start=self.start + seconds, end=self.end + seconds)
