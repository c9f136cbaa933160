"""Labels that cannot be true are refused in one line by the loss that would have used them."""

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from stamina_video.semantics import InvalidInput, graph_for
from stamina_video.transitions.candidates import Candidates
from stamina_video.transitions.identity import Resolution
from stamina_video.transitions.labels import BoundarySite, CountLabels, IdentityLabel
from stamina_video.transitions.losses import (
    SoftTotals,
    boundary_loss,
    identity_sites,
    mean_loss,
    object_loss,
    trajectory_loss,
)
from stamina_video.transitions.outcome import ObjectOutcome
from stamina_video.transitions.retrieval import Shortlist

GRAPH = graph_for("E2-Episode")
YES = torch.ones(2, dtype=torch.bool)
TOTALS = SoftTotals(torch.arange(4.0), torch.arange(4.0))


def refused(message: str, loss: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput) as error:
        loss()
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("log_p", "labelled", "family", "message"),
    [
        ([-1.0, math.nan], YES, None, "trajectory 1: expected labels that some path reaches, got log likel"),
        ([-math.inf, -1.0], YES, None, "trajectory 0: expected labels that some path reaches, got log likel"),
        ([-1.0, -1.0, -1.0], YES, None, "booleans of shape (3,), got torch.bool of shape (2,)"),
        ([-1.0, -1.0], torch.tensor([1, 0]), None, "booleans of shape (2,), got torch.int64 of shape (2,)"),
        ([-1.0, -1.0], YES, ["a"], "expected a family for each of 2 trajectories, got 1"),
        ([[-1.0], [-1.0]], YES, None, "expected one log likelihood per trajectory, got shape (2, 1)"),
    ],
)
def test_trajectories(
    log_p: list[float] | list[list[float]], labelled: Tensor, family: list[str] | None, message: str
) -> None:
    refused(message, lambda: trajectory_loss(torch.tensor(log_p), labelled, family))


@pytest.mark.parametrize(
    ("expected", "counts", "labelled", "message"),
    [
        ([[1.0, 2.0]], [[1, 2]], torch.tensor([[1, 0]]), "booleans of shape (1, 2), got torch.int64"),
        ([[1.0, 2.0]], [[1, 2]], YES, "booleans of shape (1, 2), got torch.bool of shape (2,)"),
        ([[1.0, 2.0]], [[1], [2]], YES[None], "means and counts of one shape (trajectories, labels), got"),
        ([[1.0, math.nan]], [[1, 2]], YES[None], "trajectory 0, label 1: expected a finite mean, got nan"),
        ([[1.0, 2.0]], [[1, -2]], YES[None], "trajectory 0, label 1: expected a count from 0, got -2"),
    ],
)
def test_means(expected: list[list[float]], counts: list[list[int]], labelled: Tensor, message: str) -> None:
    refused(message, lambda: mean_loss(torch.tensor(expected), torch.tensor(counts), labelled))


def labels(ends: object, counts: object, starts: object = None) -> CountLabels:
    return CountLabels(
        torch.tensor(ends), torch.tensor(counts), None if starts is None else torch.tensor(starts)
    )


SITES = "0 <= start <= end <= 3 observations, got"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (labels([1, 4], [1, 1]), f"label 1: expected {SITES} 0 and 4"),
        (labels([-1], [1]), f"label 0: expected {SITES} 0 and -1"),
        (labels([1], [1], [2]), f"label 0: expected {SITES} 2 and 1"),
        (labels([1], [1], [-1]), f"label 0: expected {SITES} -1 and 1"),
        (labels([1, 2, 3], [1]), "labels: expected counts of shape (3,), got (1,)"),
        (labels([1, 2, 3], [[1], [1], [1]]), "labels: expected counts of shape (3,), got (3, 1)"),
        (labels([1, 2, 3], [1, 1, 1], [0]), "labels: expected starts of shape (3,), got (1,)"),
        (labels(1, 1), "labels: expected ends of shape (1,), got ()"),
        (labels([1.0], [1]), "labels: expected ends as whole numbers, got torch.float32"),
        (labels([True, False], [1, 1]), "labels: expected ends as whole numbers, got torch.bool"),
        (labels([1], [-1]), "label 0: expected a count from 0, got -1"),
        (labels([1], [math.nan]), "label 0: expected a count from 0, got nan"),
        (labels([1], [0.5], [0]), "label 0: expected a"),
    ],
)
def test_counts(wrong: CountLabels, message: str) -> None:
    refused(f"trajectory 7, visible {message}", lambda: object_loss(TOTALS, wrong, trajectory=7))
    refused(f"trajectory 7, unique {message}", lambda: object_loss(TOTALS, unique=wrong, trajectory=7))


def test_visible_counts_may_fall_and_unique_ones_may_not() -> None:
    fewer = labels([2], [-1], [1])
    assert object_loss(TOTALS, fewer) is not None
    refused("unique label 0: expected a count from 0, got -1", lambda: object_loss(TOTALS, unique=fewer))


def watched() -> ObjectOutcome:
    """Two candidates, six known identities, of which each shortlist holds two."""
    ids = torch.tensor([[0, 3], [3, 0]])
    candidates = Candidates(torch.eye(2), torch.ones(2), YES, (0, 1), torch.eye(2))
    return ObjectOutcome(candidates, Shortlist(ids, ids.float()), torch.zeros(2, 4), Resolution((0, 3), 6))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (IdentityLabel(-1, -1, None), "expected an observation from 0 below 1, got -1"),
        (IdentityLabel(1, 0, None), "expected an observation from 0 below 1, got 1"),
        (IdentityLabel(0, 99, None), "expected a candidate from 0 below 2, got 99"),
        (IdentityLabel(0, -1, 3), "expected a candidate from 0 below 2, got -1"),
        (IdentityLabel(0, 0, -1), "expected an accepted identity from 0 below 6, got -1"),
        (IdentityLabel(0, 0, 6), "expected an accepted identity from 0 below 6, got 6"),
    ],
)
def test_identities(wrong: IdentityLabel, message: str) -> None:
    good = IdentityLabel(0, 1, 3)
    refused(
        f"trajectory mugs, identity label 1: {message}",
        lambda: identity_sites([watched()], [good, wrong], "mugs"),
    )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (BoundarySite(-1, 0, 0), "expected an observation from 0 below 3, got -1"),
        (BoundarySite(3, 0, 0), "expected an observation from 0 below 3, got 3"),
        (BoundarySite(0, -1, 0), "expected a slot from 0 below 2, got -1"),
        (BoundarySite(0, 2, 0), "expected a slot from 0 below 2, got 2"),
        (BoundarySite(0, 0, 9), "expected an edge from 0 below 6, got 9"),
        (BoundarySite(0, 0, -1), "expected an edge from 0 below 6, got -1"),
        (BoundarySite(2, 1, 5), "expected a finite log probability, got -inf"),
    ],
)
def test_boundaries(wrong: BoundarySite, message: str) -> None:
    log_probs, present = torch.zeros(3, 2, 6), torch.ones(3, 2, dtype=torch.bool)
    log_probs[2, 1, 5] = -math.inf
    refused(
        f"trajectory 4, boundary 1: {message}",
        lambda: boundary_loss(log_probs, GRAPH, [BoundarySite(0, 0, 0), wrong], present, trajectory=4),
    )


@pytest.mark.parametrize(
    ("shape", "present", "message"),
    [
        ((3, 6), (3, 2), "expected log probabilities of shape (observations, slots, 6 edges), got (3, 6)"),
        ((3, 2, 5), (3, 2), "expected log probabilities of shape (observations, slots, 6 edges), got (3, 2"),
        ((3, 2, 6), (2, 2), "expected presence of trajectory 0 as booleans of shape (3, 2), got torch.bool"),
    ],
)
def test_boundary_shapes(shape: tuple[int, ...], present: tuple[int, ...], message: str) -> None:
    here = torch.ones(present, dtype=torch.bool)
    refused(message, lambda: boundary_loss(torch.zeros(shape), GRAPH, [], here))
