"""Every refusal of a label says which one, what was expected and what came."""

from typing import Any

import numpy as np
import pytest
import torch

from stamina_video.semantics import InvalidInput, graph_for
from stamina_video.transitions import (
    expected_counts,
    expected_increments,
    interval_log_likelihood,
    most_probable_path,
    nll_per_endpoint,
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
        ([[1, 2]], [[0, 0]], r"endpoints of shape \(2, any\), got \(1, 2\): trajectory 1 has none"),
        ([[1], [2], [3]], [[0], [0], [0]], r"expected endpoints of shape \(2, any\), got \(3, 1\)$"),
        (
            [[1, 2], [1, 3]],
            [[0], [0]],
            r"counts of shape \(2, 2\), got \(2, 1\): trajectory 0 has none for label 1",
        ),
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


@pytest.mark.parametrize("kind", [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64])
def test_labels_of_any_whole_type_mean_the_same(kind: torch.dtype) -> None:
    endpoints, counts = torch.tensor([[3, 6], [2, 4]]), torch.tensor([[1, 2], [0, 1]])
    expected = path_log_likelihood(SCORES, GRAPH, endpoints, counts)
    assert expected.isfinite().all()
    assert torch.equal(path_log_likelihood(SCORES, GRAPH, endpoints.to(kind), counts.to(kind)), expected)
    means = expected_counts(SCORES, GRAPH, endpoints)
    assert torch.equal(expected_counts(SCORES, GRAPH, endpoints.to(kind)), means)
    bounds = endpoints[:, :1].to(kind), endpoints[:, 1:].to(kind), counts[:, :1].to(kind)
    wide = endpoints[:, :1], endpoints[:, 1:], counts[:, :1]
    got = interval_log_likelihood(SCORES, GRAPH, *bounds)
    assert torch.equal(got, interval_log_likelihood(SCORES, GRAPH, *wide))


@pytest.mark.parametrize("kind", [torch.int8, torch.uint8])
def test_a_trajectory_longer_than_a_narrow_type_counts(kind: torch.dtype) -> None:
    # 300 is beyond both types: comparing in them would wrap around.
    scores, endpoints = log_probs(GRAPH, 1, 300, 1), torch.tensor([[3, 100]])
    expected = path_log_likelihood(scores, GRAPH, endpoints, torch.tensor([[1, 40]]))
    got = path_log_likelihood(scores, GRAPH, endpoints.to(kind), torch.tensor([[1, 40]], dtype=kind))
    assert torch.equal(got, expected)


def test_lists_and_arrays_are_labels_too() -> None:
    endpoints, counts = [[3, 6], [2, 4]], [[1, 2], [0, 1]]
    expected = path_log_likelihood(SCORES, GRAPH, torch.tensor(endpoints), torch.tensor(counts))
    assert torch.equal(path_log_likelihood(SCORES, GRAPH, endpoints, counts), expected)
    assert torch.equal(path_log_likelihood(SCORES, GRAPH, np.array(endpoints), np.array(counts)), expected)
    assert nll_per_endpoint(SCORES, GRAPH, endpoints, counts).shape == (2,)
    assert most_probable_path(SCORES, GRAPH, endpoints, counts).log_prob_B.isfinite().all()
    assert path_log_likelihood(SCORES, GRAPH, [[], []], [[], []]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("endpoints", "said"),
    [
        ([[1, 2], [3]], r"trajectory 1: expected 2 endpoints as in trajectory 0 \(-1 pads\), got 1"),
        ([[1, 2], 3], r"trajectory 1: expected 2 endpoints as in trajectory 0 \(-1 pads\), got 0"),
        ("soon", "expected endpoints as whole numbers, got str"),
        (None, "expected endpoints as whole numbers, got NoneType"),
        ([["a"], ["b"]], "expected endpoints as whole numbers, got list"),
        (torch.ones(2, 1, dtype=torch.complex64), "expected endpoints as whole numbers, got torch.complex64"),
        (torch.ones(2, 1, dtype=torch.bool), "expected endpoints as whole numbers, got torch.bool"),
    ],
)
def test_what_is_no_label_at_all(endpoints: Any, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        path_log_likelihood(SCORES, GRAPH, endpoints, [[0], [0]])
