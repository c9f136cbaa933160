"""Values that change over time: keys, eased between. Pure functions of the time."""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

Vector = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Track:
    """A vector at key times, eased between them, constant before the first and after the last."""

    times: tuple[float, ...]
    values: tuple[Vector, ...]

    def __post_init__(self) -> None:
        assert len(self.times) == len(self.values) > 0, "a track has a value for every key"
        assert all(a <= b for a, b in zip(self.times, self.times[1:], strict=False)), "keys ascend in time"

    def at(self, time: float) -> Vector:
        after = bisect_right(self.times, time)
        if after == 0:
            return self.values[0]
        if after == len(self.times):
            return self.values[-1]
        start, end = self.times[after - 1], self.times[after]
        return mix(self.values[after - 1], self.values[after], eased((time - start) / (end - start)))

    @property
    def end(self) -> float:
        return self.times[-1]


class Path:
    """Builds a track from moves and waits, one after the other."""

    def __init__(self, start: float, value: Sequence[float]) -> None:
        self._times = [start]
        self._values: list[Vector] = [tuple(value)]

    @property
    def now(self) -> float:
        return self._times[-1]

    @property
    def here(self) -> Vector:
        return self._values[-1]

    def wait(self, seconds: float) -> "Path":
        return self.to(self.here, seconds)

    def wait_until(self, time: float) -> "Path":
        return self.wait(time - self.now) if time > self.now else self

    def to(self, value: Sequence[float], seconds: float) -> "Path":
        self._times.append(milliseconds(self._times[-1] + seconds))
        self._values.append(tuple(value))
        return self

    def along(self, points: Iterable[tuple[Sequence[float], float]]) -> "Path":
        for value, seconds in points:
            self.to(value, seconds)
        return self

    def jump(self, value: Sequence[float]) -> "Path":
        """Another value from now on, without a way there."""
        self._times.append(self._times[-1])
        self._values.append(tuple(value))
        return self

    def track(self) -> Track:
        return Track(tuple(self._times), tuple(self._values))


def still(*value: float) -> Track:
    return Track((0.0,), (value,))


def eased(share: float) -> float:
    """Minimum-jerk easing: how far along a reaching movement is."""
    return share * share * share * (share * (6 * share - 15) + 10)


def uneased(way: float) -> float:
    """The share of the time after which an eased movement has covered this share of its way."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if eased(middle) < way else (low, middle)
    return low


def mix(a: Sequence[float], b: Sequence[float], share: float) -> Vector:
    return tuple(x + (y - x) * share for x, y in zip(a, b, strict=True))


def milliseconds(time: float) -> float:
    return round(time * 1000) / 1000


def sine(turns: float) -> float:
    """Sine of so many whole turns, rounded so that mathematics libraries agree to the last bit."""
    return _agreed(math.sin, turns)


def cosine(turns: float) -> float:
    return _agreed(math.cos, turns)


def _agreed(function: Callable[[float], float], turns: float) -> float:
    return round(function(2 * math.pi * (turns % 1.0)) * 2**30) / 2**30


def crossings(track: Track, component: int, level: float) -> list[tuple[float, bool]]:
    """When a component passes a level, to the millisecond, and whether it was rising."""
    found = []
    pairs = zip(track.times, track.values, track.times[1:], track.values[1:], strict=False)
    for start, before, end, after in pairs:
        a, b = before[component], after[component]
        if (a < level) != (b < level):
            found.append((milliseconds(start + (end - start) * uneased((level - a) / (b - a))), b > a))
    return found
