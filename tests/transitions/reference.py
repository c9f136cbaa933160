"""Plain judges of the path sum for one trajectory: a loop over joint phases, and every path in turn."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from stamina_video.semantics import Edge, EventGraph, JointGraph, Phase

# T observations, M slots, E edges
Phases = tuple[Phase, ...]
State = tuple[Phases, int]
Endpoints = Sequence[tuple[int, int]]  # (observations consumed, cumulative count)
Intervals = Sequence[tuple[int, int, int]]  # (start, end, increment)
NEVER = float("-inf")


def score(
    log_probs_TME: Tensor, graph: EventGraph, present_TM: Tensor, step: int, edges: Sequence[Edge]
) -> Tensor:
    """The log probability of one joint edge; an absent slot's hold is certain."""
    parts = [
        log_probs_TME[step, slot, graph.edges.index(edge)]
        for slot, edge in enumerate(edges)
        if present_TM[step, slot]
    ]
    return torch.stack(parts).sum() if parts else torch.zeros((), dtype=log_probs_TME.dtype)


def choices(graph: EventGraph, present_TM: Tensor, step: int, phases: Phases) -> Iterator[tuple[Edge, ...]]:
    """Every legal joint edge from these phases: hold first, then template order, slot by slot."""
    ranked = [
        sorted(graph.outgoing(phase), key=lambda edge: edge.source != edge.target)[: None if here else 1]
        for phase, here in zip(phases, present_TM[step].tolist(), strict=True)
    ]
    return itertools.product(*ranked)


def advance(
    log_mass: dict[State, Tensor], log_probs_TME: Tensor, graph: EventGraph, present_TM: Tensor, step: int
) -> dict[State, Tensor]:
    """One observation of eq. forward."""
    arriving: dict[State, list[Tensor]] = {}
    for (phases, count), mass in log_mass.items():
        for edges in choices(graph, present_TM, step, phases):
            after = tuple(edge.target for edge in edges), count + sum(edge.increment for edge in edges)
            arriving.setdefault(after, []).append(mass + score(log_probs_TME, graph, present_TM, step, edges))
    return {state: total(masses) for state, masses in arriving.items()}


def total(masses: Sequence[Tensor]) -> Tensor:
    alive = [mass for mass in masses if mass > NEVER]  # logsumexp has no gradient at -inf alone
    return torch.logsumexp(torch.stack(alive), 0) if alive else torch.tensor(NEVER, dtype=torch.float64)


def loop_log_factors(
    log_probs_TME: Tensor, graph: EventGraph, present_TM: Tensor, endpoints: Endpoints
) -> list[Tensor]:
    """log Z of each endpoint: slice, sum, normalise, carry on."""
    log_mass, consumed, factors = origin(log_probs_TME, graph), 0, []
    for endpoint, wanted in endpoints:
        for step in range(consumed, endpoint):
            log_mass = advance(log_mass, log_probs_TME, graph, present_TM, step)
        consumed = endpoint
        kept = {state: mass for state, mass in log_mass.items() if state[1] == wanted}
        factors.append(total(list(kept.values())))
        log_mass = {state: mass - factors[-1] for state, mass in kept.items() if mass > NEVER}
    return factors


def loop_interval_log_likelihood(
    log_probs_TME: Tensor, graph: EventGraph, present_TM: Tensor, intervals: Intervals
) -> Tensor:
    """Free up to each interval, where counts are forgotten; then the interval's own count."""
    log_mass, consumed = origin(log_probs_TME, graph), 0
    for start, end, wanted in intervals:
        for step in range(consumed, start):
            log_mass = advance(log_mass, log_probs_TME, graph, present_TM, step)
        forgotten: dict[State, list[Tensor]] = {}
        for (phases, _), mass in log_mass.items():
            forgotten.setdefault((phases, 0), []).append(mass)
        log_mass = {state: total(masses) for state, masses in forgotten.items()}
        for step in range(start, end):
            log_mass = advance(log_mass, log_probs_TME, graph, present_TM, step)
        consumed = end
        log_mass = {state: mass for state, mass in log_mass.items() if state[1] == wanted}
    return total(list(log_mass.values()))


def origin(log_probs_TME: Tensor, graph: EventGraph) -> dict[State, Tensor]:
    initial = JointGraph(graph, log_probs_TME.shape[1]).initial
    return {(initial, 0): torch.zeros((), dtype=log_probs_TME.dtype)}


@dataclass(frozen=True)
class Path:
    edges: tuple[tuple[Edge, ...], ...]  # one joint edge per observation
    log_prob: Tensor

    def count(self, consumed: int) -> int:
        return sum(edge.increment for joint in self.edges[:consumed] for edge in joint)


def every_path(log_probs_TME: Tensor, graph: EventGraph, present_TM: Tensor) -> Iterator[Path]:
    """All legal paths in lexicographic order of preference: hold first, then template order."""

    def extend(phases: Phases, taken: tuple[tuple[Edge, ...], ...], log_prob: Tensor) -> Iterator[Path]:
        step = len(taken)
        if step == len(log_probs_TME):
            yield Path(taken, log_prob)
            return
        for edges in choices(graph, present_TM, step, phases):
            gained = score(log_probs_TME, graph, present_TM, step, edges)
            yield from extend(tuple(edge.target for edge in edges), (*taken, edges), log_prob + gained)

    [(initial, _)] = origin(log_probs_TME, graph)
    yield from extend(initial, (), torch.zeros((), dtype=log_probs_TME.dtype))


def fitting_paths(
    log_probs_TME: Tensor, graph: EventGraph, present_TM: Tensor, endpoints: Endpoints
) -> list[Path]:
    return [
        path
        for path in every_path(log_probs_TME, graph, present_TM)
        if all(path.count(consumed) == wanted for consumed, wanted in endpoints)
    ]
