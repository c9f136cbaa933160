"""Which endpoints some legal path reaches, given how many observations were made before each.

Each slot completes at most once in `lap` observations, first at observation `first`. Completing as early
as possible never hurts what follows, so the greedy schedule decides exactly.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from stamina_video.semantics import MAX_SLOTS, Operator, Scope, observations_needed
from stamina_video.semantics.capacity import observations_per_completion
from stamina_video.semantics.coverage import EVENT_OPERATORS

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


def reachable(operator: Operator, slots: int, observed: Sequence[int], counts: Sequence[int]) -> list[bool]:
    """Each endpoint, on a path through the earlier ones that were reached."""
    lap, first = observations_per_completion(operator), observations_needed(operator, 1)
    completed: list[int] = []  # the observation of each completion so far, as early as legal
    opened, verdicts = 0, []
    for upto, count in zip(observed, counts, strict=True):
        tried = completed.copy()
        while len(tried) < count:
            rested = tried[-slots] + lap if len(tried) >= slots else first
            tried.append(max(rested, opened + 1))
        fits = len(tried) == count and (not tried or tried[-1] <= upto)
        verdicts.append(fits)
        if fits:
            completed, opened = tried, upto
    return verdicts


def reachable_queries(queries: pl.DataFrame, fps: float) -> pl.Series:
    """Whether each row can be reached at this rate; rows hold group, operator, scope, origin, time, answer.

    Objects have no event graph and are always reachable.
    """
    verdict_Q = np.ones(queries.height, dtype=np.bool_)
    events = (
        queries.with_row_index("row")
        .filter(pl.col("operator").is_in([str(operator) for operator in EVENT_OPERATORS]))
        .sort("group", "time", maintain_order=True)
    )
    for (operator, scope), part in events.partition_by(
        "operator", "scope", as_dict=True, maintain_order=True
    ).items():
        slots = 1 if scope == Scope.GLOBAL else MAX_SLOTS
        verdict_Q[part["row"].to_numpy()] = _verdicts(part, Operator.parse(operator), slots, fps)
    return pl.Series("reachable", verdict_Q)


def _verdicts(part: pl.DataFrame, operator: Operator, slots: int, fps: float) -> Bools:
    observed_Q = observations_until((part["time"] - part["origin"]).to_numpy(), fps)
    count_Q = part["answer"].to_numpy()
    start_G = np.flatnonzero(part["group"].ne_missing(part["group"].shift()).to_numpy())
    verdict_Q = np.ones(part.height, dtype=np.bool_)
    doubtful_Q = ~_clearly(observed_Q, count_Q, start_G, operator, slots)
    ends = np.append(start_G[1:], part.height)
    # Most groups are clearly within reach; only the dense ones need the exact schedule.
    for start, end in zip(start_G, ends, strict=True):
        if doubtful_Q[start:end].any():
            verdict_Q[start:end] = reachable(
                operator, slots, observed_Q[start:end].tolist(), count_Q[start:end].tolist()
            )
    return verdict_Q


def _clearly(observed_Q: Ints, count_Q: Ints, start_G: Ints, operator: Operator, slots: int) -> Bools:
    """Enough room in every stretch even if each slot has just completed when it begins."""
    lap, first = observations_per_completion(operator), observations_needed(operator, 1)
    gained_Q, passed_Q = np.diff(count_Q, prepend=0), np.diff(observed_Q, prepend=0)
    gained_Q[start_G], passed_Q[start_G] = count_Q[start_G], observed_Q[start_G]
    room_Q = passed_Q // lap
    room_Q[start_G] = np.maximum((observed_Q[start_G] - first) // lap + 1, 0)
    return np.asarray((gained_Q >= 0) & (gained_Q <= slots * room_Q))


def observations_until(elapsed_Q: NDArray[np.float64], fps: float) -> Ints:
    """How many grid times lie at or before each time; a time a rounding error before one counts as on it."""
    position_Q = elapsed_Q * fps
    nearest_Q = np.round(position_Q)
    close_Q = np.abs(position_Q - nearest_Q) <= 1e-9 * np.maximum(np.abs(position_Q), 1)
    ticks_Q = np.where(close_Q, nearest_Q, np.floor(position_Q)) + 1
    return np.asarray(np.maximum(ticks_Q, 0), dtype=np.int64)
