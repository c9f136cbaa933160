import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from stamina_video.semantics import Edge, EventGraph, Operator, Phase, Role, graph_for
from stamina_video.transitions.patience import LEFT, Waited, patient
from stamina_video.transitions.scorer import greedy, legal_log_softmax

NOTHING_YET: tuple[Waited, ...] = ((),)
EVENTS = [operator for operator in Operator if operator.is_event]


def leaving(graph: EventGraph, phase: Phase, chances: dict[Role, float]) -> Tensor:
    """(1, E): so likely to leave a phase by edges of these roles; elsewhere nobody leaves."""
    out = {edge.role for edge in graph.outgoing(phase)}
    row = []
    for edge in graph.edges:
        if edge.role is Role.HOLD:
            kept = 1 - sum(chance for role, chance in chances.items() if role in out)
            row.append(kept if edge.source == phase else 1.0)
        else:
            row.append(chances.get(edge.role, 0.0) if edge.source == phase else 0.0)
    return torch.tensor([row]).log()


def walk(rows: list[Tensor], graph: EventGraph) -> list[Edge]:
    phase, waited, taken = graph.initial, NOTHING_YET, list[Edge]()
    for row in rows:
        choice = patient(row, graph, (phase,), waited, (True,))
        (edge,), waited = choice.edges, choice.waited
        taken.append(edge)
        phase = edge.target
    return taken


def test_who_may_have_left_at_any_of_a_few_looks_has_left_when_that_is_likelier_than_not() -> None:
    graph = graph_for("E1-Action")
    rows = [leaving(graph, Phase.READY, {Role.COMPLETE: 0.25})] * 3
    assert not any(edge.increment for edge in (greedy(rows[0], graph, (Phase.READY,), (True,))))
    # 0.25, then 0.25 of what remains, then once more: 0.25, 0.44, 0.58.
    assert [edge.increment for edge in walk(rows, graph)] == [0, 0, 1]


def test_what_is_sure_at_once_is_taken_at_once() -> None:
    graph = graph_for("E2-Episode")
    rows = [
        leaving(graph, Phase.READY, {Role.START: 0.9}),
        leaving(graph, Phase.ACTIVE, {Role.COMPLETE: 0.8}),
    ]
    assert [edge.role for edge in walk(rows, graph)] == [Role.START, Role.COMPLETE]


def test_a_new_phase_begins_with_nothing_gathered() -> None:
    graph, phase = graph_for("E1-Action"), Phase.READY
    maybe = leaving(graph, phase, {Role.COMPLETE: 0.4})
    first = patient(maybe, graph, (phase,), NOTHING_YET, (True,))
    assert sum(first.waited[0]) == pytest.approx(0.4)
    second = patient(maybe, graph, (phase,), first.waited, (True,))
    assert second.edges[0].increment == 1
    assert sum(second.gathered[0]) == pytest.approx(0.64)  # what the evidence says
    assert second.waited == ((),)


def test_less_than_half_is_not_enough() -> None:
    graph = graph_for("E1-Action")
    nearly = leaving(graph, Phase.READY, {Role.COMPLETE: LEFT - 1e-6})
    choice = patient(nearly, graph, (Phase.READY,), NOTHING_YET, (True,))
    assert choice.edges[0].role is Role.HOLD
    assert sum(choice.waited[0]) == pytest.approx(LEFT, abs=1e-5)


def test_absent_slots_hold_and_wait_as_they_did() -> None:
    graph = graph_for("E1-Action")
    before: tuple[Waited, ...] = ((), (0.0,) * (len(graph.edges) - 1) + (0.25,))
    sure = leaving(graph, Phase.READY, {Role.COMPLETE: 1.0}).repeat(2, 1)
    choice = patient(sure, graph, (Phase.READY, Phase.READY), before, (False, False))
    assert {edge.role for edge in choice.edges} == {Role.HOLD}
    assert choice.waited == before


@given(
    st.sampled_from(EVENTS),
    st.lists(st.lists(st.floats(-8, 8), min_size=6, max_size=6), min_size=1, max_size=12),
)
def test_every_walk_is_legal_and_gathers_no_more_than_all(
    operator: Operator, scores: list[list[float]]
) -> None:
    graph = graph_for(operator)
    phase, waited = graph.initial, NOTHING_YET
    for row in scores:
        log_probs = legal_log_softmax(torch.tensor([row[: len(graph.edges)]]), graph)
        choice = patient(log_probs, graph, (phase,), waited, (True,))
        (edge,), waited = choice.edges, choice.waited
        assert edge in graph.edges
        assert edge.source == phase
        assert 0 <= sum(waited[0]) <= 1 + 1e-9
        assert math.isfinite(sum(waited[0]))
        if edge.role is not Role.HOLD:
            assert waited == ((),)
        phase = edge.target
