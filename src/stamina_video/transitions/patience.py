"""A choice among legal edges that gathers evidence: when it happened is less sure than that it did.

The greedy choice asks whether an edge is likely now. Where a completion may have been at this look or at
one of the next, none is likely enough, and it is never said. A patient slot adds up how likely it is that
it has left its phase since it came there, and by which edge.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from stamina_video.semantics import Edge, EventGraph, Phase, Role

# M slots, E template edges

LEFT = 0.5  # likelier than not

Waited = tuple[float, ...]  # of one slot: of every template edge how likely it was taken since the last one


@dataclass(frozen=True, slots=True)
class Patience:
    """What each slot chose, and what it had gathered by then."""

    edges: tuple[Edge, ...]
    gathered: tuple[Waited, ...]

    @property
    def waited(self) -> tuple[Waited, ...]:
        """For the next look: whoever came to a new phase begins with nothing."""
        pairs = zip(self.edges, self.gathered, strict=True)
        return tuple(gathered if edge.role is Role.HOLD else () for edge, gathered in pairs)


def patient(
    log_probs_ME: Tensor,
    graph: EventGraph,
    phases: Sequence[Phase],
    waited: Sequence[Waited],
    present: Sequence[bool],
) -> Patience:
    """The edge each slot has taken by now, likelier than not, else hold. Absent slots wait as they did."""
    probabilities_ME = log_probs_ME.detach().double().exp().tolist()
    gathered = tuple(
        _gathered(row_E, graph, phase, before) if here else before
        for row_E, phase, before, here in zip(probabilities_ME, phases, waited, present, strict=True)
    )
    taken = (_taken(one, graph) if here else None for one, here in zip(gathered, present, strict=True))
    holds = (Edge(phase, phase, Role.HOLD) for phase in phases)
    return Patience(
        tuple(edge or hold for edge, hold in zip(taken, holds, strict=True)),
        gathered,
    )


def _gathered(row_E: Sequence[float], graph: EventGraph, phase: Phase, before: Waited) -> Waited:
    """Whoever has left cannot leave again, so the first look counts whole and each later one what remains."""
    before = before or (0.0,) * len(graph.edges)
    remains = 1 - sum(before)
    return tuple(
        known + remains * chance * (edge.source == phase and edge.role is not Role.HOLD)
        for known, chance, edge in zip(before, row_E, graph.edges, strict=True)
    )


def _taken(gathered: Waited, graph: EventGraph) -> Edge | None:
    """Together they are never more than one, so no two can be likelier than not."""
    return next((edge for edge, chance in zip(graph.edges, gathered, strict=False) if chance > LEFT), None)
