"""Messages that are swept again are the messages that were not kept."""

import math

import pytest
import torch

from stamina_video.semantics import graph_for
from stamina_video.transitions import most_probable_path, posterior_edges
from stamina_video.transitions.paths import behind
from stamina_video.transitions.paths.part import Part
from stamina_video.transitions.paths.problem import Problem
from tests.transitions.path_cases import OPERATORS, assert_same, log_probs

ENDS, COUNTS = [[20, 33], [7, 40], [40, -1]], [[3, 5], [0, 6], [8, 0]]


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("slots", [1, 2, 4])
def test_sweeping_again_changes_nothing(operator: str, slots: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_for(operator)
    arguments = log_probs(graph, 3, 40, slots), graph, ENDS, COUNTS
    kept, best = posterior_edges(*arguments), most_probable_path(*arguments)
    monkeypatch.setattr(behind, "KEPT", 0)
    assert_same(posterior_edges(*arguments), kept)
    again = most_probable_path(*arguments)
    assert torch.equal(again.edges_BTM, best.edges_BTM)
    assert torch.equal(again.log_prob_B, best.log_prob_B)


@pytest.mark.parametrize("slots", [1, 2])
def test_few_messages_are_held_at_once(slots: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, steps = graph_for("E2-Episode"), 400
    problem = Problem.of_endpoints(log_probs(graph, 1, steps, slots), graph, [[steps]], [[9]], None)
    exits_PI = problem.scores_BTME.new_zeros(len(graph.phases) ** slots, 1)
    all_kept, _ = Part(problem, [0]).behind(exits_PI)
    monkeypatch.setattr(behind, "KEPT", 0)
    some_kept, _ = Part(problem, [0]).behind(exits_PI)
    [(_, expected)] = all_kept.along()
    steps_seen: list[int] = []
    for run, messages in some_kept.along():
        steps_seen.extend(run)
        assert len(messages) + len(some_kept.ends_SRI) <= 2 * math.sqrt(steps * slots) + slots + 1
        assert all(torch.equal(message, expected[place]) for place, message in messages.items())
    assert steps_seen == list(range(steps))
