"""The online decision: what to accept for one target at one observation. State in, state out."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from stamina_video.semantics import (
    Change,
    Decision,
    Edge,
    EventGraph,
    Features,
    InvalidInput,
    Scope,
    graph_for,
)
from stamina_video.transitions.candidates import Candidates
from stamina_video.transitions.changes import event_changes, object_changes
from stamina_video.transitions.config import HeadsConfig
from stamina_video.transitions.heads import Heads
from stamina_video.transitions.identity import resolve
from stamina_video.transitions.increments import IncrementHead
from stamina_video.transitions.outcome import Completion, EventOutcome, ObjectOutcome, Outcome
from stamina_video.transitions.patience import patient
from stamina_video.transitions.retrieval import nearest
from stamina_video.transitions.scorer import greedy
from stamina_video.transitions.slots import Seating, Slots, seat
from stamina_video.transitions.state import TargetState
from stamina_video.transitions.threads import one_thread
from stamina_video.transitions.visibility import VisibleSet, turnover

# J visual vectors, W their width, D target width, C candidates, M slots, P pulses, X gathered, Q queries,
# I = 2W + P + X event input


@dataclass(frozen=True, eq=False, slots=True)
class _Seen:
    """Features that fit the heads."""

    time: float
    tokens_JW: Tensor
    mean_V: Tensor  # W numbers, then P pulses
    target_D: Tensor


def decide(heads: Heads, state: TargetState, features: Features) -> tuple[TargetState, Outcome]:
    """Advance one target by one observation; the given state stays as it was."""
    with one_thread():
        return _decide(heads, state, features)


def _decide(heads: Heads, state: TargetState, features: Features) -> tuple[TargetState, Outcome]:
    seen = _fitting(heads, features)
    if state.target.operator.is_event:
        state, events = _decide_events(heads, state, seen)
        return state, Outcome(_decision(state, features, event_changes(events)), events=events)
    state, objects, changes = _decide_objects(heads, state, seen)
    return state, Outcome(_decision(state, features, changes), objects=objects)


def _decision(state: TargetState, features: Features, changes: tuple[Change, ...]) -> Decision:
    return Decision(state.stream, state.target.description, features.observation, features.time, changes)


def _decide_objects(
    heads: Heads, state: TargetState, seen: _Seen
) -> tuple[TargetState, ObjectOutcome, tuple[Change, ...]]:
    """Pool, retrieve, associate, assign; then move prototypes and the visible set."""
    registry = state.registry
    candidates: Candidates = heads.pooling(seen.tokens_JW, seen.target_D)
    features_CW, visible = candidates.features_CW, candidates.visible
    shortlist = nearest(registry, features_CW, heads.config.shortlist)
    log_probs_CL = heads.association(features_CW, seen.target_D, registry.prototypes(shortlist.ids_CK))
    resolution = resolve(shortlist.ids_CK[:visible], log_probs_CL[:visible], len(registry))
    outcome = ObjectOutcome(candidates, shortlist, log_probs_CL, resolution)

    named = {identity: row for row, identity in enumerate(resolution.identities) if identity is not None}
    blinked = _blinked(state, named, seen.time, heads.config.lingers)
    now_visible = VisibleSet(tuple(sorted((*named, *blinked))), visible - len(named))
    changes = object_changes(outcome, turnover(state.visible, now_visible), registry, heads.config)
    registry = registry.write(list(named), features_CW[list(named.values())], seen.time)
    return replace(state, registry=registry, visible=now_visible), outcome, changes


def _blinked(state: TargetState, named: Collection[int], time: float, lingers: float) -> list[int]:
    """Who was visible, is not found now, and has not been missed for long enough to have left."""
    if not lingers:
        return []
    missed = (identity for identity in state.visible.identities if identity not in named)
    return [identity for identity in missed if time - state.registry.seen(identity) <= lingers]


def _decide_events(heads: Heads, state: TargetState, seen: _Seen) -> tuple[TargetState, EventOutcome]:
    """Seat candidates in slots, score them, and let each slot take its best legal edge."""
    slots, seating, candidates = _seated(heads, state, seen)
    inputs_MI = _inputs(heads, seen, seating, candidates)
    operator = state.target.operator
    if isinstance(heads.events, IncrementHead):
        logits_M: Tensor = heads.events(inputs_MI, seen.target_D, operator)
        done = _increments(heads.events, logits_M, seating)
        return replace(state, slots=slots), EventOutcome(
            candidates, seating, inputs_MI, done, logits_M=logits_M
        )
    scores: Tensor = heads.events(inputs_MI, seen.target_D, operator, state.target.scope)
    graph = graph_for(operator)
    probabilities: Sequence[Sequence[float]]
    if heads.config.patient and heads.events.knows(seen.target_D, operator, state.target.scope):
        before = slots.waited or ((),) * len(slots.phases)
        choice = patient(scores, graph, slots.phases, before, seating.present)
        edges, probabilities = choice.edges, choice.gathered
        slots = replace(slots, waited=choice.waited)
    else:
        edges = greedy(scores, graph, slots.phases, seating.present)
        probabilities = scores.detach().exp().tolist()
    done = _completed(probabilities, graph, edges)
    slots = replace(slots, phases=tuple(edge.target for edge in edges))
    outcome = EventOutcome(candidates, seating, inputs_MI, done, log_probs_ME=scores, edges=edges)
    return replace(state, slots=slots), outcome


def _completed(
    probabilities_ME: Sequence[Sequence[float]], graph: EventGraph, edges: tuple[Edge, ...]
) -> tuple[Completion, ...]:
    return tuple(
        Completion(slot, f"{edge.source}->{edge.target}", probabilities_ME[slot][graph.edges.index(edge)])
        for slot, edge in enumerate(edges)
        if edge.increment
    )


def _increments(head: IncrementHead, logits_M: Tensor, seating: Seating) -> tuple[Completion, ...]:
    probabilities = logits_M.detach().sigmoid().tolist()
    accepted = head.accept(logits_M, seating.present)
    return tuple(
        Completion(slot, "increment", probabilities[slot]) for slot, yes in enumerate(accepted) if yes
    )


def _seated(heads: Heads, state: TargetState, seen: _Seen) -> tuple[Slots, Seating, Candidates | None]:
    if state.target.scope is Scope.GLOBAL:
        # One stream, present whenever anything was seen.
        return state.slots, Seating((0,) if len(seen.tokens_JW) else (None,)), None
    candidates: Candidates = heads.pooling(seen.tokens_JW, seen.target_D)
    visible_CW = candidates.features_CW[: candidates.visible]
    slots, seating = seat(state.slots, visible_CW, heads.config.track_cosine)
    return slots, seating, candidates


def _inputs(heads: Heads, seen: _Seen, seating: Seating, candidates: Candidates | None) -> Tensor:
    """h = [mean; pulses; gathered; candidate]; of a global stream the last is the mean once more.

    Of a global stream all candidates of the target are gathered, of an individual's it alone; zeros where
    nothing is seen.
    """
    width, config = seen.tokens_JW.shape[1], heads.config
    rows = []
    for place in seating.candidates:
        if place is None:
            rows.append(seen.mean_V.new_zeros(len(seen.mean_V) + config.gathering + width))
        elif candidates is None:
            rows.append(torch.cat([seen.mean_V, _gathered(heads, seen), seen.mean_V[:width]]))
        else:
            own_W = candidates.features_CW[place]
            rows.append(torch.cat([seen.mean_V, _alone(config, own_W), own_W]))
    return torch.stack(rows)


def _gathered(heads: Heads, seen: _Seen) -> Tensor:
    if not heads.config.gathered:
        return seen.mean_V.new_zeros(0)
    gathered_QX = heads.pooling.gather(seen.tokens_JW, seen.target_D)
    return gathered_QX.flatten()


def _alone(config: HeadsConfig, own_W: Tensor) -> Tensor:
    """One candidate, surely visible, and no others."""
    gathered_X = own_W.new_zeros(config.gathering)
    if config.gathered:
        gathered_X[0] = 1.0
        gathered_X[1 : 1 + config.gathered] = own_W[config.gathered_columns].detach()
    return gathered_X


def _fitting(heads: Heads, features: Features) -> _Seen:
    """Refuse features that do not fit; an observation without visual vectors is legal and sees nothing."""
    config: HeadsConfig = heads.config
    like = heads.association.classes_2W
    tokens_JW = torch.as_tensor(features.tokens)
    if tokens_JW.ndim != 2 or tokens_JW.shape[1] != config.width:
        got = tuple(tokens_JW.shape)
        raise InvalidInput(f"expected visual vectors of shape (tokens, {config.width}), got {got}")
    target_D = _vector("a target vector", features.target, config.target_width, like)
    if len(tokens_JW) == 0:
        # The mean of nothing may be anything; no slot is present to read it.
        nothing_V = like.new_zeros(config.width + config.pulses)
        return _Seen(features.time, tokens_JW.to(like), nothing_V, target_D)
    if not _is_finite(tokens_JW):
        raise InvalidInput(
            f"expected finite visual vectors, got NaN or infinity at observation {features.observation}"
        )
    mean_V = _vector("a mean visual vector", features.mean, config.width + config.pulses, like)
    return _Seen(features.time, tokens_JW.to(like), mean_V, target_D)


def _vector(what: str, value: object, width: int, like: Tensor) -> Tensor:
    vector = torch.as_tensor(value)
    if vector.shape != (width,):
        raise InvalidInput(f"expected {what} of width {width}, got shape {tuple(vector.shape)}")
    if not _is_finite(vector):
        raise InvalidInput(f"expected {what} of finite numbers, got NaN or infinity")
    return vector.to(like)


def _is_finite(values: Tensor) -> bool:
    # A finite sum has finite terms and is quick; one that overflows says nothing yet.
    return math.isfinite(values.sum().item()) or bool(values.isfinite().all())
