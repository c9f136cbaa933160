"""Scores that do not fit are refused; what cannot move, holds."""

import math
from typing import Any

import pytest
import torch

from stamina_video.semantics import InvalidInput, Role, graph_for
from stamina_video.transitions import (
    expected_counts,
    interval_log_likelihood,
    path_log_likelihood,
    posterior_edges,
)
from stamina_video.transitions.paths.labels import Ends
from stamina_video.transitions.paths.scores import IMPOSSIBLE, free_to_move, log2sumexp2, natural, prepared
from stamina_video.transitions.scorer import legal_log_softmax
from tests.transitions.path_cases import assert_same, log_probs

GRAPH = graph_for("E2-Episode")
SCORES = log_probs(GRAPH, 2, 6, 2)
ENDPOINTS, COUNTS = torch.tensor([[3, 6], [6, -1]]), torch.tensor([[0, 1], [1, 0]])


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        (SCORES[..., :4], r"6 edges\), got \(2, 6, 2, 4\)"),
        (SCORES[:, :, 0], r"6 edges\), got \(2, 6, 6\)"),
        (SCORES.long(), "as floats, got torch.int64"),
        (SCORES.repeat(1, 1, 3, 1), "expected 1 to 4 slots, got 6"),
        (
            SCORES - 0.01,
            "trajectory 0, endpoint 0, observation 0, slot 0: .* leaving READY to sum to one, got 0.99",
        ),
        (SCORES * math.nan, "trajectory 0, endpoint 0, observation 0, slot 0: .* got nan"),
    ],
)
def test_wrong_scores(scores: torch.Tensor, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        path_log_likelihood(scores, GRAPH, ENDPOINTS, COUNTS)


def test_the_wrong_site_is_named() -> None:
    wrong = SCORES.clone()
    wrong[1, 4, 1, 2:4] = 0.0
    with pytest.raises(
        InvalidInput, match=r"trajectory 1, endpoint 0, observation 4, slot 1: .* leaving ACTIVE .* got 2"
    ):
        path_log_likelihood(wrong, GRAPH, ENDPOINTS, COUNTS)


@pytest.mark.parametrize("present", [torch.ones(2, 6, dtype=torch.bool), torch.ones(2, 6, 2)])
def test_wrong_presence(present: torch.Tensor) -> None:
    with pytest.raises(InvalidInput, match=r"expected presence as booleans of shape \(2, 6, 2\), got"):
        path_log_likelihood(SCORES, GRAPH, ENDPOINTS, COUNTS, present)


def test_what_cannot_move_holds() -> None:
    present = torch.ones(2, 6, 2, dtype=torch.bool)
    present[0, 1, 0] = False
    moves = free_to_move(SCORES, torch.tensor([6, 2]), present)
    scores = prepared(SCORES, GRAPH, moves, Ends("endpoint", torch.tensor([[6], [2]])))
    holds = [edge.role is Role.HOLD for edge in GRAPH.edges]
    for site in (scores[0, 1, 0], scores[1, 2, 0], scores[1, 5, 1]):
        assert (site[:-1] == 0).tolist() == holds
        assert (site[-1:] == IMPOSSIBLE).all()
    assert_same(scores[0, 0, 0, :-1].exp2(), SCORES[0, 0, 0].exp())


def test_base_two_and_back() -> None:
    scores = torch.tensor([[3.0, 1.0, IMPOSSIBLE], [IMPOSSIBLE, 2 * IMPOSSIBLE, IMPOSSIBLE]]).double()
    got = natural(log2sumexp2(scores, 1))
    assert got.tolist() == [pytest.approx(math.log(10)), -math.inf]


@pytest.mark.parametrize(
    ("scores", "graph", "present", "said"),
    [
        (SCORES, "E2-Episode", None, "expected an event graph, as graph_for returns, got 'E2-Episode'"),
        (SCORES.tolist(), GRAPH, None, "expected log probabilities as a tensor, got list"),
        (None, GRAPH, None, "expected log probabilities as a tensor, got NoneType"),
        (SCORES.numpy(), GRAPH, None, "expected log probabilities as a tensor, got ndarray"),
        (SCORES, GRAPH, [[[True]]], "expected presence as a tensor, got list"),
    ],
)
def test_wrong_kinds(scores: Any, graph: Any, present: Any, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        path_log_likelihood(scores, graph, ENDPOINTS, COUNTS, present)
    with pytest.raises(InvalidInput, match=said):
        expected_counts(scores, graph, ENDPOINTS, present)


def test_the_label_that_a_wrong_site_concerns_is_named() -> None:
    wrong = SCORES.clone()
    wrong[0, 3] = 0.0
    where = "observation 3, slot 0"
    with pytest.raises(InvalidInput, match=f"trajectory 0, endpoint 1, {where}"):
        path_log_likelihood(wrong, GRAPH, ENDPOINTS, COUNTS)
    with pytest.raises(InvalidInput, match=f"trajectory 0, endpoint 1, {where}"):
        expected_counts(wrong, GRAPH, ENDPOINTS)
    with pytest.raises(InvalidInput, match=f"trajectory 0, interval 0, {where}"):
        interval_log_likelihood(wrong, GRAPH, [[2], [2]], [[5], [5]], [[0], [0]])
    with pytest.raises(InvalidInput, match=f"trajectory 0, {where}"):  # after the last label
        posterior_edges(wrong, GRAPH, [[3], [3]], [[0], [0]])


@pytest.mark.parametrize(("kind", "tolerance"), [(torch.float32, 1e-4), (torch.float64, 1e-5)])
def test_totals_that_would_add_up_over_a_trajectory_are_refused(kind: torch.dtype, tolerance: float) -> None:
    for excess in (2 * tolerance, -2 * tolerance):
        with pytest.raises(InvalidInput, match="to sum to one"):
            path_log_likelihood((SCORES + excess).to(kind), GRAPH, ENDPOINTS, COUNTS)


@pytest.mark.parametrize("spread", [1.0, 30.0, 1000.0])
def test_what_rounding_leaves_of_a_log_softmax_is_far_within(spread: float) -> None:
    scores = torch.randn(4, 500, 4, len(GRAPH.edges), generator=torch.Generator().manual_seed(0))
    totals = legal_log_softmax(scores * spread, GRAPH).exp().double().view(-1, 3, 2).sum(-1)
    assert (totals - 1).abs().max() < 1e-5
