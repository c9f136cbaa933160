"""What can be counted at all with a given number of observations. Knows nothing of pixels.

A slot walks at most one edge per observation, so a count is bounded before any model looks
(appendix, "Sampled time and reachable counts"). The closed forms serve tables; the exact search
serves training, where slots come and go and several endpoints must hold on one path.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from stamina_video.semantics.errors import InvalidInput
from stamina_video.semantics.graphs import MAX_SLOTS, Edge, EventGraph, Phase, Role, graph_for
from stamina_video.semantics.operators import Operator
from stamina_video.semantics.schedule import reading_step
from stamina_video.semantics.targets import Scope, Target

Presence = Sequence[Sequence[bool]]  # one row per observation, one flag per slot


def slots_of(target: Target) -> int:
    return MAX_SLOTS if target.scope is Scope.ENTITY else 1


def most_slots(operator: Operator) -> int:
    """Slots under the widest scope the operator permits."""
    return 1 if operator is Operator.E2_PERIODIC else MAX_SLOTS


def ceiling(operator: Operator, observations: int, slots: int = 1) -> int:
    """The most completions in this many observations with every slot present from the first."""
    lap, first = _pace(graph_for(operator))
    return slots * ((observations - first) // lap + 1) if observations >= first else 0


def observations_needed(operator: Operator, count: int, slots: int = 1) -> int:
    """The fewest observations whose ceiling reaches this count."""
    lap, first = _pace(graph_for(operator))
    return first + lap * (math.ceil(count / slots) - 1) if count > 0 else 0


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
    return steps / (at - origin) if at > origin else None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A count label: after `observations` observations the cumulative count is `count`."""

    observations: int
    count: int


def most_completions(graph: EventGraph, present: Presence) -> list[int]:
    """The exact ceiling after each observation, with slots absent where `present` says so."""
    reached, ceilings = _origin(graph, present), []
    for row in present:
        reached = _advance(graph, reached, row)
        ceilings.append(max(counts.bit_length() for counts in reached.values()) - 1)
    return ceilings


def most_completions_at(graph: EventGraph, times: Sequence[float], at: float, present: Presence) -> int:
    """The exact ceiling a query at `at` can read, given when each observation was made."""
    step = reading_step(times, at)
    return 0 if step is None else most_completions(graph, present[: step + 1])[-1]


def first_unreachable(graph: EventGraph, present: Presence, endpoints: Iterable[Endpoint]) -> int | None:
    """The index of the first endpoint that no legal path through all earlier ones reaches."""
    reached, consumed = _origin(graph, present), 0
    for index, endpoint in enumerate(endpoints):
        if not consumed <= endpoint.observations <= len(present):
            raise InvalidInput(
                f"expected endpoint {index} after {consumed} to {len(present)} observations, "
                f"got {endpoint.observations}"
            )
        for row in present[consumed : endpoint.observations]:
            reached = _advance(graph, reached, row)
        consumed = endpoint.observations
        wanted = 1 << endpoint.count if endpoint.count >= 0 else 0
        reached = {phases: wanted for phases, counts in reached.items() if counts & wanted}
        if not reached:
            return index
    return None


# The joint phases some legal path arrives at, each with the bit set of counts it can have there.
Reached = dict[tuple[Phase, ...], int]


def _origin(graph: EventGraph, present: Presence) -> Reached:
    slots = len(present[0]) if present else 0
    return {(graph.initial,) * slots: 1}


def _advance(graph: EventGraph, reached: Reached, present: Sequence[bool]) -> Reached:
    following: Reached = {}
    for phases, counts in reached.items():
        options = [
            graph.outgoing(phase) if here else (Edge(phase, phase, Role.HOLD),)
            for phase, here in zip(phases, present, strict=True)
        ]
        for edges in product(*options):
            arrived = tuple(edge.target for edge in edges)
            gained = sum(edge.increment for edge in edges)
            following[arrived] = following.get(arrived, 0) | counts << gained
    return following


def _pace(graph: EventGraph) -> tuple[int, int]:
    """Observations per completion in the long run, and until the first one."""
    forward = {edge.source: edge for edge in graph.edges if edge.role is not Role.HOLD}
    phase, steps = graph.initial, 0
    completed_at: list[int] = []
    while len(completed_at) < 2:
        edge = forward[phase]
        steps += 1
        phase = edge.target
        if edge.increment:
            completed_at.append(steps)
    return completed_at[1] - completed_at[0], completed_at[0]
