"""Endpoints that no path reaches are kept out of training, and the log says why."""

import logging
import math
from collections.abc import Sequence
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from stamina_video.semantics import InvalidInput, graph_for
from stamina_video.semantics.capacity import Endpoint, Interval
from stamina_video.transitions.paths import (
    Excluded,
    interval_log_likelihood,
    path_log_likelihood,
    reachable_endpoints,
    reachable_intervals,
)
from tests.transitions.path_cases import Case, cases

EPISODE = graph_for("E2-Episode")


def test_what_cannot_be_reached_is_logged_and_excluded(caplog: pytest.LogCaptureFixture) -> None:
    endpoints = [Endpoint(2, 1), Endpoint(3, 2), Endpoint(5, 2), Endpoint(6, 9)]
    with caplog.at_level(logging.WARNING, "stamina_video.transitions"):
        support = reachable_endpoints(EPISODE, [[True]] * 6, endpoints, name="kitchen-7")
    assert support.kept == (Endpoint(2, 1), Endpoint(5, 2))
    assert [excluded.index for excluded in support.excluded] == [1, 3]
    assert support.excluded[0].reason == (
        "2 completions after 3 observations, at most 1 reachable given 1 completion after 2 observations"
    )
    assert "kitchen-7: endpoint 3 excluded: 9 completions after 6 observations, at most 2" in caplog.text


def test_an_endpoint_can_be_reachable_alone_but_not_after_another() -> None:
    support = reachable_endpoints(EPISODE, [[True]] * 6, [Endpoint(4, 0), Endpoint(6, 2)])
    assert support.excluded[0].reason == (
        "2 completions after 6 observations, at most 1 reachable given 0 completions after 4 observations"
    )


def test_a_count_that_falls_is_not_reachable() -> None:
    support = reachable_endpoints(EPISODE, [[True]] * 6, [Endpoint(4, 1), Endpoint(6, 0)])
    assert support.kept == (Endpoint(4, 1),)
    assert support.excluded[0].reason == (
        "0 completions after 6 observations, not reachable given 1 completion after 4 observations"
    )


class Watched(list[list[bool]]):
    """Presence that notes how many rows were asked for."""

    rows = 0

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        self.rows += len(found) if isinstance(key, slice) else 0
        return found


def test_the_observations_are_searched_once_however_many_labels_fail() -> None:
    present = Watched([[True] * 2] * 40)
    support = reachable_endpoints(EPISODE, present, [Endpoint(4 * step, 500) for step in range(1, 11)])
    assert (len(support.excluded), present.rows) == (10, 40)
    present = Watched([[True] * 2] * 40)
    intervals = reachable_intervals(EPISODE, present, [Interval(k, k + 4, 500) for k in range(0, 40, 4)])
    assert (len(intervals.excluded), present.rows) == (10, 40)


def test_a_bad_label_is_named_by_its_place_and_its_trajectory() -> None:
    said = "kitchen-7: expected endpoint 2 after 3 to 6 observations, got 7"
    with pytest.raises(InvalidInput, match=said):
        reachable_endpoints(
            EPISODE, [[True]] * 6, [Endpoint(1, 9), Endpoint(3, 9), Endpoint(7, 1)], "kitchen-7"
        )
    said = "kitchen-7: expected interval 1 within 4 to 6 observations, got 3 to 5"
    with pytest.raises(InvalidInput, match=said):
        reachable_intervals(EPISODE, [[True]] * 6, [Interval(0, 4, 9), Interval(3, 5, 1)], "kitchen-7")


def test_an_interval_that_cannot_be_is_logged_and_excluded(caplog: pytest.LogCaptureFixture) -> None:
    intervals = [Interval(0, 2, 1), Interval(2, 4, 1), Interval(5, 8, 1)]
    with caplog.at_level(logging.WARNING, "stamina_video.transitions"):
        support = reachable_intervals(EPISODE, [[True]] * 8, intervals, name="kitchen-7")
    assert support.kept == (Interval(0, 2, 1), Interval(5, 8, 1))
    assert support.excluded == (
        Excluded(
            1,
            Interval(2, 4, 1),
            "1 completion from 2 to 4 observations, at most 0 reachable"
            " given 1 completion from 0 to 2 observations",
        ),
    )
    assert "kitchen-7: interval 1 excluded: 1 completion from 2 to 4 observations" in caplog.text


@settings(max_examples=40, deadline=None)
@given(cases(most_slots=3))
def test_the_check_agrees_with_the_path_sum(case: Case) -> None:
    log_p_B = path_log_likelihood(*case.arguments)
    for row, log_p in enumerate(log_p_B.tolist()):
        present = case.present_BTM[row].tolist()
        endpoints = [Endpoint(*label) for label in case.labels(row)]
        support = reachable_endpoints(case.graph, present, endpoints)
        assert (log_p > -math.inf) == (not support.excluded)
        kept = torch.tensor([[(kept.observations, kept.count) for kept in support.kept]], dtype=torch.long)
        scores, rows = case.log_probs_BTME[row : row + 1], case.present_BTM[row : row + 1]
        kept_BJ = kept.view(1, -1, 2)
        assert (
            path_log_likelihood(scores, case.graph, kept_BJ[..., 0], kept_BJ[..., 1], rows).isfinite().all()
        )


def interval_log_p(case: Case, row: int, intervals: Sequence[Interval]) -> float:
    starts, ends, counts = (
        torch.tensor([[getattr(interval, field) for interval in intervals]], dtype=torch.long)
        for field in ("start", "end", "count")
    )
    scores, present = case.log_probs_BTME[row : row + 1], case.present_BTM[row : row + 1]
    return interval_log_likelihood(scores, case.graph, starts, ends, counts, present).item()


@settings(max_examples=60, deadline=None)
@given(cases(), st.data())
def test_the_check_of_intervals_agrees_with_their_path_sum(case: Case, data: st.DataObject) -> None:
    present = case.present_BTM[0].tolist()
    bounds = sorted(data.draw(st.lists(st.integers(0, len(present)), max_size=6)))
    intervals = [
        Interval(start, end, data.draw(st.integers(0, 3)))
        for start, end in zip(bounds[::2], bounds[1::2], strict=False)
    ]
    support = reachable_intervals(case.graph, present, intervals)
    assert (interval_log_p(case, 0, intervals) > -math.inf) == (not support.excluded)
    assert interval_log_p(case, 0, support.kept) > -math.inf
    for excluded in support.excluded:
        earlier = [interval for interval in support.kept if interval.end <= excluded.label.start]
        assert interval_log_p(case, 0, [*earlier, excluded.label]) == -math.inf
