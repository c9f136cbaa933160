"""Which labels any legal path reaches, found before training so that no loss meets an impossible one."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from stamina_video.semantics import EventGraph
from stamina_video.semantics.capacity import Endpoint, Interval, Presence, Search, check_chain, check_order

log = logging.getLogger(__name__)

Label = TypeVar("Label", Endpoint, Interval)


@dataclass(frozen=True, slots=True)
class Excluded(Generic[Label]):
    """A label that no path reaches, by its place among those given."""

    index: int
    label: Label
    reason: str


@dataclass(frozen=True, slots=True)
class Support(Generic[Label]):
    kept: tuple[Label, ...]
    excluded: tuple[Excluded[Label], ...]


def reachable_endpoints(
    graph: EventGraph, present: Presence, endpoints: Sequence[Endpoint], name: str = "trajectory"
) -> Support[Endpoint]:
    """Keep the endpoints a legal path can meet together; log and exclude each that breaks them.

    `present` has one row per observation and one flag per slot; `name` is for the log.
    """
    check_order(present, endpoints, name)
    search = Search(graph, present)

    def reached(endpoint: Endpoint) -> bool:
        search.advance(endpoint.observations)
        return search.keep(endpoint.count)

    return _support(endpoints, reached, search, f"{name}: endpoint")


def reachable_intervals(
    graph: EventGraph, present: Presence, intervals: Sequence[Interval], name: str = "trajectory"
) -> Support[Interval]:
    """The same for one chain of interval labels: each counts from zero at its left end.

    Intervals that overlap are separate chains (see `replays`).
    """
    check_chain(present, intervals, name)
    search = Search(graph, present)

    def reached(interval: Interval) -> bool:
        search.advance(interval.start)
        search.forget()
        search.advance(interval.end)
        return search.keep(interval.count)

    return _support(intervals, reached, search, f"{name}: interval")


def _support(
    labels: Sequence[Label], reached: Callable[[Label], bool], search: Search, what: str
) -> Support[Label]:
    kept: list[Label] = []
    excluded: list[Excluded[Label]] = []
    for index, label in enumerate(labels):
        if reached(label):
            kept.append(label)
            continue
        within = f"at most {search.most} reachable" if label.count > search.most else "not reachable"
        reason = f"{label}, {within}" + (f" given {kept[-1]}" if kept else "")
        log.warning("%s %d excluded: %s", what, index, reason)
        excluded.append(Excluded(index, label, reason))
    return Support(tuple(kept), tuple(excluded))
