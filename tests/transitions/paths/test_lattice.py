"""The moves of one slot over (count, joint phase), against the joint graph itself."""

import pytest

from stamina_video.semantics import JointGraph, graph_for
from stamina_video.transitions.paths.lattice import Lattice, Move, entering, hold_first, leaving
from tests.transitions.path_cases import OPERATORS


def arrows(lattice: Lattice, slot: int, moves: tuple[Move, ...]) -> set[tuple[int, int, int]]:
    """(state, edge, other state) of every move that stays on the lattice."""
    _, size, inner = lattice.fold(slot)
    found = set()
    for move in moves:
        for state in range(lattice.states):
            edge = int(move.edge_A[state // inner % size])
            other = state if move.source_S is None else int(move.source_S[state])
            if other < lattice.states and edge < len(lattice.graph.edges):
                found.add((state, edge, other))
    return found


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("slot", [0, 1])
@pytest.mark.parametrize("blind", [False, True])
def test_moves_are_the_edges_of_one_slot(operator: str, slot: int, blind: bool) -> None:
    graph, counts = graph_for(operator), 3
    lattice = Lattice(graph, 2, counts, blind)
    phases = JointGraph(graph, 2).phases
    expected = set()
    for count in range(counts):
        for number, joint in enumerate(phases):
            for edge in graph.outgoing(joint[slot]):
                after = (*joint[:slot], edge.target, *joint[slot + 1 :])
                gained = count + (0 if blind else edge.increment)
                if gained < counts:
                    there = gained * len(phases) + phases.index(after)
                    expected.add((count * len(phases) + number, graph.edges.index(edge), there))
    assert arrows(lattice, slot, leaving(lattice, slot)) == expected
    backwards = {(there, edge, here) for here, edge, there in arrows(lattice, slot, entering(lattice, slot))}
    assert backwards == expected


def test_ties_prefer_hold_then_template_order() -> None:
    graph = graph_for("E2-Episode")
    assert hold_first(reversed(graph.outgoing(graph.phases[1])))[0].source == graph.phases[1]
    roles = [edge.role.value for edge in hold_first(graph.edges)]
    assert roles == ["hold", "hold", "hold", "start", "complete", "reset"]
