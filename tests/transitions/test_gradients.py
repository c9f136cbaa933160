"""Which parameters each loss moves, and which it must not: the gradient boundaries of the paper."""

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from stamina_video.semantics import Features, Target, graph_for
from stamina_video.transitions import (
    Heads,
    HeadsConfig,
    Outcome,
    TargetState,
    decide,
    expected_counts,
    path_log_likelihood,
)
from stamina_video.transitions.labels import BoundarySite, CountLabels, IdentityLabel
from stamina_video.transitions.losses import (
    SoftTotals,
    boundary_loss,
    identity_loss,
    identity_sites,
    mean_loss,
    object_loss,
    trajectory_loss,
)
from stamina_video.transitions.outcome import EventOutcome, ObjectOutcome

CONFIG = HeadsConfig(width=8, target_width=4, hidden=16, attention=8, queries=6, duplicate_cosine=0.999)
STEPS = 5
POOLED = {"queries_QD", "from_target.weight", "from_visual.weight"}
VISIBLE = {"visibility.weight", "visibility.bias"}
ASSOCIATED = {
    "classes_2W",
    "from_candidate.weight",
    "from_candidate.bias",
    "from_target.weight",
    "from_prototype.weight",
    "score.weight",
}
SCORED = {
    "context.operators.weight",
    "context.from_input.weight",
    "context.from_target.weight",
    "context.from_operator.weight",
    "phases.weight",
    "roles.weight",
    "from_source.weight",
    "from_target_phase.weight",
    "from_role.weight",
    "from_role.bias",
    "score.weight",
}
FROM_POOLING = {f"pooling.{name}" for name in POOLED}
FROM_EVENTS = FROM_POOLING | {f"events.{name}" for name in SCORED}


@pytest.fixture
def heads() -> Heads:
    torch.manual_seed(3)
    heads = Heads(CONFIG)
    with torch.no_grad():
        heads.pooling.visibility.bias.fill_(2.0)  # everything is seen
    return heads


@pytest.fixture
def tokens() -> list[Tensor]:
    generator = torch.Generator().manual_seed(5)
    scene = torch.randn(7, CONFIG.width, generator=generator)  # nearly the same things all along
    noise = torch.randn(STEPS, 7, CONFIG.width, generator=generator) / 20
    return [(scene + change).requires_grad_() for change in noise]


def rolled(heads: Heads, tokens: Sequence[Tensor], operator: str) -> list[Outcome]:
    """The hard roll-out that deployment uses, with gradients on."""
    state = TargetState.initial("kitchen", Target("red mugs", operator, "entity"), CONFIG)
    target, outcomes = torch.nn.functional.normalize(torch.ones(CONFIG.target_width), dim=0), []
    for index, seen in enumerate(tokens):
        state, outcome = decide(heads, state, Features(index, float(index), seen, seen.mean(0), target))
        outcomes.append(outcome)
    return outcomes


def objects(heads: Heads, tokens: Sequence[Tensor]) -> list[ObjectOutcome]:
    return [outcome.objects for outcome in rolled(heads, tokens, "O2-Unique") if outcome.objects is not None]


def events(heads: Heads, tokens: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    outcomes = [outcome.events for outcome in rolled(heads, tokens, "E2-Episode")]
    scored = [outcome for outcome in outcomes if isinstance(outcome, EventOutcome)]
    log_probs = [outcome.log_probs_ME for outcome in scored if outcome.log_probs_ME is not None]
    present = torch.tensor([outcome.seating.present for outcome in scored])
    return torch.stack(log_probs)[None], present[None]


def moved(loss: Tensor | None, heads: Heads) -> set[str]:
    """Names of the parameters that receive a gradient which is not all zero."""
    assert loss is not None
    names, parameters = zip(*heads.named_parameters(), strict=True)
    gradients = torch.autograd.grad(loss, parameters, allow_unused=True, retain_graph=True)
    assert all(gradient is None or gradient.isfinite().all() for gradient in gradients)
    return {
        name
        for name, gradient in zip(names, gradients, strict=True)
        if gradient is not None and (gradient != 0).any()
    }


GRAPH = graph_for("E2-Episode")
ENDPOINTS, COUNTS = torch.tensor([[2, STEPS]]), torch.tensor([[1, 2]])


def test_the_path_likelihood_moves_scorer_and_event_candidates(heads: Heads, tokens: list[Tensor]) -> None:
    log_probs, present = events(heads, tokens)
    log_p = path_log_likelihood(log_probs, GRAPH, ENDPOINTS, COUNTS, present)
    assert moved(trajectory_loss(log_p, torch.tensor([True])), heads) == FROM_EVENTS


def test_the_mean_control_moves_the_same(heads: Heads, tokens: list[Tensor]) -> None:
    log_probs, present = events(heads, tokens)
    expected = expected_counts(log_probs, GRAPH, ENDPOINTS, present)
    assert moved(mean_loss(expected, COUNTS, ENDPOINTS >= 0), heads) == FROM_EVENTS


def test_boundaries_move_scorer_and_event_candidates(heads: Heads, tokens: list[Tensor]) -> None:
    log_probs, present = events(heads, tokens)
    loss = boundary_loss(log_probs[0], GRAPH, [BoundarySite(2, 0, 1)], present[0])
    assert moved(loss, heads) == FROM_EVENTS


def test_phase_embeddings_stay_still_when_switched_off(tokens: list[Tensor]) -> None:
    torch.manual_seed(3)
    off = Heads(HeadsConfig(width=8, target_width=4, hidden=16, attention=8, queries=6, phase_input=False))
    inputs, target = torch.randn(1, STEPS, 1, 16), torch.ones(4)
    operator = Target("red mugs", "E2-Episode").operator
    log_p = path_log_likelihood(off.events(inputs, target, operator), GRAPH, ENDPOINTS, COUNTS)
    phases = {"phases.weight", "from_source.weight", "from_target_phase.weight"}
    assert moved(trajectory_loss(log_p, torch.tensor([True])), off) == {
        f"events.{name}" for name in SCORED - phases
    }


def test_visible_counts_move_visibility_but_no_association(heads: Heads, tokens: list[Tensor]) -> None:
    totals = SoftTotals.since_origin(objects(heads, tokens))
    loss = object_loss(totals, visible=CountLabels(torch.tensor([1, STEPS]), torch.tensor([1, 0])))
    assert moved(loss, heads) == FROM_POOLING | {f"pooling.{name}" for name in VISIBLE}


def test_unique_counts_move_visibility_and_association(heads: Heads, tokens: list[Tensor]) -> None:
    totals = SoftTotals.since_origin(objects(heads, tokens))
    loss = object_loss(totals, unique=CountLabels(torch.tensor([STEPS]), torch.tensor([1])))
    visible, associated = (
        {f"pooling.{name}" for name in VISIBLE},
        {f"association.{name}" for name in ASSOCIATED},
    )
    assert moved(loss, heads) == FROM_POOLING | visible | associated


def test_identities_move_association_but_no_visibility(heads: Heads, tokens: list[Tensor]) -> None:
    outcomes = objects(heads, tokens)
    known = int(outcomes[-1].shortlist.ids_CK[0, 0])
    sites = identity_sites(outcomes, [IdentityLabel(0, 0, None), IdentityLabel(STEPS - 1, 0, known)])
    loss = identity_loss(outcomes, sites)
    assert moved(loss, heads) == FROM_POOLING | {f"association.{name}" for name in ASSOCIATED}
    assert loss is not None
    (classes,) = torch.autograd.grad(loss, [heads.association.classes_2W])
    assert (classes != 0).any(1).all()  # NEW and DEFER both


def test_history_is_detached_but_soft_totals_stay_connected(heads: Heads, tokens: list[Tensor]) -> None:
    outcomes = objects(heads, tokens)
    known = int(outcomes[-1].shortlist.ids_CK[0, 0])
    identity = identity_loss(outcomes, identity_sites(outcomes, [IdentityLabel(STEPS - 1, 0, known)]))
    last = CountLabels(torch.tensor([STEPS]), torch.tensor([0]))
    unique = object_loss(SoftTotals.since_origin(outcomes), unique=last)
    assert identity is not None
    assert unique is not None
    stored = torch.autograd.grad(identity, tokens, allow_unused=True, retain_graph=True)
    # The prototype came from an earlier observation: its features are stored values.
    assert [gradient is not None for gradient in stored] == [False] * (STEPS - 1) + [True]
    accumulated = torch.autograd.grad(unique, tokens, allow_unused=True)
    assert all(gradient is not None and (gradient != 0).any() for gradient in accumulated)


def test_an_absent_slot_receives_nothing(heads: Heads, tokens: list[Tensor]) -> None:
    log_probs, present = events(heads, tokens)
    leaf = log_probs.detach().requires_grad_()
    present = present.clone()
    present[0, :, 1:] = False
    log_p = path_log_likelihood(leaf, GRAPH, ENDPOINTS, torch.tensor([[0, 1]]), present)
    (gradient,) = torch.autograd.grad(log_p.sum(), leaf)
    assert (gradient[:, :, 1:] == 0).all()
    assert (gradient[:, :, 0] != 0).any()
