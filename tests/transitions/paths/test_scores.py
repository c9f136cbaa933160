"""Scores that do not fit are refused; what cannot move, holds."""

import math

import pytest
import torch

from stamina_video.semantics import InvalidInput, Role, graph_for
from stamina_video.transitions import path_log_likelihood
from stamina_video.transitions.paths.scores import IMPOSSIBLE, free_to_move, log2sumexp2, natural, prepared
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
        (SCORES - 0.01, "trajectory 0, observation 0, slot 0: .* leaving READY to sum to one, got 0.99"),
        (SCORES * math.nan, "trajectory 0, observation 0, slot 0: .* got nan"),
    ],
)
def test_wrong_scores(scores: torch.Tensor, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        path_log_likelihood(scores, GRAPH, ENDPOINTS, COUNTS)


def test_the_wrong_site_is_named() -> None:
    wrong = SCORES.clone()
    wrong[1, 4, 1, 2:4] = 0.0
    with pytest.raises(
        InvalidInput, match=r"trajectory 1, observation 4, slot 1: .* leaving ACTIVE .* got 2"
    ):
        path_log_likelihood(wrong, GRAPH, ENDPOINTS, COUNTS)


@pytest.mark.parametrize("present", [torch.ones(2, 6, dtype=torch.bool), torch.ones(2, 6, 2)])
def test_wrong_presence(present: torch.Tensor) -> None:
    with pytest.raises(InvalidInput, match=r"expected presence as booleans of shape \(2, 6, 2\), got"):
        path_log_likelihood(SCORES, GRAPH, ENDPOINTS, COUNTS, present)


def test_what_cannot_move_holds() -> None:
    present = torch.ones(2, 6, 2, dtype=torch.bool)
    present[0, 1, 0] = False
    scores = prepared(SCORES, GRAPH, free_to_move(SCORES, torch.tensor([6, 2]), present))
    holds = [edge.role is Role.HOLD for edge in GRAPH.edges]
    for site in (scores[0, 1, 0], scores[1, 2, 0], scores[1, 5, 1]):
        assert (site[:-1] == 0).tolist() == holds
        assert (site[-1:] == IMPOSSIBLE).all()
    assert_same(scores[0, 0, 0, :-1].exp2(), SCORES[0, 0, 0].exp())


def test_base_two_and_back() -> None:
    scores = torch.tensor([[3.0, 1.0, IMPOSSIBLE], [IMPOSSIBLE, 2 * IMPOSSIBLE, IMPOSSIBLE]]).double()
    got = natural(log2sumexp2(scores, 1))
    assert got.tolist() == [pytest.approx(math.log(10)), -math.inf]
