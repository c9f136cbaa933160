"""The fast path sum against a plain loop and every path in turn: values, gradients, precision."""

import math

import pytest
import torch
from hypothesis import given, settings
from torch import Tensor

from stamina_video.semantics import EventGraph, InvalidInput, Role, graph_for
from stamina_video.transitions import expected_counts, most_probable_path, path_log_likelihood
from stamina_video.transitions.paths import (
    endpoint_nll,
    interval_log_likelihood,
    nll_per_endpoint,
    posterior_edges,
)
from tests.transitions.path_cases import LOOP_STEPS, OPERATORS, Case, assert_same, cases, log_probs
from tests.transitions.reference import (
    fitting_paths,
    loop_interval_log_likelihood,
    loop_log_factors,
    total,
)

EPISODE = graph_for("E2-Episode")


def loop_log_p(case: Case, row: int, log_probs_TME: Tensor) -> Tensor:
    factors = loop_log_factors(log_probs_TME, case.graph, case.present_BTM[row], case.labels(row))
    return torch.stack([*factors, torch.zeros((), dtype=torch.float64)]).sum()


def slope(log_p_B: Tensor, leaf: Tensor) -> Tensor:
    return torch.autograd.grad(log_p_B.sum(), leaf)[0]


def slope_or_zero(log_p: Tensor, leaf: Tensor) -> Tensor:
    """The loop has no gradient where nothing is reachable or nothing is labelled."""
    return slope(log_p, leaf) if log_p.requires_grad and log_p > -math.inf else torch.zeros_like(leaf)


@settings(max_examples=40, deadline=None)
@given(cases(most_steps=LOOP_STEPS))
def test_values_and_gradients_are_those_of_the_plain_loop(case: Case) -> None:
    leaf_BTME = case.log_probs_BTME.requires_grad_()
    log_p_B = path_log_likelihood(*case.arguments)
    got_BTME = slope(log_p_B, leaf_BTME)
    for row in range(len(log_p_B)):
        leaf_TME = leaf_BTME[row].detach().clone().requires_grad_()
        expected = loop_log_p(case, row, leaf_TME)
        assert_same(log_p_B[row], expected)
        assert_same(got_BTME[row], slope_or_zero(expected, leaf_TME))


@pytest.mark.parametrize(
    ("slots", "ends", "counts"),
    [(1, [10, 25, 30], [3, 5, 7]), (2, [5, 12], [2, 5]), (3, [3, 7], [2, 5]), (4, [3, 6], [3, 5])],
)
@pytest.mark.parametrize("operator", OPERATORS)
def test_longer_trajectories_with_absences(
    operator: str, slots: int, ends: list[int], counts: list[int]
) -> None:
    graph = graph_for(operator)
    leaf = log_probs(graph, 1, ends[-1], slots, seed=slots).requires_grad_()
    present = torch.rand(1, ends[-1], slots, generator=torch.Generator().manual_seed(2)) < 0.9
    case = Case(graph, leaf, present, torch.tensor([ends]), torch.tensor([counts]))
    log_p_B = path_log_likelihood(*case.arguments)
    expected = loop_log_p(case, 0, leaf[0])
    assert expected > -math.inf
    assert_same(log_p_B[0], expected)
    assert_same(slope(log_p_B, leaf), slope(expected, leaf))


@settings(max_examples=40, deadline=None)
@given(cases())
def test_the_sum_is_over_every_legal_path(case: Case) -> None:
    log_p_B = path_log_likelihood(*case.arguments)
    usage_BTME = posterior_edges(*case.arguments)
    for row in range(len(log_p_B)):
        paths = fitting_paths(case.log_probs_BTME[row], case.graph, case.present_BTM[row], case.labels(row))
        expected = total([path.log_prob for path in paths])
        assert_same(log_p_B[row], expected)
        counted_TME = torch.zeros_like(case.log_probs_BTME[row])
        for path in paths:
            for step, joint in enumerate(path.edges):
                for slot, edge in enumerate(joint):
                    weight = (path.log_prob - expected).exp() if expected > -math.inf else 0
                    counted_TME[step, slot, case.graph.edges.index(edge)] += weight
        assert_same(usage_BTME[row], counted_TME)


@settings(max_examples=30, deadline=None)
@given(cases(most_slots=2))
def test_each_endpoint_has_its_own_share_of_the_joint_nll(case: Case) -> None:
    nll_BJ = endpoint_nll(*case.arguments)
    for row in range(len(nll_BJ)):
        factors = loop_log_factors(
            case.log_probs_BTME[row], case.graph, case.present_BTM[row], case.labels(row)
        )
        for column, factor in enumerate(factors):
            if factor == -math.inf:
                assert nll_BJ[row, column] == math.inf
                break  # given the impossible, nothing later is defined
            assert_same(nll_BJ[row, column], -factor)
    per_endpoint_B = nll_per_endpoint(*case.arguments)
    joint_B = -path_log_likelihood(*case.arguments)
    number_B = (case.endpoints_BJ >= 0).sum(1).clamp(min=1)
    assert_same(per_endpoint_B * number_B, joint_B)


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("slots", [1, 2, 3, 4])
def test_the_gradient_passes_a_finite_difference_check(operator: str, slots: int) -> None:
    graph = graph_for(operator)
    leaf = log_probs(graph, 2, 3, slots, seed=slots).requires_grad_()
    endpoints, counts = torch.tensor([[2, 3], [3, -1]]), torch.tensor([[0, 1], [1, 0]])
    present = torch.ones(2, 3, slots, dtype=torch.bool)
    present[0, 1, 0] = False
    torch.autograd.gradcheck(
        lambda scores: path_log_likelihood(scores, graph, endpoints, counts, present), leaf
    )


def test_a_second_derivative_is_refused_rather_than_wrong() -> None:
    leaf = log_probs(EPISODE, 1, 4, 1).requires_grad_()
    log_p_B = path_log_likelihood(leaf, EPISODE, torch.tensor([[4]]), torch.tensor([[1]]))
    with pytest.raises(RuntimeError, match="first derivatives only"):
        torch.autograd.grad(log_p_B.sum(), leaf, create_graph=True)


def labelled(steps: int, number: int, most: int, seed: int = 0) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    endpoints_BJ = (torch.arange(1, number + 1) * steps // number).expand(2, number)
    return endpoints_BJ, torch.randint(0, most + 1, (2, number), generator=generator).cumsum(1)


@pytest.mark.parametrize(
    ("number", "most", "slots"), [(30, 5, 1), (5, 39, 1), (1, 39, 1), (30, 2, 2), (30, 2, 4)]
)
@pytest.mark.parametrize("spread", [1.0, 12.0])
def test_single_precision_agrees_over_1800_steps(number: int, most: int, slots: int, spread: float) -> None:
    endpoints_BJ, counts_BJ = labelled(1800, number, most)
    double = log_probs(EPISODE, 2, 1800, slots, spread=spread).requires_grad_()
    single = double.detach().float().requires_grad_()
    exact = path_log_likelihood(double, EPISODE, endpoints_BJ, counts_BJ)
    rounded = path_log_likelihood(single, EPISODE, endpoints_BJ, counts_BJ)
    assert rounded.dtype == torch.float32
    assert exact.isfinite().all()
    torch.testing.assert_close(rounded.double(), exact, rtol=1e-4, atol=0)
    got, wanted = slope(rounded, single), slope(exact, double)
    torch.testing.assert_close(got.double(), wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("slots", [1, 2])
def test_labels_far_from_what_the_model_believes_keep_value_and_gradient(slots: int) -> None:
    # Forty completions at e^-60 each lie far below the smallest double.
    leaf = log_probs(EPISODE, 1, 400, slots).detach()
    for index, edge in enumerate(EPISODE.edges):
        leaf[..., index] = math.log1p(-math.exp(-60)) if edge.role is Role.HOLD else -60.0
    leaf.requires_grad_()
    log_p_B = path_log_likelihood(leaf, EPISODE, torch.tensor([[400]]), torch.tensor([[40]]))
    assert -119 * 60 < log_p_B.item() < -119 * 60 + 1000
    complete = [edge.role is Role.COMPLETE for edge in EPISODE.edges]
    assert slope(log_p_B, leaf)[..., complete].sum().item() == pytest.approx(40)


@pytest.mark.parametrize("slots", [1, 2])
def test_an_unreachable_trajectory_is_minus_infinity_and_leaves_no_gradient(slots: int) -> None:
    leaf = log_probs(EPISODE, 3, 6, slots).requires_grad_()
    endpoints_BJ = torch.tensor([[3, 6], [1, 6], [6, -1]])
    counts_BJ = torch.tensor([[1, 2], [slots, slots], [10**9, 0]])
    log_p_B = path_log_likelihood(leaf, EPISODE, endpoints_BJ, counts_BJ)
    assert log_p_B.isfinite().tolist() == [True, False, False]
    got = slope((-log_p_B).exp().log(), leaf)  # what comes in is NaN where nothing is reachable
    assert got.isfinite().all()
    assert (got[0] != 0).any()
    assert (got[1:] == 0).all()
    assert (posterior_edges(leaf, EPISODE, endpoints_BJ, counts_BJ)[1:] == 0).all()


def test_zero_probability_edges_get_no_gradient_and_no_nan() -> None:
    certain = torch.tensor([1.0 if edge.role is not Role.HOLD else 0.0 for edge in EPISODE.edges])
    leaf = certain.log().expand(1, 6, 1, -1).clone().requires_grad_()
    log_p_B = path_log_likelihood(leaf, EPISODE, torch.tensor([[5, 6]]), torch.tensor([[2, 2]]))
    assert log_p_B.tolist() == [0.0]
    assert set(slope(log_p_B, leaf).flatten().tolist()) == {0.0, 1.0}


def test_absent_slots_hold_and_their_scores_may_be_anything() -> None:
    scores = log_probs(EPISODE, 1, 6, 2)
    present = torch.ones(1, 6, 2, dtype=torch.bool)
    present[:, :, 1] = False
    garbage = scores.clone()
    garbage[:, :, 1] = math.nan
    garbage.requires_grad_()
    endpoints_BJ, counts_BJ = torch.tensor([[3, 6]]), torch.tensor([[1, 1]])
    log_p_B = path_log_likelihood(garbage, EPISODE, endpoints_BJ, counts_BJ, present)
    alone_B = path_log_likelihood(scores[:, :, :1], EPISODE, endpoints_BJ, counts_BJ)
    assert_same(log_p_B, alone_B)
    assert (slope(log_p_B, garbage)[:, :, 1] == 0).all()


def test_observations_after_the_last_endpoint_do_not_matter() -> None:
    scores = log_probs(EPISODE, 1, 9, 1)
    scores[:, 6:] = math.nan
    leaf = scores.requires_grad_()
    log_p_B = path_log_likelihood(leaf, EPISODE, torch.tensor([[6]]), torch.tensor([[1]]))
    got = slope(log_p_B, leaf)
    assert got.isfinite().all()
    assert (got[:, 6:] == 0).all()


def test_no_endpoints_have_probability_one_and_the_origin_has_count_zero() -> None:
    scores = log_probs(EPISODE, 1, 4, 1)
    none = torch.zeros(1, 0, dtype=torch.long)
    assert path_log_likelihood(scores, EPISODE, none, none).tolist() == [0.0]
    for count, expected in ((0, 0.0), (1, -math.inf)):
        log_p_B = path_log_likelihood(scores, EPISODE, torch.tensor([[0]]), torch.tensor([[count]]))
        assert log_p_B.tolist() == [expected]


@pytest.mark.parametrize(("batch", "steps"), [(0, 5), (2, 0)])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_nothing_to_sum_is_no_error(batch: int, steps: int, number: int) -> None:
    scores = log_probs(EPISODE, batch, steps, 1).requires_grad_()
    labels = torch.zeros(batch, number, dtype=torch.long)
    log_p_B = path_log_likelihood(scores, EPISODE, labels, labels)
    assert log_p_B.tolist() == [0.0] * batch
    assert slope(log_p_B, scores).shape == scores.shape
    assert posterior_edges(scores, EPISODE, labels, labels).shape == scores.shape
    assert expected_counts(scores, EPISODE, labels).tolist() == [[0.0] * number] * batch
    assert most_probable_path(scores, EPISODE, labels, labels).edges_BTM.shape == scores.shape[:3]


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize(("slots", "steps", "gain"), [(1, 9, 2), (2, 7, 2), (3, 5, 2), (4, 4, 3)])
def test_intervals_are_those_of_the_plain_loop(operator: str, slots: int, steps: int, gain: int) -> None:
    graph = graph_for(operator)
    leaf = log_probs(graph, 3, steps, slots, seed=slots).requires_grad_()
    present = torch.rand(3, steps, slots, generator=torch.Generator().manual_seed(1)) < 0.8
    starts = torch.tensor([[1, steps - 1], [0, 2], [2, -1]])
    ends = torch.tensor([[steps - 1, steps], [2, steps], [steps, -1]])
    gains = torch.tensor([[1, 0], [0, 1], [gain, 0]])
    log_p_B = interval_log_likelihood(leaf, graph, starts, ends, gains, present)
    assert log_p_B.isfinite().sum() >= 2
    for row, intervals in enumerate(zip(starts.tolist(), ends.tolist(), gains.tolist(), strict=True)):
        real = [interval for interval in zip(*intervals, strict=True) if interval[0] >= 0]
        leaf_TME = leaf[row].detach().clone().requires_grad_()
        expected = loop_interval_log_likelihood(leaf_TME, graph, present[row], real)
        assert_same(log_p_B[row], expected)
        if expected > -math.inf:
            got = torch.autograd.grad(log_p_B[row], leaf, retain_graph=True)[0][row]
            assert_same(got, slope_or_zero(expected, leaf_TME))


def test_an_interval_from_the_origin_is_an_endpoint() -> None:
    scores = log_probs(EPISODE, 2, 12, 1)
    ends, gains = torch.tensor([[8], [12]]), torch.tensor([[1], [2]])
    as_interval = interval_log_likelihood(scores, EPISODE, torch.zeros_like(ends), ends, gains)
    assert_same(as_interval, path_log_likelihood(scores, EPISODE, ends, gains))


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16])
def test_half_precision_scores_are_read_and_answered_in_single(kind: torch.dtype) -> None:
    # Half a thousand endpoints: rounding each share to half precision would show in the sum.
    endpoints_BJ = torch.arange(1, 601)[None]
    counts_BJ = endpoints_BJ // 6
    scores = log_probs(EPISODE, 1, 600, 1).to(kind)
    arguments = EPISODE, endpoints_BJ, counts_BJ
    for function in (path_log_likelihood, endpoint_nll, nll_per_endpoint, posterior_edges):
        assert function(scores, *arguments).dtype == torch.float32
    best = most_probable_path(scores, *arguments)
    assert best.log_prob_B.dtype == torch.float32
    joint_B = -path_log_likelihood(scores, *arguments)
    assert joint_B.isfinite().all()
    torch.testing.assert_close(endpoint_nll(scores, *arguments).sum(1), joint_B, rtol=1e-5, atol=0)
    torch.testing.assert_close(nll_per_endpoint(scores, *arguments) * 600, joint_B, rtol=1e-6, atol=0)
    used = posterior_edges(scores, *arguments).sum(-1)
    torch.testing.assert_close(used, torch.ones_like(used), rtol=1e-6, atol=0)


def graph_with_a_shortcut() -> EventGraph:
    """A phase with two ways on besides hold, and one with two ways in."""
    edges = (*EPISODE.edges, type(EPISODE.edges[0])(EPISODE.phases[1], EPISODE.phases[0], Role.RESET))
    return EventGraph(EPISODE.phases, edges)


@pytest.mark.parametrize("slots", [1, 2])
def test_any_graph_will_do_not_only_cycles(slots: int) -> None:
    graph = graph_with_a_shortcut()
    leaf = log_probs(graph, 1, 5, slots).requires_grad_()
    present = torch.ones(1, 5, slots, dtype=torch.bool)
    case = Case(graph, leaf, present, torch.tensor([[2, 5]]), torch.tensor([[0, 1]]))
    log_p_B = path_log_likelihood(*case.arguments)
    expected = loop_log_p(case, 0, leaf[0])
    assert_same(log_p_B[0], expected)
    assert_same(slope(log_p_B, leaf), slope(expected, leaf))


def test_refusals_name_the_trajectory_and_the_endpoint() -> None:
    scores, good = log_probs(EPISODE, 2, 4, 1), torch.tensor([[2, 4], [2, 4]])
    late = torch.tensor([[2, 4], [2, 5]])
    with pytest.raises(
        InvalidInput, match=r"trajectory 1, endpoint 1: expected 0 to 4 observations .* got 5"
    ):
        path_log_likelihood(scores, EPISODE, late, good)
