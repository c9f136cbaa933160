"""Endpoints that no path reaches are kept out of training, and the log says why."""

import logging
import math

import pytest
import torch
from hypothesis import given, settings

from stamina_video.semantics import graph_for
from stamina_video.semantics.capacity import Endpoint
from stamina_video.transitions import path_log_likelihood, reachable_endpoints
from tests.transitions.path_cases import Case, cases

EPISODE = graph_for("E2-Episode")


def test_what_cannot_be_reached_is_logged_and_excluded(caplog: pytest.LogCaptureFixture) -> None:
    endpoints = [Endpoint(2, 1), Endpoint(3, 2), Endpoint(5, 2), Endpoint(6, 9)]
    with caplog.at_level(logging.WARNING):
        support = reachable_endpoints(EPISODE, [[True]] * 6, endpoints, name="kitchen-7")
    assert support.kept == (Endpoint(2, 1), Endpoint(5, 2))
    assert [excluded.index for excluded in support.excluded] == [1, 3]
    assert support.excluded[0].reason == "2 completions after 3 observations, at most 1 reachable"
    assert "kitchen-7: endpoint 3 excluded: 9 completions after 6 observations, at most 2" in caplog.text


def test_an_endpoint_can_be_reachable_alone_but_not_after_another() -> None:
    support = reachable_endpoints(EPISODE, [[True]] * 6, [Endpoint(4, 0), Endpoint(6, 2)])
    assert support.excluded[0].reason == "2 completions after 6 observations, not reachable from 0 after 4"


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
