from itertools import pairwise

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.semantics import graph_for
from stamina_video.transitions import interval_log_likelihood
from stamina_video.transitions.losses import trajectory_loss
from stamina_video.transitions.paths import replays
from tests.transitions.path_cases import log_probs

bounds = st.tuples(st.integers(0, 12), st.integers(0, 12)).map(lambda pair: (min(pair), max(pair)))


@given(st.lists(bounds, max_size=8))
def test_replays_are_chronological_without_overlap_and_complete(intervals: list[tuple[int, int]]) -> None:
    chains = replays(intervals)
    assert sorted(index for chain in chains for index in chain) == list(range(len(intervals)))
    for chain in chains:
        assert all(intervals[a][1] <= intervals[b][0] for a, b in pairwise(chain))


def test_as_few_as_possible() -> None:
    assert replays([(0, 4), (4, 8), (2, 6), (8, 9)]) == [[0, 1, 3], [2]]


def test_overlapping_alternatives_share_one_weight() -> None:
    graph = graph_for("E2-Episode")
    scores = log_probs(graph, 2, 9, 1)
    intervals, gains = [(0, 4), (2, 6), (4, 8)], [1, 1, 0]
    chains = replays(intervals)
    rows, family = scores[[0, 0, 1]], [0, 0, 1]
    starts = torch.tensor([[0, 4], [2, -1], [0, -1]])
    ends = torch.tensor([[4, 8], [6, -1], [9, -1]])
    assert [[intervals[index] for index in chain] for chain in chains] == [[(0, 4), (4, 8)], [(2, 6)]]
    counts = torch.tensor([[gains[0], gains[2]], [gains[1], 0], [2, 0]])
    log_p = interval_log_likelihood(rows, graph, starts, ends, counts)
    loss = trajectory_loss(log_p, torch.ones(3, dtype=torch.bool), family)
    assert loss is not None
    assert loss.item() == pytest.approx(-((log_p[0] + log_p[1]) / 2 + log_p[2]).item() / 2)
