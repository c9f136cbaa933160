"""The masked losses of one sample: its rollout against what is verified, lesson by lesson."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

import torch
from torch import Tensor

from stamina_video.runtime import Model
from stamina_video.semantics import EventGraph, Phase, Role, Scope, graph_for
from stamina_video.semantics.capacity import Endpoint
from stamina_video.training.matching import matched
from stamina_video.training.rollout import Rolled, roll
from stamina_video.training.sample import Crossing, Lesson, Sample, Shown
from stamina_video.transitions import (
    BoundarySite,
    CountLabels,
    EventOutcome,
    IdentityLabel,
    LossTerms,
    Outcome,
    SoftTotals,
    boundary_loss,
    expected_counts,
    identity_loss,
    identity_sites,
    object_loss,
    path_log_likelihood,
    reachable_endpoints,
)
from stamina_video.transitions.losses import averaged, squared_error

# T observations, P = T + 1 prefixes, M slots, E edges, J labels

SCENE = "entity 0"  # the subject of a global stream

Value = TypeVar("Value")


def terms(model: Model, sample: Sample, mean: bool = False) -> LossTerms:
    """Every loss of a sample, averaged over the lessons that support it.

    With `mean` the path likelihood gives way to the squared error of expected counts, the control.
    """
    if not sample.lessons and not sample.asked:
        return LossTerms()
    rolled = roll(model, sample)
    each = [
        _events(rolled, number, lesson, sample.id, mean)
        if lesson.target.operator.is_event
        else _objects(rolled, number, lesson, sample.id)
        for number, lesson in enumerate(sample.lessons)
    ]
    return LossTerms(
        answer=averaged(rolled.answers),
        path=averaged(one.path for one in each),
        object=averaged(one.object for one in each),
        identity=averaged(one.identity for one in each),
        boundary=averaged(one.boundary for one in each),
    )


def _objects(rolled: Rolled, number: int, lesson: Lesson, sample: str) -> LossTerms:
    outcomes = rolled.of(number)
    objects = [_present(outcome.objects) for outcome in outcomes]
    counts = object_loss(SoftTotals.since_origin(objects), lesson.visible, lesson.unique, sample)
    if lesson.shown is None:
        return LossTerms(object=counts)
    labels = list(identity_labels(outcomes, lesson.shown))
    return LossTerms(object=counts, identity=identity_loss(objects, identity_sites(objects, labels, sample)))


def identity_labels(outcomes: Sequence[Outcome], shown: Sequence[Sequence[Shown]]) -> Iterator[IdentityLabel]:
    """What each verified candidate is in the predicted registry: accepted before, or still to be accepted."""
    accepted: dict[str, list[int]] = {}
    for number, (outcome, seen) in enumerate(zip(outcomes, shown, strict=True)):
        if outcome.boxes_J4 is None:
            return
        objects = _present(outcome.objects)
        who = matched(objects.candidates, outcome.boxes_J4, seen)
        for candidate, identity in who.items():
            ids = accepted.get(identity, [])
            # Counted twice already: no single identity is the right one.
            if len(ids) < 2:
                yield IdentityLabel(number, candidate, ids[0] if ids else None)
        for candidate, identity in who.items():
            if candidate < len(objects.resolution.identities) and objects.resolution.is_new(candidate):
                taken = objects.resolution.identities[candidate]
                assert taken is not None
                accepted.setdefault(identity, []).append(taken)


def _events(rolled: Rolled, number: int, lesson: Lesson, sample: str, mean: bool) -> LossTerms:
    outcomes = rolled.of(number)
    events = [_present(outcome.events) for outcome in outcomes]
    present_TM = torch.tensor([event.seating.present for event in events])
    graph = graph_for(lesson.target.operator)
    if events[0].log_probs_ME is None:
        logits_TM = torch.stack([_present(event.logits_M) for event in events])
        expected_T = (logits_TM.sigmoid() * present_TM).sum(1)
        return LossTerms(path=increment_loss(expected_T, lesson.completed))
    log_probs_TME = torch.stack([_present(event.log_probs_ME) for event in events])
    objective = mean_path_loss if mean else path_loss
    path = objective(log_probs_TME, graph, lesson.completed, present_TM, sample)
    in_view = _in_view(events, lesson.visible, sample)
    if lesson.crossings is None:
        return LossTerms(path=path, object=in_view)
    sites = list(boundary_sites(outcomes, lesson, lesson.crossings, graph))
    boundary = boundary_loss(log_probs_TME, graph, sites, present_TM, sample)
    return LossTerms(path=path, object=in_view, boundary=boundary)


def _in_view(events: Sequence[EventOutcome], visible: CountLabels | None, sample: str) -> Tensor | None:
    """Whom an event may happen to must be seen first; the pooling of both branches learns it from counts."""
    if visible is None or events[0].candidates is None:
        return None
    seen = [_present(event.candidates).visibilities_C.sum() for event in events]
    seen_P = torch.stack([seen[0].new_zeros(()), *seen])
    return object_loss(SoftTotals(seen_P, seen_P), visible, trajectory=sample)


def path_loss(
    log_probs_TME: Tensor, graph: EventGraph, labels: CountLabels | None, present_TM: Tensor, sample: str
) -> Tensor | None:
    """The joint NLL of the endpoints that some path reaches together."""
    if labels is None:
        return None
    endpoints = tuple(
        Endpoint(*pair) for pair in zip(labels.ends_J.tolist(), labels.counts_J.tolist(), strict=True)
    )
    kept = _reached(graph, tuple(map(tuple, present_TM.tolist())), endpoints, sample)
    if not kept:
        return None
    ends_1J = torch.tensor([[one.observations for one in kept]])
    counts_1J = torch.tensor([[one.count for one in kept]])
    log_p_1 = path_log_likelihood(log_probs_TME[None], graph, ends_1J, counts_1J, present_TM[None])
    return -log_p_1[0]


@lru_cache(maxsize=4096)
def _reached(
    graph: EventGraph, present: tuple[tuple[bool, ...], ...], endpoints: tuple[Endpoint, ...], sample: str
) -> tuple[Endpoint, ...]:
    """Searched once: stages that go over kept trajectories ask the same again and again."""
    return reachable_endpoints(graph, present, endpoints, sample).kept


def boundary_sites(
    outcomes: Sequence[Outcome], lesson: Lesson, crossings: Sequence[Crossing], graph: EventGraph
) -> Iterator[BoundarySite]:
    """Verified edges at the slots that show their subjects, as the rollout seated them."""
    seated = [_subjects(outcome, lesson, number) for number, outcome in enumerate(outcomes)]
    return seated_sites(seated, crossings, graph, lesson.phase)


def seated_sites(
    seated: Sequence[Sequence[tuple[int, str]]],
    crossings: Sequence[Crossing],
    graph: EventGraph,
    begins: Phase | None = None,
) -> Iterator[BoundarySite]:
    """`seated` holds, per observation, slots and whom they show; two changes between two hide both.

    `begins` is the phase in which everybody is found at first, if it is not the initial one.
    """
    first = begins or graph.initial
    phases: dict[str, Phase] = {}
    for number, here in enumerate(seated):
        changed: dict[str, list[Crossing]] = {}
        for crossing in crossings:
            if crossing.observation == number:
                changed.setdefault(crossing.subject, []).append(crossing)
        for slot, subject in here:
            mine = changed.get(subject, [])
            phase = phases.get(subject, first)
            if not mine:
                yield BoundarySite(number, slot, _hold(graph, phase))
            elif len(mine) == 1:
                yield BoundarySite(number, slot, graph.edges.index(mine[0].edge))
        for subject, mine in changed.items():
            phases[subject] = mine[-1].edge.target


def _subjects(outcome: Outcome, lesson: Lesson, number: int) -> list[tuple[int, str]]:
    """Whom each slot shows; a global stream shows the scene."""
    if lesson.target.scope is Scope.GLOBAL:
        return [(0, SCENE)]
    events = _present(outcome.events)
    if events.candidates is None or outcome.boxes_J4 is None or lesson.shown is None:
        return []
    who = matched(events.candidates, outcome.boxes_J4, lesson.shown[number])
    places = events.seating.candidates
    return [(slot, who[place]) for slot, place in enumerate(places) if place is not None and place in who]


def _hold(graph: EventGraph, phase: Phase) -> int:
    return next(
        place for place, edge in enumerate(graph.edges) if edge.source == phase and edge.role is Role.HOLD
    )


def mean_path_loss(
    log_probs_TME: Tensor, graph: EventGraph, labels: CountLabels | None, present_TM: Tensor, _sample: str
) -> Tensor | None:
    """The control: squared error of the expected count at each endpoint."""
    if labels is None:
        return None
    ends_1J, counts_1J = labels.ends_J[None], labels.counts_J[None]
    expected_1J = expected_counts(log_probs_TME[None], graph, ends_1J, present_TM[None])
    return squared_error(expected_1J[0], counts_1J[0])


def increment_loss(expected_T: Tensor, labels: CountLabels | None) -> Tensor | None:
    """Independent increments have no paths; their expected sum is all that can be fitted."""
    if labels is None:
        return None
    total_P = torch.cat([expected_T.new_zeros(1), expected_T.cumsum(0)])
    return squared_error(total_P[labels.ends_J], labels.counts_J)


def _present(value: Value | None) -> Value:
    assert value is not None, "an outcome of the other branch"
    return value
