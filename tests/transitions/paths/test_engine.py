"""Both ways of sweeping segments give the same numbers, whatever their lengths."""

import pytest
import torch
from torch import Tensor

from stamina_video.semantics import graph_for
from stamina_video.transitions.paths import engine
from stamina_video.transitions.paths.scores import free_to_move, prepared
from stamina_video.transitions.paths.segments import Segments
from tests.transitions.path_cases import OPERATORS, assert_same, log_probs

ENDS = torch.tensor([[1, 5, 40, 60], [7, 8, 9, -1], [60, -1, -1, -1], [0, 20, 20, 59]])
COUNTS = torch.tensor([[0, 1, 9, 12], [1, 1, 2, 0], [15, 0, 0, 0], [0, 4, 4, 10]])


def swept(scores_BTME: Tensor, operator: str, segments: Segments) -> tuple[Tensor, Tensor, bool]:
    graph = graph_for(operator)
    done = engine.forward(scores_BTME, graph, segments)
    usage_BTME = engine.edge_usage(scores_BTME, graph, segments, done)
    return done.factors_BK, usage_BTME, done.transfers_BKPP is not None


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("slots", [1, 2])
@pytest.mark.parametrize("tail", [False, True])
def test_side_by_side_is_in_order(
    operator: str, slots: int, tail: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = graph_for(operator)
    segments = Segments.between_endpoints(ENDS, COUNTS, slots)
    segments = segments.with_tail(70) if tail else segments
    log_probs_BTME = log_probs(graph, 4, 70, slots)
    scores_BTME = prepared(log_probs_BTME, graph, free_to_move(log_probs_BTME, segments.last_B, None))
    results = []
    for most_entries in (0, 9):
        monkeypatch.setattr(engine, "MOST_ENTRIES", most_entries)
        results.append(swept(scores_BTME, operator, segments))
    (ordered, ordered_usage, was_beside), (beside, beside_usage, is_beside) = results
    assert (was_beside, is_beside) == (False, True)
    assert_same(beside, ordered)
    assert_same(beside_usage, ordered_usage)


def test_usage_sums_to_one_wherever_a_label_follows() -> None:
    graph = graph_for("E2-Episode")
    segments = Segments.between_endpoints(ENDS, COUNTS, 1)
    log_probs_BTME = log_probs(graph, 4, 70, 1)
    scores_BTME = prepared(log_probs_BTME, graph, free_to_move(log_probs_BTME, segments.last_B, None))
    _, usage_BTME, _ = swept(scores_BTME, "E2-Episode", segments)
    total_BT = usage_BTME.sum((2, 3))
    for row, last in enumerate([60, 9, 60, 59]):
        assert_same(total_BT[row], (torch.arange(70) < last).double())
