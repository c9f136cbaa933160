"""Every refusal of a label says which one, what was expected and what came."""

import pytest
import torch

from stamina_video.semantics import InvalidInput, graph_for
from stamina_video.transitions import (
    expected_counts,
    expected_increments,
    interval_log_likelihood,
    most_probable_path,
    path_log_likelihood,
    posterior_edges,
)
from tests.transitions.path_cases import log_probs

GRAPH = graph_for("E1-Action")
SCORES = log_probs(GRAPH, 2, 6, 1)


@pytest.mark.parametrize(
    ("endpoints", "counts", "said"),
    [
        ([[1, 2], [1, 7]], [[0, 0], [0, 1]], "trajectory 1, endpoint 1: expected 0 to 6 .* got 7"),
        ([[1, 2], [-2, 3]], [[0, 0], [0, 1]], "trajectory 1, endpoint 0: expected 0 to 6 .* got -2"),
        (
            [[4, 2], [1, 3]],
            [[0, 0], [0, 1]],
            "trajectory 0, endpoint 1: expected .* ascending order, got 4 then 2",
        ),
        (
            [[-1, 2], [1, 3]],
            [[0, 0], [0, 1]],
            r"trajectory 0, endpoint 1: expected padding \(-1\) only after",
        ),
        (
            [[1, 2], [1, 3]],
            [[0, 0], [2, 1]],
            "trajectory 1, endpoint 1: .* no lower than the one before, got 2 then 1",
        ),
        ([[1, 2], [1, 3]], [[-1, 0], [0, 1]], "trajectory 0, endpoint 0: expected a count from 0, got -1"),
        ([[1, 2]], [[0, 0]], r"expected endpoints of shape \(2, any\), got \(1, 2\)"),
        ([[1, 2], [1, 3]], [[0], [0]], r"expected counts of shape \(2, 2\), got \(2, 1\)"),
        (
            [[1.0, 2.0], [1.0, 3.0]],
            [[0, 0], [0, 0]],
            "expected endpoints as whole numbers, got torch.float32",
        ),
    ],
)
def test_wrong_endpoints(endpoints: list[list[int]], counts: list[list[int]], said: str) -> None:
    for function in (path_log_likelihood, most_probable_path, posterior_edges):
        with pytest.raises(InvalidInput, match=said):
            function(SCORES, GRAPH, torch.tensor(endpoints), torch.tensor(counts))


@pytest.mark.parametrize(
    ("starts", "ends", "gains", "said"),
    [
        ([0, 3], [4, 6], [0, 1], "trajectory 0, interval 1: expected a start no earlier .* got 3 to 6"),
        ([4, 5], [3, 6], [0, 1], "trajectory 0, interval 0: expected an end no earlier .* got 4 to 3"),
        ([0, -1], [3, 6], [0, 1], "trajectory 0, interval 1: expected both ends, .* got -1 to 6"),
        ([0, 3], [3, 7], [0, 1], "trajectory 0, interval 1: expected 0 to 6 .* got 7"),
        ([0, 3], [3, 6], [0, -1], "trajectory 0, interval 1: expected an increment from 0, got -1"),
    ],
)
def test_wrong_intervals(starts: list[int], ends: list[int], gains: list[int], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        interval_log_likelihood(
            SCORES[:1], GRAPH, torch.tensor([starts]), torch.tensor([ends]), torch.tensor([gains])
        )


def test_expected_counts_refuse_times_alike() -> None:
    with pytest.raises(InvalidInput, match=r"trajectory 0, endpoint 1: expected 0 to 6 .* got 9"):
        expected_counts(SCORES, GRAPH, torch.tensor([[1, 9], [1, 2]]))
    with pytest.raises(
        InvalidInput, match=r"trajectory 1, interval 0: expected an end no earlier .* got 5 to 2"
    ):
        expected_increments(SCORES, GRAPH, torch.tensor([[1], [5]]), torch.tensor([[1], [2]]))


def test_equal_endpoints_and_padding_counts_are_fine() -> None:
    endpoints, counts = torch.tensor([[3, 3, -1], [0, 6, 6]]), torch.tensor([[1, 1, -7], [0, 2, 2]])
    assert path_log_likelihood(SCORES, GRAPH, endpoints, counts).isfinite().all()
