"""The most probable path is the best of all that fit, and the first of equals."""

import math

import pytest
import torch
from hypothesis import given, settings
from torch import Tensor

from stamina_video.semantics import graph_for
from stamina_video.transitions import most_probable_path
from tests.transitions.path_cases import Case, assert_same, cases, log_probs
from tests.transitions.reference import fitting_paths

TIE = 1e-9


def taken(case: Case, row: int, edges_TM: Tensor) -> Tensor:
    """The log probability of a path, summed edge by edge."""
    log_probs_TM = case.log_probs_BTME[row].gather(2, edges_TM[..., None])[..., 0]
    return log_probs_TM.where(case.present_BTM[row], 0).sum()


@settings(max_examples=40, deadline=None)
@given(cases())
def test_it_is_the_first_of_the_best(case: Case) -> None:
    best = most_probable_path(*case.arguments)
    for row in range(len(best.log_prob_B)):
        arguments = case.log_probs_BTME[row], case.graph, case.present_BTM[row], case.labels(row)
        paths = fitting_paths(*arguments)
        if all(path.log_prob < -1e29 for path in paths):
            assert best.log_prob_B[row] == -math.inf
            assert (best.edges_BTM[row] == -1).all()
            continue
        top = max(path.log_prob.item() for path in paths)
        # Paths come in order of preference: the first within rounding of the best is the one.
        expected = next(path for path in paths if path.log_prob >= top - TIE)
        assert_same(best.log_prob_B[row], torch.tensor(top, dtype=torch.float64))
        assert_same(taken(case, row, best.edges_BTM[row]), best.log_prob_B[row])
        numbers = [[case.graph.edges.index(edge) for edge in joint] for joint in expected.edges]
        assert best.edges_BTM[row].tolist() == numbers


def test_without_evidence_it_holds_as_long_as_it_can() -> None:
    graph = graph_for("E2-Episode")
    even = log_probs(graph, 1, 6, 1, spread=0.0)
    best = most_probable_path(even, graph, torch.tensor([[5]]), torch.tensor([[1]]))
    roles = [graph.edges[edge].role.value for edge in best.edges_BTM[0, :, 0].tolist()]
    assert roles == ["hold", "hold", "hold", "start", "complete", "hold"]


def test_long_trajectories_with_many_endpoints() -> None:
    graph = graph_for("E2-Periodic")
    scores = log_probs(graph, 2, 300, 1)
    endpoints = torch.tensor([[50, 120, 300], [10, 299, -1]])
    counts = torch.tensor([[10, 20, 90], [5, 5, 0]])
    best = most_probable_path(scores, graph, endpoints, counts)
    increments = torch.tensor(graph.increments)[best.edges_BTM].sum(2).cumsum(1)
    assert increments[0, [49, 119, 299]].tolist() == [10, 20, 90]
    assert increments[1, [9, 298]].tolist() == [5, 5]
    taken = scores.gather(3, best.edges_BTM[..., None]).sum((1, 2, 3))
    assert_same(best.log_prob_B, taken)


@pytest.mark.parametrize(("ends", "counts"), [([[11, 12]], [[0, 1]]), ([[12]], [[1]])])
@pytest.mark.parametrize("forced", [-3e6, -3e9])
def test_a_forced_edge_however_unlikely_does_not_blur_the_rest(
    ends: list[list[int]], counts: list[list[int]], forced: float
) -> None:
    graph = graph_for("E2-Episode")
    half = math.log(0.5)
    # The event can only complete at the last observation, and hardly then.
    certain = torch.tensor([0.0, -20.0, 0.0, -math.inf, half, half], dtype=torch.float64)
    scores = certain.repeat(1, 12, 1, 1)
    scores[0, 11, 0, 3] = forced
    scores[0, 5, 0, 1] += 1e-3  # of all starts one is better, by very little
    best = most_probable_path(scores, graph, ends, counts)
    roles = [graph.edges[edge].role.value for edge in best.edges_BTM[0, :, 0].tolist()]
    assert roles == ["hold"] * 5 + ["start"] + ["hold"] * 5 + ["complete"]
    taken = scores.gather(3, best.edges_BTM[..., None]).sum((1, 2, 3))
    torch.testing.assert_close(best.log_prob_B, taken, rtol=1e-15, atol=0)
