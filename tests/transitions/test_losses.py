"""Each loss by hand on small numbers, what an empty mask does, and what reaches which input."""

import logging
import math

import pytest
import torch
from torch import Tensor

from stamina_video.semantics import InvalidInput, Role, graph_for
from stamina_video.transitions.candidates import Candidates
from stamina_video.transitions.identity import NEW, Resolution
from stamina_video.transitions.labels import BoundarySite, CountLabels, IdentityLabel
from stamina_video.transitions.losses import (
    IdentitySites,
    LossTerms,
    LossWeights,
    SoftTotals,
    averaged,
    boundary_loss,
    combined,
    identity_loss,
    identity_sites,
    mean_loss,
    object_loss,
    trajectory_loss,
)
from stamina_video.transitions.outcome import ObjectOutcome
from stamina_video.transitions.retrieval import Shortlist

GRAPH = graph_for("E2-Episode")
HOLD, START = 0, 1
HERE = torch.ones(6, 2, dtype=torch.bool)  # every slot present


def value(loss: Tensor | None) -> float:
    assert loss is not None
    return loss.item()


def outcome(visibilities: Tensor, log_probs: Tensor, ids: list[list[int]] | None = None) -> ObjectOutcome:
    number = len(visibilities)
    candidates = Candidates(
        torch.zeros(number, 2),
        visibilities,
        visibilities.detach() > 0.5,
        tuple(range(number)),
        torch.zeros(number, 1),
    )
    ids_CK = torch.tensor(ids) if ids else torch.zeros(number, 0, dtype=torch.long)
    return ObjectOutcome(candidates, Shortlist(ids_CK, ids_CK.float()), log_probs, Resolution((), 10))


def seen(visibilities: list[float], new: list[float]) -> ObjectOutcome:
    log_probs = torch.tensor([[probability, 1 - probability] for probability in new]).view(-1, 2).log()
    return outcome(torch.tensor(visibilities), log_probs)


OUTCOMES = [seen([0.5, 1.0], [0.5, 1.0]), seen([], []), seen([0.8], [0.25])]


def test_the_trajectory_term_keeps_its_joint_nll() -> None:
    log_p = torch.tensor([-30.0, -2.0, -7.0])
    assert value(trajectory_loss(log_p, torch.tensor([True, True, False]))) == 16.0


def test_replays_of_one_family_share_its_weight() -> None:
    log_p = torch.tensor([-1.0, -3.0, -8.0])
    assert value(trajectory_loss(log_p, torch.ones(3, dtype=torch.bool), ["a", "a", "b"])) == 5.0


def test_a_label_without_a_path_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput, match="trajectory 1: expected labels that some path reaches"):
        trajectory_loss(torch.tensor([-1.0, -math.inf]), torch.tensor([True, True]))


def test_an_unlabelled_trajectory_may_be_anything() -> None:
    assert value(trajectory_loss(torch.tensor([-1.0, -math.inf]), torch.tensor([True, False]))) == 1.0


def test_the_mean_control_averages_sites_then_trajectories() -> None:
    expected = torch.tensor([[1.0, 3.0], [5.0, 0.0], [9.0, 9.0]])
    counts = torch.tensor([[0, 0], [2, 0], [0, 0]])
    labelled = torch.tensor([[True, True], [True, False], [False, False]])
    assert value(mean_loss(expected, counts, labelled)) == ((1 + 9) / 2 + 9) / 2


def test_soft_totals_start_from_nothing() -> None:
    totals = SoftTotals.since_origin(OUTCOMES)
    assert totals.visible_P.tolist() == pytest.approx([0, 1.5, 0, 0.8])
    assert totals.unique_P.tolist() == pytest.approx([0, 1.25, 1.25, 1.45])


def test_a_new_origin_starts_again() -> None:
    assert SoftTotals.since_origin(OUTCOMES[2:]).unique_P.tolist() == pytest.approx([0, 0.2])
    with pytest.raises(InvalidInput, match="expected at least one observation"):
        SoftTotals.since_origin([])


def test_visible_and_unique_errors_are_averaged_apart_and_added() -> None:
    totals = SoftTotals.since_origin(OUTCOMES)
    visible = CountLabels(torch.tensor([0, 1]), torch.tensor([0, 2]))
    unique = CountLabels(torch.tensor([3]), torch.tensor([2]))
    assert value(object_loss(totals, visible)) == pytest.approx(0.25 / 2)
    assert value(object_loss(totals, visible, unique)) == pytest.approx(0.25 / 2 + 0.55**2)


def test_interval_labels_use_soft_differences() -> None:
    totals = SoftTotals.since_origin(OUTCOMES)
    gained = CountLabels(torch.tensor([3]), torch.tensor([1]), starts_J=torch.tensor([1]))
    assert value(object_loss(totals, unique=gained)) == pytest.approx((0.2 - 1) ** 2)
    assert value(object_loss(totals, visible=gained)) == pytest.approx((0.8 - 1.5 - 1) ** 2)


def known() -> ObjectOutcome:
    log_probs = torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1]]).log()
    return outcome(torch.tensor([0.9, 0.9]), log_probs, [[7, 3], [3, 7]])


def test_identities_are_labelled_only_where_they_can_be_right() -> None:
    labels = [IdentityLabel(0, 0, 3), IdentityLabel(0, 1, None), IdentityLabel(1, 1, 5)]
    sites = identity_sites([known(), known()], labels)
    assert [column for _, column in sites.columns] == [1, NEW]
    assert (sites.misses, sites.ambiguous) == ((IdentityLabel(1, 1, 5),), ())
    expected = -(math.log(0.2) + math.log(0.2)) / 2
    assert value(identity_loss([known(), known()], sites)) == pytest.approx(expected)


def test_labels_that_share_a_candidate_or_an_identity_are_ambiguous() -> None:
    one_candidate = [IdentityLabel(0, 0, 3), IdentityLabel(0, 0, None)]
    one_identity = [IdentityLabel(1, 0, 7), IdentityLabel(1, 1, 7)]
    clear = [
        IdentityLabel(2, 0, 7),
        IdentityLabel(2, 1, 3),
        IdentityLabel(3, 0, None),
        IdentityLabel(3, 1, None),
    ]
    sites = identity_sites([known()] * 4, [*one_candidate, *clear, *one_identity])
    assert [label for label, _ in sites.columns] == clear
    assert (sites.misses, sites.ambiguous) == ((), (*one_candidate, *one_identity))


def test_an_ambiguous_label_is_no_retrieval_miss() -> None:
    twice = IdentityLabel(0, 0, 5)
    sites = identity_sites([known()], [twice, twice])
    assert (sites.columns, sites.misses, sites.ambiguous) == ((), (), (twice, twice))


def test_what_cannot_supervise_is_one_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    missed, doubtful = IdentityLabel(1, 1, 5), IdentityLabel(0, 0, 3)
    with caplog.at_level(logging.WARNING, "stamina_video.transitions"):
        identity_sites([known(), known()], [IdentityLabel(0, 1, 7)], "video 6")
        assert caplog.messages == []
        identity_sites([known(), known()], [missed, doubtful, doubtful], "video 7")
    assert caplog.messages == [
        "trajectory video 7: of 3 identity labels 1 are retrieval misses and 2 ambiguous"
    ]


def test_holds_and_changes_weigh_the_same() -> None:
    probabilities = torch.tensor([0.5, 0.5, 0.9, 0.1, 1.0, 0.0])
    log_probs = probabilities.log().expand(6, 1, 6).clone()
    log_probs[5, 0, :2] = torch.tensor([0.2, 0.8]).log()
    sites = [BoundarySite(step, 0, HOLD) for step in range(5)] + [BoundarySite(5, 0, START)]
    assert value(boundary_loss(log_probs, GRAPH, sites, HERE[:6, :1])) == pytest.approx(
        -(math.log(0.5) + math.log(0.8)) / 2
    )
    assert value(boundary_loss(log_probs, GRAPH, sites[:5], HERE[:6, :1])) == pytest.approx(-math.log(0.5))


def test_an_absent_slot_has_no_boundary() -> None:
    log_probs = torch.tensor([0.5, 0.5, 0.9, 0.1, 0.9, 0.1]).log().expand(3, 2, 6).clone()
    log_probs[2] = -7.0
    present = HERE[:3].clone()
    present[2, 1] = False
    seen, unseen = BoundarySite(0, 0, HOLD), BoundarySite(2, 1, HOLD)
    assert value(boundary_loss(log_probs, GRAPH, [seen, unseen], present)) == pytest.approx(-math.log(0.5))
    assert boundary_loss(log_probs, GRAPH, [unseen], present) is None


def test_an_empty_mask_is_no_term() -> None:
    totals, nothing = SoftTotals.since_origin(OUTCOMES), torch.zeros(0, dtype=torch.long)
    assert trajectory_loss(torch.tensor([-1.0]), torch.tensor([False])) is None
    assert mean_loss(torch.zeros(2, 0), torch.zeros(2, 0), torch.zeros(2, 0, dtype=torch.bool)) is None
    assert object_loss(totals) is None
    assert object_loss(totals, CountLabels(nothing, nothing)) is None
    assert identity_loss(OUTCOMES, IdentitySites(())) is None
    assert boundary_loss(torch.zeros(3, 1, 6), GRAPH, [], HERE[:3, :1]) is None
    assert averaged([None, None]) is None
    assert combined(LossTerms()) is None


def test_missing_trajectories_do_not_dilute_the_average() -> None:
    assert value(averaged([torch.tensor(4.0), None, torch.tensor(2.0)])) == 3.0


def test_terms_combine_with_the_papers_weights() -> None:
    one = torch.ones(())
    assert value(combined(LossTerms(one, one, one, one, one))) == pytest.approx(1 + 1 + 1 + 0.2 + 0.2)
    assert value(combined(LossTerms(path=one, boundary=one))) == pytest.approx(1.2)
    assert value(combined(LossTerms(identity=one), LossWeights(identity=0.5))) == 0.5


def test_gradients_reach_what_each_loss_may_move() -> None:
    visibilities = torch.tensor([0.9, 0.4], requires_grad=True)
    log_probs = torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1]]).log().requires_grad_()
    outcomes = [outcome(visibilities, log_probs, [[7, 3], [3, 7]])]
    totals = SoftTotals.since_origin(outcomes)
    labels = CountLabels(torch.tensor([1]), torch.tensor([5]))
    sites = identity_sites(outcomes, [IdentityLabel(0, 0, 3)])
    reached = {
        "visible": object_loss(totals, visible=labels),
        "unique": object_loss(totals, unique=labels),
        "identity": identity_loss(outcomes, sites),
    }
    moved = {}
    for name, loss in reached.items():
        assert loss is not None
        moved[name] = torch.autograd.grad(
            loss, [visibilities, log_probs], allow_unused=True, retain_graph=True
        )
    assert moved["visible"][0] is not None
    assert moved["visible"][1] is None
    assert (moved["unique"][0] != 0).all()  # every survivor, below the threshold too
    columns = (moved["unique"][1] != 0).any(0)
    assert columns.tolist() == [False, False, True, False]  # only NEW
    assert moved["identity"][0] is None
    assert (moved["identity"][1] != 0).nonzero().tolist() == [[0, 1]]


def test_a_boundary_moves_only_its_own_edge() -> None:
    log_probs = torch.zeros(3, 2, 6, requires_grad=True)
    loss = boundary_loss(log_probs, GRAPH, [BoundarySite(1, 0, START)], HERE[:3, :2])
    assert loss is not None
    (grad,) = torch.autograd.grad(loss, log_probs)
    assert (grad != 0).nonzero().tolist() == [[1, 0, START]]
    assert GRAPH.edges[START].role is Role.START
