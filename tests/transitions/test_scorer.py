import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.functional import gelu

from stamina_video.semantics import Edge, EventGraph, Operator, Phase, Role, graph_for
from stamina_video.transitions.config import EVENT_OPERATORS, ROLES, HeadsConfig
from stamina_video.transitions.scorer import PHASES, EdgeScorer, greedy, legal_log_softmax

WIDTH, TARGET, QUERIES = 3, 5, 4


def scorer(phase_input: bool = True, pulses: int = 0, gathered: int = 0) -> EdgeScorer:
    torch.manual_seed(0)
    config = HeadsConfig(
        width=WIDTH,
        target_width=TARGET,
        hidden=7,
        queries=QUERIES,
        phase_input=phase_input,
        pulses=pulses,
        gathered=gathered,
    )
    return EdgeScorer(config).double().requires_grad_(False)


def inputs(*leading: int) -> tuple[Tensor, Tensor]:
    torch.manual_seed(1)
    return torch.randn(*leading, 2 * WIDTH).double(), torch.randn(TARGET).double()


def score_one_by_one(module: EdgeScorer, h: Tensor, target: Tensor, operator: Operator) -> list[float]:
    context, graph = module.context, graph_for(operator)
    e_o = context.operators.weight[EVENT_OPERATORS.index(operator)]
    z = (
        context.from_input.weight @ h
        + context.from_target.weight @ target
        + context.from_operator.weight @ e_o
    )
    scores = []
    for edge in graph.edges:
        phases = [module.phases.weight[PHASES.index(phase)] for phase in (edge.source, edge.target)]
        if not module.phase_input:
            phases = [torch.zeros_like(phase) for phase in phases]
        inner = z + module.from_source.weight @ phases[0] + module.from_target_phase.weight @ phases[1]
        inner = inner + module.from_role.weight @ module.roles.weight[ROLES.index(edge.role)]
        scores.append(float(module.score.weight[0] @ gelu(inner + module.from_role.bias)))
    totals = {
        phase: math.log(
            sum(math.exp(s) for s, e in zip(scores, graph.edges, strict=True) if e.source == phase)
        )
        for phase in graph.phases
    }
    return [score - totals[edge.source] for score, edge in zip(scores, graph.edges, strict=True)]


@pytest.mark.parametrize("operator", EVENT_OPERATORS)
@pytest.mark.parametrize("phase_input", [True, False])
def test_log_probabilities_equal_the_formula_edge_by_edge(operator: Operator, phase_input: bool) -> None:
    module = scorer(phase_input)
    h, target = inputs(2, 3, 4)
    found = module(h, target, operator)
    assert found.shape == (2, 3, 4, len(graph_for(operator).edges))
    for place in itertools.product(range(2), range(3), range(4)):
        expected = torch.tensor(score_one_by_one(module, h[place], target, operator)).double()
        torch.testing.assert_close(found[place], expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("operator", EVENT_OPERATORS)
def test_what_is_felt_and_gathered_are_two_more_parts_of_the_formula(operator: Operator) -> None:
    """As if a plain scorer had both in its context."""
    plain, feeling = scorer(), scorer(pulses=2, gathered=3)
    h, target = inputs()
    pulses, gathered = torch.randn(2).double(), torch.rand(QUERIES * (1 + 3)).double()
    context = feeling.context
    assert context.from_pulses_HP is not None
    assert context.deeds is not None
    context.from_pulses_HP.normal_()
    context.deeds.told.weight.normal_()
    found = feeling(torch.cat([h[:WIDTH], pulses, gathered, h[WIDTH:]]), target, operator)
    # Other numbers were drawn for it once its deeds were made.
    plain.load_state_dict(feeling.state_dict(), strict=False)
    assert not torch.allclose(found, plain(h, target, operator))
    plain.from_role.bias.add_(context.from_pulses_HP @ pulses)
    assert not torch.allclose(found, plain(h, target, operator))
    plain.from_role.bias.add_(context.deeds(gathered))
    torch.testing.assert_close(found, plain(h, target, operator))


@pytest.mark.parametrize("operator", EVENT_OPERATORS)
@pytest.mark.parametrize("phase_input", [True, False])
def test_the_edges_that_leave_a_phase_sum_to_one(operator: Operator, phase_input: bool) -> None:
    graph = graph_for(operator)
    found = scorer(phase_input)(*inputs(5, 4), operator).exp()
    for phase in graph.phases:
        leaving = [index for index, edge in enumerate(graph.edges) if edge.source == phase]
        torch.testing.assert_close(found[..., leaving].sum(-1), torch.ones(5, 4).double())


def test_one_online_step_scores_as_the_batch_does() -> None:
    module = scorer()
    h, target = inputs(6, 4)
    together = module(h, target, Operator.E2_EPISODE)
    alone = torch.stack([module(step, target, Operator.E2_EPISODE) for step in h])
    torch.testing.assert_close(together, alone, rtol=1e-12, atol=1e-12)


def test_targets_broadcast_over_a_batch() -> None:
    module = scorer()
    h, _ = inputs(2, 6, 4)
    targets = torch.randn(2, TARGET).double()
    found = module(h, targets[:, None, None], Operator.E1_ACTION)
    for row in range(2):
        torch.testing.assert_close(found[row], module(h[row], targets[row], Operator.E1_ACTION))


def test_without_phases_only_roles_tell_legal_edges_apart() -> None:
    graph = graph_for("E2-Episode")
    on, off = scorer(True), scorer(False)
    h, target = inputs(1, 1)
    odds = [_log_odds(module(h, target, Operator.E2_EPISODE)[0, 0], graph) for module in (off, on)]
    roles = _raw_by_role(off, h[0, 0], target)
    assert math.isclose(odds[0][Phase.READY], roles[Role.START] - roles[Role.HOLD], rel_tol=1e-9)
    assert math.isclose(odds[0][Phase.ACTIVE], roles[Role.COMPLETE] - roles[Role.HOLD], rel_tol=1e-9)
    assert not math.isclose(odds[1][Phase.READY], odds[0][Phase.READY], rel_tol=1e-3)


def _log_odds(log_probs: Tensor, graph: EventGraph) -> dict[Phase, float]:
    """Log odds of leaving against holding, for every phase."""
    odds = dict.fromkeys(graph.phases, 0.0)
    for log_prob, edge in zip(log_probs.tolist(), graph.edges, strict=True):
        odds[edge.source] += -log_prob if edge.role is Role.HOLD else log_prob
    return odds


def _raw_by_role(module: EdgeScorer, h: Tensor, target: Tensor) -> dict[Role, float]:
    z = module.context(h, target, Operator.E2_EPISODE)
    return {
        role: float(module.score(gelu(z + module.from_role(module.roles.weight[index]))))
        for index, role in enumerate(ROLES)
    }


def test_gradients_reach_every_parameter_and_the_inputs() -> None:
    module = scorer().requires_grad_(True)
    h, target = inputs(3, 2)
    h.requires_grad_()
    module(h, target, Operator.E2_EPISODE)[..., 1::2].sum().backward()
    assert h.grad is not None
    for name, parameter in module.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name


def test_phase_off_trains_no_phase_embedding() -> None:
    module = scorer(phase_input=False).requires_grad_(True)
    module(*inputs(3, 2), Operator.E2_EPISODE)[..., 1::2].sum().backward()
    silent = {name for name, parameter in module.named_parameters() if parameter.grad is None}
    assert silent == {"phases.weight", "from_source.weight", "from_target_phase.weight"}


def test_the_softmax_keeps_the_template_order_whatever_the_order_of_edges() -> None:
    edges = (
        Edge(Phase.AWAY, Phase.AWAY, Role.HOLD),
        Edge(Phase.READY, Phase.READY, Role.HOLD),
        Edge(Phase.AWAY, Phase.READY, Role.COMPLETE),
        Edge(Phase.READY, Phase.AWAY, Role.START),
    )
    found = legal_log_softmax(
        torch.tensor([1.0, 2.0, 3.0, 4.0]), EventGraph((Phase.READY, Phase.AWAY), edges)
    )
    away = torch.tensor([1.0, 3.0]).log_softmax(0)
    ready = torch.tensor([2.0, 4.0]).log_softmax(0)
    torch.testing.assert_close(found, torch.stack([away[0], ready[0], away[1], ready[1]]))


scores = st.lists(st.sampled_from([-2.0, -1.0]), min_size=6, max_size=6)


@settings(deadline=None)
@given(st.lists(scores, min_size=4, max_size=4), st.data())
def test_greedy_takes_the_best_legal_edge_hold_first(rows: list[list[float]], data: st.DataObject) -> None:
    graph = graph_for("E2-Episode")
    phases = data.draw(st.lists(st.sampled_from(graph.phases), min_size=4, max_size=4))
    present = data.draw(st.lists(st.booleans(), min_size=4, max_size=4))
    chosen = greedy(torch.tensor(rows), graph, phases, present)
    for row, phase, here, edge in zip(rows, phases, present, chosen, strict=True):
        legal = [(score, e) for score, e in zip(row, graph.edges, strict=True) if e.source == phase]
        best = [e for score, e in legal if score == max(score for score, _ in legal)]
        holds = [e for e in best if e.role is Role.HOLD]
        assert edge == ((holds or best)[0] if here else Edge(phase, phase, Role.HOLD))


def test_ties_between_changes_go_to_the_first_in_the_template() -> None:
    edges = (
        Edge(Phase.READY, Phase.AWAY, Role.START),
        Edge(Phase.READY, Phase.ACTIVE, Role.START),
        *(Edge(phase, phase, Role.HOLD) for phase in (Phase.READY, Phase.AWAY, Phase.ACTIVE)),
    )
    graph = EventGraph((Phase.READY, Phase.AWAY, Phase.ACTIVE), edges)
    log_probs = torch.tensor([[-1.0, -1.0, -2.0, 0.0, 0.0], [-1.0, -1.0, -1.0, 0.0, 0.0]])
    assert greedy(log_probs, graph, [Phase.READY] * 2, [True] * 2) == (edges[0], edges[2])
