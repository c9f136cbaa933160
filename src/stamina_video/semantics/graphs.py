"""Event graphs as data: phases, legal edges, roles. Legality lives here and nowhere else."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from stamina_video.semantics.errors import InvalidInput
from stamina_video.semantics.operators import Operator

MAX_SLOTS = 4


class Phase(StrEnum):
    READY = "READY"
    ACTIVE = "ACTIVE"
    AWAY = "AWAY"
    REFRACTORY = "REFRACTORY"


class Role(StrEnum):
    HOLD = "hold"
    START = "start"
    COMPLETE = "complete"
    RESET = "reset"

    @property
    def increment(self) -> int:
        return 1 if self is Role.COMPLETE else 0


@dataclass(frozen=True, slots=True)
class Edge:
    source: Phase
    target: Phase
    role: Role

    @property
    def increment(self) -> int:
        return self.role.increment


@dataclass(frozen=True)
class EventGraph:
    """One slot's legal transitions; edges are in template order, which also breaks ties."""

    phases: tuple[Phase, ...]
    edges: tuple[Edge, ...]

    def __post_init__(self) -> None:
        pairs = [(edge.source, edge.target) for edge in self.edges]
        assert len(set(self.phases)) == len(self.phases), "phases are distinct"
        assert len(set(pairs)) == len(pairs), "at most one edge between two phases"
        for phase in self.phases:
            assert Edge(phase, phase, Role.HOLD) in self.edges, f"{phase} must permit hold"
        for edge in self.edges:
            assert {edge.source, edge.target} <= set(self.phases), f"{edge} leaves the graph"
            assert (edge.role is Role.HOLD) == (edge.source == edge.target), f"{edge} misnames hold"

    @property
    def initial(self) -> Phase:
        return self.phases[0]

    @cached_property
    def increments(self) -> tuple[int, ...]:
        return tuple(edge.increment for edge in self.edges)

    def outgoing(self, phase: Phase) -> tuple[Edge, ...]:
        return tuple(edge for edge in self.edges if edge.source == phase)


@dataclass(frozen=True, slots=True)
class JointEdge:
    """Every slot's edge at one observation; the increment is their sum."""

    parts: tuple[Edge, ...]

    @property
    def source(self) -> tuple[Phase, ...]:
        return tuple(edge.source for edge in self.parts)

    @property
    def target(self) -> tuple[Phase, ...]:
        return tuple(edge.target for edge in self.parts)

    @property
    def increment(self) -> int:
        return sum(edge.increment for edge in self.parts)


@dataclass(frozen=True)
class JointGraph:
    """The product of one graph over several slots; phases are tuples, all-initial first."""

    slot: EventGraph
    slots: int

    def __post_init__(self) -> None:
        if not 1 <= self.slots <= MAX_SLOTS:
            raise InvalidInput(f"expected 1 to {MAX_SLOTS} slots, got {self.slots}")

    @cached_property
    def phases(self) -> tuple[tuple[Phase, ...], ...]:
        return tuple(itertools.product(self.slot.phases, repeat=self.slots))

    @cached_property
    def edges(self) -> tuple[JointEdge, ...]:
        return tuple(JointEdge(parts) for parts in itertools.product(self.slot.edges, repeat=self.slots))

    @property
    def initial(self) -> tuple[Phase, ...]:
        return self.phases[0]

    def outgoing(
        self, phases: tuple[Phase, ...], present: tuple[bool, ...] | None = None
    ) -> Iterator[JointEdge]:
        """Legal joint edges from these phases; an absent slot has only hold."""
        here = present or (True,) * self.slots
        choices = [
            self.slot.outgoing(phase) if there else (Edge(phase, phase, Role.HOLD),)
            for phase, there in zip(phases, here, strict=True)
        ]
        return (JointEdge(parts) for parts in itertools.product(*choices))


def _graph(*edges: tuple[Phase, Phase, Role]) -> EventGraph:
    phases = tuple(dict.fromkeys(source for source, _, _ in edges))
    return EventGraph(phases, tuple(Edge(*edge) for edge in edges))


_INSTANT = _graph(
    (Phase.READY, Phase.READY, Role.HOLD),
    (Phase.READY, Phase.REFRACTORY, Role.COMPLETE),
    (Phase.REFRACTORY, Phase.REFRACTORY, Role.HOLD),
    (Phase.REFRACTORY, Phase.READY, Role.RESET),
)

_EPISODE = _graph(
    (Phase.READY, Phase.READY, Role.HOLD),
    (Phase.READY, Phase.ACTIVE, Role.START),
    (Phase.ACTIVE, Phase.ACTIVE, Role.HOLD),
    (Phase.ACTIVE, Phase.REFRACTORY, Role.COMPLETE),
    (Phase.REFRACTORY, Phase.REFRACTORY, Role.HOLD),
    (Phase.REFRACTORY, Phase.READY, Role.RESET),
)

_PERIODIC = _graph(
    (Phase.READY, Phase.READY, Role.HOLD),
    (Phase.READY, Phase.AWAY, Role.START),
    (Phase.AWAY, Phase.AWAY, Role.HOLD),
    (Phase.AWAY, Phase.READY, Role.COMPLETE),
)

_GRAPHS = {
    Operator.E1_ACTION: _INSTANT,
    Operator.E1_TRANSIT: _INSTANT,
    Operator.E2_EPISODE: _EPISODE,
    Operator.E2_PERIODIC: _PERIODIC,
}


def graph_for(operator: str | Operator) -> EventGraph:
    """The event graph of an event operator (appendix, "Candidate lifecycle and event graphs")."""
    operator = Operator.parse(operator)
    if operator not in _GRAPHS:
        events = ", ".join(_GRAPHS)
        raise InvalidInput(f"expected an event operator ({events}), got {operator}: it counts objects")
    return _GRAPHS[operator]
