"""Which source frames are observed, and which observation a query reads.

Times are the frames' own timestamps in ascending order, so variable rates and non-zero starts need
no special case (appendix, "Sampled time and reachable counts").
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise

from stamina_video.semantics.errors import InvalidInput

FASTEST = 1_000_000  # frames a second; beyond it, a slip of the finger


class Access(StrEnum):
    STREAM = "stream"  # look while it plays
    FULL = "full"  # look back afresh for every query


def full_indices(frames: int, budget: int) -> list[int]:
    """Full access: floor(r(M-1)/(m-1)) for r = 0..m-1 with m = min(M, budget); index 0 if m = 1."""
    if not isinstance(frames, int) or not isinstance(budget, int) or frames < 0 or budget < 1:
        raise InvalidInput(f"expected 0 or more frames and a budget from 1, got {frames!r} and {budget!r}")
    taken = min(frames, budget)
    if taken <= 1:
        return [0] * taken
    return [r * (frames - 1) // (taken - 1) for r in range(taken)]


def stream_indices(times: Sequence[float], fps: float = 1.0, origin: float | None = None) -> list[int]:
    """Stream access: the latest frame at each grid time up to the last frame, each frame once."""
    check_rate(fps)
    check_ascending(times)
    if not times:
        return []
    start = times[0] if origin is None else origin
    check_ascending([start])
    chosen = [
        index
        for index, (time, following) in enumerate(pairwise(times))
        if is_latest_at_tick(time, following, fps, start)
    ]
    if ticks_until(times[-1], fps, start) > ticks_before(times[-1], fps, start):
        chosen.append(len(times) - 1)
    return chosen


def is_latest_at_tick(time: float, following: float, fps: float, origin: float) -> bool:
    """Whether a grid time falls after this frame appears and before the next one does."""
    return ticks_before(following, fps, origin) > ticks_before(time, fps, origin)


def ticks_before(time: float, fps: float, origin: float) -> int:
    """How many grid times lie strictly before `time`."""
    return max(math.ceil(_grid_position(time, fps, origin)), 0)


def ticks_until(time: float, fps: float, origin: float) -> int:
    """How many grid times lie at or before `time`: the most observations a query there can use."""
    return max(math.floor(_grid_position(time, fps, origin)) + 1, 0)


def reading_step(times: Sequence[float], at: float) -> int | None:
    """k(t): the last observation no later than `at`, or None where the state is still empty."""
    if math.isnan(at):
        raise InvalidInput(f"expected a time to read at, got {at!r}")
    return bisect_right(times, at) - 1 if times and times[0] <= at else None


def check_rate(fps: float) -> None:
    if isinstance(fps, bool) or not isinstance(fps, int | float) or not 0 < fps <= FASTEST:
        raise InvalidInput(f"expected a frame rate above zero and at most {FASTEST:,}, got {fps!r}")


def check_ascending(times: Sequence[float]) -> None:
    for index, time in enumerate(times):
        if isinstance(time, bool) or not isinstance(time, int | float) or not math.isfinite(time):
            raise InvalidInput(f"expected a finite frame time, got {time!r} at frame {index}")
        if index and time < times[index - 1]:
            raise InvalidInput(
                f"expected frame times in ascending order, "
                f"got {times[index - 1]} then {time} at frame {index}"
            )


def _grid_position(time: float, fps: float, origin: float) -> float:
    position = (time - origin) * fps
    nearest = round(position)
    # Timestamps are rationals rounded to floats: 0.29 s at 100 fps is tick 29, not 28.999….
    slack = 4 * fps * math.ulp(max(abs(time), abs(origin), 1.0))
    return float(nearest) if abs(position - nearest) <= slack else position
