"""A choice among legal edges that gathers evidence: when it happened is less sure than that it did.

The greedy choice asks whether an edge is likely now. Where a completion may have been at this look or at
one of the next, none is likely enough, and it is never said. A patient slot adds up how likely it is that
it has left its phase since it came there, and by which edge.
"""

from collections.abc import Sequence

from torch import Tensor

from stamina_video.semantics import Edge, EventGraph, Phase, Role

# M slots, E template edges

LEFT = 0.5  # likelier than not

Waited = tuple[float, ...]  # of one slot: of every template edge how likely it was taken since the last one


def patient(
    log_probs_ME: Tensor,
    graph: EventGraph,
    phases: Sequence[Phase],
    waited: Sequence[Waited],
    present: Sequence[bool],
) -> tuple[tuple[Edge, ...], tuple[Waited, ...]]:
    """The edge each slot has taken by now, likelier than not, else hold. Absent slots wait as they did."""
    probabilities_ME = log_probs_ME.detach().double().exp().tolist()
    chosen, left = [], []
    for row_E, phase, before, here in zip(probabilities_ME, phases, waited, present, strict=True):
        gathered = _gathered(row_E, graph, phase, before) if here else before
        edge = _taken(gathered, graph) or Edge(phase, phase, Role.HOLD)
        chosen.append(edge)
        left.append(gathered if edge.role is Role.HOLD else ())
    return tuple(chosen), tuple(left)


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
