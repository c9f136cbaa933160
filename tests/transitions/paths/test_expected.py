"""Expected counts, slot by slot, are those of the joint distribution over all paths."""

import pytest
import torch
from hypothesis import given, settings
from torch import Tensor

from stamina_video.semantics import graph_for
from stamina_video.transitions import expected_counts, expected_increments, path_log_likelihood
from tests.transitions.path_cases import OPERATORS, Case, assert_same, cases, log_probs
from tests.transitions.reference import every_path


@settings(max_examples=40, deadline=None)
@given(cases())
def test_the_mean_is_that_of_every_path(case: Case) -> None:
    expected_BJ = expected_counts(case.log_probs_BTME, case.graph, case.endpoints_BJ, case.present_BTM)
    for row in range(len(expected_BJ)):
        paths = list(every_path(case.log_probs_BTME[row], case.graph, case.present_BTM[row]))
        weights = torch.stack([path.log_prob for path in paths]).exp()
        for column, (consumed, _) in enumerate(case.labels(row)):
            counts = torch.tensor([path.count(consumed) for path in paths], dtype=torch.float64)
            assert_same(expected_BJ[row, column], weights @ counts)
    assert (expected_BJ[case.endpoints_BJ < 0] == 0).all()


@pytest.mark.parametrize("operator", OPERATORS)
def test_the_mean_is_that_of_the_joint_count_distribution(operator: str) -> None:
    graph, slots, steps = graph_for(operator), 3, 7
    scores = log_probs(graph, 1, steps, slots)
    counts = torch.arange(slots * steps + 1)[:, None]
    replays = scores.expand(len(counts), -1, -1, -1)
    log_p = path_log_likelihood(replays, graph, torch.full_like(counts, steps), counts)
    assert_same(log_p.exp().sum(), torch.ones((), dtype=torch.float64))
    mean = expected_counts(scores, graph, torch.tensor([[steps]]))
    assert_same(mean[0, 0], (log_p.exp() * counts[:, 0]).sum())


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("slots", [1, 2, 4])
def test_the_gradient_passes_a_finite_difference_check(operator: str, slots: int) -> None:
    graph = graph_for(operator)
    leaf = log_probs(graph, 2, 6, slots).requires_grad_()
    present = torch.rand(2, 6, slots, generator=torch.Generator().manual_seed(slots)) < 0.7
    endpoints = torch.tensor([[3, 6], [5, -1]])

    def means(scores: Tensor) -> Tensor:
        return expected_counts(scores, graph, endpoints, present)

    assert torch.autograd.gradcheck(means, leaf)
    (slope,) = torch.autograd.grad(means(leaf).sum(), leaf)
    assert (slope[present] != 0).any()
    assert (slope[~present] == 0).all()


def test_an_interval_expects_the_difference_of_its_ends() -> None:
    graph = graph_for("E2-Periodic")
    scores = log_probs(graph, 1, 9, 1)
    starts, ends = torch.tensor([[0, 2, 1]]), torch.tensor([[4, 9, 3]])
    got = expected_increments(scores, graph, starts, ends)
    bounds = expected_counts(scores, graph, torch.tensor([[0, 1, 2, 3, 4, 9]]))[0]
    assert_same(got[0], torch.stack([bounds[4] - bounds[0], bounds[5] - bounds[2], bounds[3] - bounds[1]]))


def test_an_impossible_edge_leaves_a_finite_gradient() -> None:
    graph = graph_for("E1-Action")
    leaf = torch.tensor([0.0, -torch.inf, 0.0, -torch.inf]).expand(1, 5, 1, 4).clone().requires_grad_()
    (grad,) = torch.autograd.grad(expected_counts(leaf, graph, torch.tensor([[5]])).sum(), leaf)
    assert grad.isfinite().all()
