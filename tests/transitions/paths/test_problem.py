"""What is asked of the lattice, after every check and before any sweep."""

import pytest
import torch

from stamina_video.semantics import InvalidInput, graph_for
from stamina_video.transitions.paths.problem import Problem
from tests.transitions.path_cases import log_probs

GRAPH = graph_for("E2-Episode")
SCORES = log_probs(GRAPH, 2, 6, 1)
ENDS, COUNTS = [[3, 5], [4, -1]], [[1, 2], [1, 0]]


def test_slots_move_up_to_the_last_label_or_with_a_tail_to_the_end() -> None:
    short = Problem.of_endpoints(SCORES, GRAPH, ENDS, COUNTS, None)
    assert short.moves_BTM.sum((1, 2)).tolist() == [5, 4]
    whole = Problem.of_endpoints(SCORES, GRAPH, ENDS, COUNTS, None, tail=True)
    assert whole.moves_BTM.all()
    assert whole.possible_BK.shape == (2, 3)


def test_intervals_alternate_with_what_is_free() -> None:
    problem = Problem.of_intervals(SCORES, GRAPH, [[1], [2]], [[3], [6]], [[1], [9]], None)
    assert problem.segments.counted == (False, True)
    assert problem.possible_B.tolist() == [True, False]
    assert problem.ends.number_B.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        (torch.bfloat16, torch.float32),
        (torch.float32, torch.float32),
        (torch.float64, torch.float64),
    ],
)
def test_scores_are_double_and_off_the_tape(given: torch.dtype, answer: torch.dtype) -> None:
    leaf = SCORES.to(given).requires_grad_()
    problem = Problem.of_endpoints(leaf, GRAPH, ENDS, COUNTS, None)
    assert problem.scores_BTME.dtype == torch.float64
    assert not problem.scores_BTME.requires_grad
    assert problem.answer == answer


def test_shapes_are_checked_before_labels() -> None:
    with pytest.raises(InvalidInput, match="expected log probabilities of shape"):
        Problem.of_endpoints(SCORES[0], GRAPH, [["a"]], COUNTS, None)  # type: ignore[list-item]
