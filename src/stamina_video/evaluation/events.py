"""Judges event commits: matched, duplicate, missed, false on stable intervals, and how late.

Definitions of the appendix, "Diagnostic populations and commitment".
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stamina_video.evaluation.trajectories import Mark

WINDOW = 3.0  # seconds after a completion in which a commit can be its own
_SLACK = 1e-9  # window edges are sums of decimal seconds


@dataclass(frozen=True, slots=True)
class Matching:
    """What became of every commit and every completion."""

    matches: tuple[tuple[Mark, Mark], ...]  # completion, commit
    duplicates: tuple[Mark, ...]
    outside: tuple[Mark, ...]
    misses: tuple[Mark, ...]

    @property
    def delays(self) -> tuple[float, ...]:
        return tuple(commit.time - completion.time for completion, commit in self.matches)


def match(completions: Sequence[Mark], commits: Sequence[Mark]) -> Matching:
    """Match within slots, in order of time, each commit to the nearest free completion just before it.

    Slots tell instances apart only where both sides name them.
    """
    if not (any(mark.slot for mark in completions) and any(mark.slot for mark in commits)):
        return _match_slot(completions, commits)
    by_slot: defaultdict[str, tuple[list[Mark], list[Mark]]] = defaultdict(lambda: ([], []))
    for completion in completions:
        by_slot[completion.slot][0].append(completion)
    for commit in commits:
        by_slot[commit.slot][1].append(commit)
    parts = [_match_slot(*slot) for slot in by_slot.values()]
    return Matching(
        tuple(pair for part in parts for pair in part.matches),
        tuple(mark for part in parts for mark in part.duplicates),
        tuple(mark for part in parts for mark in part.outside),
        tuple(mark for part in parts for mark in part.misses),
    )


def _match_slot(completions: Sequence[Mark], commits: Sequence[Mark]) -> Matching:
    """A stack of free completions: the top is the nearest one before the commit at hand."""
    waiting = sorted(completions, key=_time, reverse=True)
    free: list[Mark] = []
    latest: Mark | None = None
    matches, duplicates, outside = [], [], []
    for commit in sorted(commits, key=_time):
        while waiting and waiting[-1].time <= commit.time + _SLACK:
            latest = waiting.pop()
            free.append(latest)
        if free and _in_window(free[-1], commit):
            matches.append((free.pop(), commit))
        elif latest is not None and _in_window(latest, commit):
            duplicates.append(commit)
        else:
            outside.append(commit)
    misses = sorted((*free, *waiting), key=_time)
    return Matching(tuple(matches), tuple(duplicates), tuple(outside), tuple(misses))


def stable_intervals(
    observed: Sequence[float],
    completions: Iterable[Mark],
    commits: Iterable[Mark],
    verified: Sequence[tuple[float, float]] | None = None,
) -> tuple[int, int]:
    """How many eligible sampling intervals hold a commit, and how many are eligible.

    Observation k closes the interval (τ of k-1, τ of k]; the first closes an interval of its own instant.
    Eligible ones are verified and lie more than 3 s from every completion of any slot.
    """
    if not observed:
        return 0, 0
    high_K = np.asarray(observed, float)
    low_K = np.concatenate([high_K[:1], high_K[:-1]])
    completed = np.sort([mark.time for mark in completions])
    committed = np.sort([mark.time for mark in commits])
    near_K = _holds(completed, low_K - WINDOW - _SLACK, high_K + WINDOW + _SLACK)
    eligible_K = ~near_K & _inside(low_K, high_K, verified)
    before_K = np.concatenate([[-np.inf], high_K[:-1]])
    marked_K = np.searchsorted(committed, high_K, "right") > np.searchsorted(committed, before_K, "right")
    return int(np.sum(marked_K & eligible_K)), int(np.sum(eligible_K))


def _holds(
    times: npt.NDArray[np.float64], low_K: npt.NDArray[np.float64], high_K: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    """Whether any time lies in each closed interval."""
    return np.searchsorted(times, high_K, "right") > np.searchsorted(times, low_K, "left")


def _inside(
    low_K: npt.NDArray[np.float64],
    high_K: npt.NDArray[np.float64],
    spans: Sequence[tuple[float, float]] | None,
) -> npt.NDArray[np.bool_]:
    if spans is None:
        return np.ones(len(low_K), bool)
    inside_K = np.zeros(len(low_K), bool)
    for start, end in spans:
        inside_K |= (low_K >= start - _SLACK) & (high_K <= end + _SLACK)
    return inside_K


def _in_window(completion: Mark, commit: Mark) -> bool:
    return commit.time - completion.time <= WINDOW + _SLACK


def _time(mark: Mark) -> float:
    return mark.time
