"""The states of a path sum and how one slot moves between them. Knows nothing of probabilities.

A state is (count, joint phase), flattened with the count outermost; slots move one after another
within an observation, so a step never sees the product of all their edges.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from stamina_video.semantics import Edge, EventGraph, Role


@dataclass(frozen=True)
class Lattice:
    """Counts 0..counts-1 of every joint phase; a count-blind lattice ignores increments."""

    graph: EventGraph
    slots: int
    counts: int
    blind: bool = False

    @property
    def phases(self) -> int:
        return int(len(self.graph.phases) ** self.slots)

    @property
    def states(self) -> int:
        return self.counts * self.phases

    def increment(self, edge: Edge) -> int:
        return 0 if self.blind else edge.increment

    def fold(self, slot: int) -> tuple[int, int, int]:
        """How a state axis splits so that the middle axis is this slot's phase."""
        size = len(self.graph.phases)
        inner = size ** (self.slots - 1 - slot)
        return self.states // (size * inner), size, inner


@dataclass(frozen=True)
class Move:
    """One way to leave (or enter) every state: which edge, by the slot's phase, and from where."""

    edge_A: Tensor  # len(graph.edges) where the phase has no such edge
    source_S: Tensor | None  # None holds; lattice.states where there is no such state


@lru_cache(maxsize=256)
def entering(lattice: Lattice, slot: int) -> tuple[Move, ...]:
    """Hold, then every other edge into each phase: a forward step gathers along these."""
    return tuple(_moves(lattice, slot, forward=True))


@lru_cache(maxsize=256)
def leaving(lattice: Lattice, slot: int) -> tuple[Move, ...]:
    """Hold, then every other edge out of each phase in template order: for a backward step."""
    return tuple(_moves(lattice, slot, forward=False))


def hold_first(edges: Iterable[Edge]) -> list[Edge]:
    """The order that breaks ties: hold, then template order."""
    return sorted(edges, key=lambda edge: edge.role is not Role.HOLD)


def _moves(lattice: Lattice, slot: int, forward: bool) -> Iterator[Move]:
    graph = lattice.graph
    ways = [
        hold_first(edge for edge in graph.edges if phase == (edge.target if forward else edge.source))
        for phase in graph.phases
    ]
    for rank in range(max(map(len, ways))):
        chosen = [edges[rank] if rank < len(edges) else None for edges in ways]
        numbers = [len(graph.edges) if edge is None else graph.edges.index(edge) for edge in chosen]
        source = None if rank == 0 else _sources(lattice, slot, chosen, forward)
        yield Move(torch.tensor(numbers), source)


def _sources(lattice: Lattice, slot: int, chosen: list[Edge | None], forward: bool) -> Tensor:
    outer, size, inner = lattice.fold(slot)
    state = torch.arange(lattice.states).view(outer, size, inner)
    count = state // lattice.phases
    source = torch.full_like(state, lattice.states)
    for phase, edge in enumerate(chosen):
        if edge is None:
            continue
        other = lattice.graph.phases.index(edge.source if forward else edge.target)
        gained = lattice.increment(edge) * (-1 if forward else 1)
        there = state[:, phase] + (other - phase) * inner + gained * lattice.phases
        counted = count[:, phase] + gained
        inside = (counted >= 0) & (counted < lattice.counts)
        source[:, phase] = torch.where(inside, there, lattice.states)
    return source.flatten()
