"""Both ways of sweeping segments give the same numbers, whatever their lengths."""

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from stamina_video.semantics import graph_for
from stamina_video.transitions.paths import engine
from stamina_video.transitions.paths.part import Part
from stamina_video.transitions.paths.problem import Problem
from tests.transitions.path_cases import OPERATORS, assert_same, log_probs

ENDS = torch.tensor([[1, 5, 40, 60], [7, 8, 9, -1], [60, -1, -1, -1], [0, 20, 20, 59]])
COUNTS = torch.tensor([[0, 1, 9, 12], [1, 1, 2, 0], [15, 0, 0, 0], [0, 4, 4, 10]])


def swept(problem: Problem) -> tuple[Tensor, Tensor, bool]:
    done = engine.forward(problem)
    return done.factors_BK, engine.edge_usage(problem, done), done.transfers_BKPP is not None


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("slots", [1, 2])
@pytest.mark.parametrize("tail", [False, True])
def test_side_by_side_is_in_order(
    operator: str, slots: int, tail: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = graph_for(operator)
    problem = Problem.of_endpoints(log_probs(graph, 4, 70, slots), graph, ENDS, COUNTS, None, tail)
    results = []
    for most_entries in (0, 9):
        monkeypatch.setattr(engine, "MOST_ENTRIES", most_entries)
        results.append(swept(problem))
    (ordered, ordered_usage, was_beside), (beside, beside_usage, is_beside) = results
    assert (was_beside, is_beside) == (False, True)
    assert_same(beside, ordered)
    assert_same(beside_usage, ordered_usage)


def test_usage_sums_to_one_wherever_a_label_follows() -> None:
    graph = graph_for("E2-Episode")
    problem = Problem.of_endpoints(log_probs(graph, 4, 70, 1), graph, ENDS, COUNTS, None)
    _, usage_BTME, _ = swept(problem)
    total_BT = usage_BTME.sum((2, 3))
    for row, last in enumerate([60, 9, 60, 59]):
        assert_same(total_BT[row], (torch.arange(70) < last).double())


@pytest.mark.parametrize("slots", [1, 2])
def test_padding_columns_are_not_swept(slots: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_for("E1-Action")
    swept_columns: list[int] = []
    scores = log_probs(graph, 2, 9, slots)
    ends, counts = torch.tensor([[4, 4, 9], [2, 7, -1]]), torch.tensor([[1, 1, 2], [0, 1, 0]])
    padding = torch.full((2, 40), -1)
    narrow = Problem.of_endpoints(scores, graph, ends, counts, None)
    wide = Problem.of_endpoints(
        scores, graph, torch.cat([ends, padding], 1), torch.cat([counts, padding], 1), None
    )

    class Noted(Part):
        def __init__(self, problem: Problem, columns: Sequence[int]) -> None:
            swept_columns.extend(columns)
            super().__init__(problem, columns)

    monkeypatch.setattr(engine, "MOST_ENTRIES", 0)
    monkeypatch.setattr(engine, "Part", Noted)
    factors, usage, _ = swept(wide)
    assert set(swept_columns) == {0, 1, 2}
    expected_factors, expected_usage, _ = swept(narrow)
    assert_same(factors[:, :3], expected_factors)
    assert (factors[:, 3:] == 0).all()
    assert_same(usage, expected_usage)
