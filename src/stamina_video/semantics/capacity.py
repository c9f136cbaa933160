"""What can be counted at all with a given number of observations. Knows nothing of pixels.

A slot walks at most one edge per observation, so a count is bounded before any model looks
(appendix, "Sampled time and reachable counts"). The closed forms serve tables; the exact search
serves training, where slots come and go and several endpoints must hold on one path.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from stamina_video.semantics.errors import InvalidInput
from stamina_video.semantics.graphs import MAX_SLOTS, EventGraph, Phase, graph_for
from stamina_video.semantics.operators import Operator
from stamina_video.semantics.schedule import FASTEST, reading_step
from stamina_video.semantics.targets import Scope, Target

Presence = Sequence[Sequence[bool]]  # one row per observation, one flag per slot

NEVER = 2**40  # more observations than any trajectory has


def slots_of(target: Target) -> int:
    return MAX_SLOTS if target.scope is Scope.ENTITY else 1


def most_slots(operator: Operator) -> int:
    """Slots under the widest scope the operator permits."""
    return 1 if operator is Operator.E2_PERIODIC else MAX_SLOTS


def ceiling(operator: Operator, observations: int, slots: int = 1) -> int:
    """The most completions in this many observations with every slot present from the first."""
    _check_slots(slots)
    lap, first = _pace(graph_for(operator))
    return slots * ((observations - first) // lap + 1) if observations >= first else 0


def observations_needed(operator: Operator, count: int, slots: int = 1) -> int:
    """The fewest observations whose ceiling reaches this count."""
    _check_slots(slots)
    lap, first = _pace(graph_for(operator))
    return first + lap * (-(-count // slots) - 1) if count > 0 else 0


def _check_slots(slots: int) -> None:
    if not 1 <= slots <= MAX_SLOTS:
        raise InvalidInput(f"expected 1 to {MAX_SLOTS} slots, got {slots!r}")


def observations_per_completion(operator: Operator) -> int:
    """The fewest observations from one completion of a slot to its next."""
    return _pace(graph_for(operator))[0]


def lowest_rate(
    operator: Operator, count: int, at: float, slots: int = 1, origin: float = 0.0
) -> float | None:
    """The lowest Stream rate at which this count is reachable by `at`; None if at no rate."""
    steps = observations_needed(operator, count, slots) - 1
    if steps <= 0:
        return 0.0
    rate = steps / (at - origin) if at > origin else math.inf
    return rate if rate <= FASTEST else None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A count label: after `observations` observations the cumulative count is `count`."""

    observations: int
    count: int

    def __str__(self) -> str:
        return f"{_completions(self.count)} after {self.observations} observations"


@dataclass(frozen=True, slots=True)
class Interval:
    """A count label: `count` completions from `start` observations to `end` observations."""

    start: int
    end: int
    count: int

    def __str__(self) -> str:
        return f"{_completions(self.count)} from {self.start} to {self.end} observations"


def _completions(number: int) -> str:
    return f"{number} completion" if number == 1 else f"{number} completions"


class Search:
    """Every count that some legal path can have by now, in every joint phase; it only moves on."""

    def __init__(self, graph: EventGraph, present: Presence) -> None:
        self.present, self.observed, self.base = present, 0, 0
        slots = len(present[0]) if present else 0
        self._moves = _moves(graph, slots)
        # By joint phase, the first slot's outermost: the bit set of counts above `base`.
        self._counts = [1] + [0] * (len(graph.phases) ** slots - 1)

    @property
    def most(self) -> int:
        return self.base + max(counts.bit_length() for counts in self._counts) - 1

    def advance(self, observations: int) -> None:
        """Move on until this many observations have been made in all."""
        for row in self.present[self.observed : observations]:
            for here, moves in zip(row, self._moves, strict=True):
                if here:
                    self._move(moves)
        self.observed = max(self.observed, observations)

    def keep(self, count: int) -> bool:
        """Keep only the paths with this count; where there are none, keep all and say so."""
        above = count - self.base
        kept = [counts >> above & 1 for counts in self._counts] if above >= 0 else []
        if not any(kept):
            return False
        self._counts, self.base = kept, count
        return True

    def forget(self) -> None:
        """Count from zero again; what was counted so far still shows in the phases."""
        self._counts, self.base = [min(counts, 1) for counts in self._counts], 0

    def _move(self, moves: Sequence[tuple[int, int, int]]) -> None:
        after = self._counts.copy()  # every phase permits hold
        for source, target, gained in moves:
            after[target] |= self._counts[source] << gained
        self._counts = after


@lru_cache(maxsize=64)
def _moves(graph: EventGraph, slots: int) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    """For each slot, every change of a joint phase by its edges: (from, to, completions)."""
    number = {phase: index for index, phase in enumerate(graph.phases)}
    size = len(number)
    return tuple(
        tuple(
            (joint, joint + (number[edge.target] - number[edge.source]) * inner, edge.increment)
            for joint in range(size**slots)
            for edge in graph.edges
            if edge.source != edge.target and joint // inner % size == number[edge.source]
        )
        for inner in (size ** (slots - 1 - slot) for slot in range(slots))
    )


def most_completions(graph: EventGraph, present: Presence) -> list[int]:
    """The exact ceiling after each observation, with slots absent where `present` says so."""
    search, ceilings = Search(graph, present), []
    for observed in range(1, len(present) + 1):
        search.advance(observed)
        ceilings.append(search.most)
    return ceilings


def most_completions_at(graph: EventGraph, times: Sequence[float], at: float, present: Presence) -> int:
    """The exact ceiling a query at `at` can read, given when each observation was made."""
    step = reading_step(times, at)
    return 0 if step is None else most_completions(graph, present[: step + 1])[-1]


def first_unreachable(graph: EventGraph, present: Presence, endpoints: Iterable[Endpoint]) -> int | None:
    """The index of the first endpoint that no legal path through all earlier ones reaches."""
    endpoints = list(endpoints)
    check_order(present, endpoints)
    search = Search(graph, present)
    for index, endpoint in enumerate(endpoints):
        search.advance(endpoint.observations)
        if not search.keep(endpoint.count):
            return index
    return None


def check_order(present: Presence, endpoints: Iterable[Endpoint], name: str = "trajectory") -> None:
    """Endpoints ascend and lie within the observations."""
    before = 0
    for index, endpoint in enumerate(endpoints):
        if not before <= endpoint.observations <= len(present):
            raise InvalidInput(
                f"{name}: expected endpoint {index} after {before} to {len(present)} observations, "
                f"got {endpoint.observations}"
            )
        before = endpoint.observations


def check_chain(present: Presence, intervals: Iterable[Interval], name: str = "trajectory") -> None:
    """Intervals are chronological, without overlap, within the observations."""
    before = 0
    for index, interval in enumerate(intervals):
        if not before <= interval.start <= interval.end <= len(present):
            raise InvalidInput(
                f"{name}: expected interval {index} within {before} to {len(present)} observations, "
                f"got {interval.start} to {interval.end}"
            )
        before = interval.end


def observations_between(graph: EventGraph) -> int:
    """The fewest observations from one completion of a slot to its next."""
    return _until_completion(graph, frozenset(edge.target for edge in graph.edges if edge.increment))


@lru_cache(maxsize=64)
def _until_completion(graph: EventGraph, phases: frozenset[Phase]) -> int:
    """The fewest observations from any of these phases through a completion."""
    completing = {edge.source for edge in graph.edges if edge.increment}
    steps = 1
    while not phases & completing:
        further = phases | {edge.target for edge in graph.edges if edge.source in phases}
        if further == phases:
            return NEVER
        phases, steps = further, steps + 1
    return steps


def _pace(graph: EventGraph) -> tuple[int, int]:
    """Observations per completion in the long run, and until the first one."""
    return observations_between(graph), _until_completion(graph, frozenset([graph.initial]))
