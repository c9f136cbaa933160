"""A whole trajectory in one pass: what a decoder that begins with nothing learns first. No state advances.

Visibility is taught query by query, by verified boxes, and every event is one stream of the whole scene.
Both read what deployment reads: the same tokens, the same pooling, the same scores of legal edges.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor
from torch.nn import functional

from stamina_video.backbone import CompactBackbone
from stamina_video.backbone.perception import Glimpse, PerceptLayout
from stamina_video.backbone.pulses import Past
from stamina_video.backbone.tokens import collate
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput, Observation, Target, graph_for
from stamina_video.training.matching import paired
from stamina_video.training.objective import (
    SCENE,
    increment_loss,
    mean_path_loss,
    path_loss,
    seated_sites,
)
from stamina_video.training.sample import Lesson, Sample, Shown
from stamina_video.training.start import asked_seats
from stamina_video.transitions import LossTerms, SoftTotals, boundary_loss, object_loss
from stamina_video.transitions.increments import IncrementHead
from stamina_video.transitions.pooling import Pooling

# K targets, T observations, N tokens, F their width, D target width, Q pooling queries, A seats asked for,
# E edges, P pulses (of counts: T + 1 prefixes), V = F + P

STRIDE = 12  # observations that gradients through the memory reach, as in a rollout
SOFT = 0.3  # of pooled visibility beside where its query looks: a hard softmax hardly passes gradients
COUNTED = 0.1  # of a count beside boxes: it says how many, not who


@dataclass(frozen=True, eq=False, slots=True)
class Means:
    """All that a global stream reads of a trajectory; where nothing was seen it is not present."""

    mean_TV: Tensor  # with the pulses behind it
    present_T1: Tensor
    # Whom a target's candidates may be; nobody is gathered where it is not kept.
    seated_TSF: Tensor | None = None
    is_blind: bool = False  # the mean says nothing, and nothing is to be learned from it
    # By the target's words, while the pooling rests: to gather costs more than all that is learned from it.
    _gathered: dict[str, Tensor] = field(default_factory=dict)

    @torch.no_grad()
    def gathered(self, model: Model, target: Target) -> Tensor:
        """(T, X): what a global stream gathers of the target's candidates."""
        config = model.heads.config
        if self.seated_TSF is None or not config.gathered:
            return self.mean_TV.new_zeros(len(self.mean_TV), config.gathering)
        kept = self._gathered.get(target.description)
        if kept is None:
            seated_TSF = self.seated_TSF.float()
            kept = model.heads.pooling.gather(seated_TSF, model.target_vector(target)).flatten(1).half()
            self._gathered[target.description] = kept
        return kept.to(self.mean_TV)


@dataclass(frozen=True, eq=False, slots=True)
class Watched:
    """A decoded trajectory; tokens are zero where absent."""

    tokens_TNF: Tensor
    mean_TF: Tensor
    present_TN: Tensor
    boxes_TN4: Tensor

    def means(self, pulses_TP: Tensor, seats: int = 0) -> Means:
        """With `seats`, what sits on them is kept in half precision: grid cells are no candidates."""
        seated_TSF = _seated(self.tokens_TNF, seats).half() if seats else None
        mean_TV = torch.cat([self.mean_TF, pulses_TP], dim=1)
        return Means(mean_TV, self.present_TN.any(1, keepdim=True), seated_TSF)


@dataclass(frozen=True, eq=False, slots=True)
class Pooled:
    """Where each query looks and how visible what it sees is, both as logits."""

    looks_TKQN: Tensor
    visible_TKQ: Tensor


def at_once(model: Model, sample: Sample, mean: bool = False) -> LossTerms:
    """Terms are sums over targets of means over time: a scene that shows more teaches more.

    With `mean` the path likelihood gives way to the squared error of expected counts, the control.
    """
    backbone = model.backbone
    if not isinstance(backbone, CompactBackbone):
        raise InvalidInput(f"expected a compact model to teach at once, got {model.name!r}")
    if not sample.lessons:
        return LossTerms()
    watched = watch(backbone, sample.read())
    # Whoever hears no pulse must see events: this is where the decoder learns to.
    unfelt_TP = watched.mean_TF.new_zeros(len(watched.mean_TF), backbone.pulses)
    events = event_terms(model, watched.means(unfelt_TP), sample, mean)
    return replace(events, object=things_loss(model, looked(model, watched, sample), sample.id))


def event_terms(model: Model, means: Means, sample: Sample, mean: bool = False) -> LossTerms:
    """What the events of a sample teach, each as one stream of the whole scene."""
    events = [
        _event(model, means, lesson, sample.id, mean)
        for lesson in sample.lessons
        if lesson.target.operator.is_event
    ]
    return LossTerms(path=_added(one.path for one in events), boundary=_added(one.boundary for one in events))


def watch(backbone: CompactBackbone, observations: Sequence[Observation], stride: int = STRIDE) -> Watched:
    """Spans of `stride` observations, each with gradients of its own; the values go on."""
    decoder, state = backbone.decoder, backbone.decoder.initial()
    glimpse: Glimpse | None = None
    spans, means = [], []
    for first in range(0, len(observations), stride):
        seen = []
        for observation in observations[first : first + stride]:
            percept, glimpse = backbone.eyes.perceive(observation.image, glimpse)
            seen.append((observation.time, percept))
        batch = collate([seen])
        decoded = decoder(batch, state)
        state = decoded.state.detached()
        spans.append((decoded.tokens_BTNF[0], batch.present_BTN[0], batch.boxes_BTN4[0]))
        means.append(decoded.mean_BTF[0])
    tokens, present, boxes = zip(*spans, strict=True)
    most = max(one.shape[1] for one in tokens)
    return Watched(
        torch.cat([functional.pad(one, (0, 0, 0, most - one.shape[1])) for one in tokens]),
        torch.cat(means),
        torch.cat([functional.pad(one, (0, most - one.shape[1])) for one in present]),
        torch.cat([functional.pad(one, (0, 0, 0, most - one.shape[1])) for one in boxes]),
    )


def felt(backbone: CompactBackbone, observations: Sequence[Observation]) -> Tensor:
    """The pulses of a trajectory: (T, P)."""
    glimpse: Glimpse | None = None
    past: Past | None = None
    pulses = []
    for observation in observations:
        percept, glimpse = backbone.eyes.perceive(observation.image, glimpse)
        pulses_P, past = backbone.feel(percept, observation.time, past)
        pulses.append(pulses_P)
    return torch.stack(pulses)


def edge_scores(model: Model, means: Means, target: Target) -> Tensor:
    """The event head's word on one global stream: (T, 1, E), or (T, 1) where there is no graph."""
    mean_TV, config = means.mean_TV, model.heads.config
    target_D = model.target_vector(target)
    gathered_TX = means.gathered(model, target)
    own_TW = mean_TV[:, : config.width]
    own_TW = torch.zeros_like(own_TW) if means.is_blind else own_TW
    inputs_T1I = torch.cat([mean_TV, gathered_TX, own_TW], dim=-1)[:, None]
    scores: Tensor = model.heads.events(inputs_T1I, target_D, target.operator)
    return scores


def _seated(tokens_TNF: Tensor, seats: int) -> Tensor:
    """The tokens that have a seat, each in its place; zero where nobody sits."""
    is_seated_TNS = (tokens_TNF[..., -seats:] > 0).to(tokens_TNF)
    return is_seated_TNS.mT @ tokens_TNF


def pool(pooling: Pooling, watched: Watched, targets_KD: Tensor) -> Pooled:
    """All queries of all targets over all observations: rows R of one product."""
    asked_KQF = pooling.asked(targets_KD)
    looks_TRN = pooling.scores(asked_KQF.flatten(0, 1), watched.tokens_TNF)
    nowhere = torch.finfo(looks_TRN.dtype).min
    looks_TRN = looks_TRN.masked_fill(~watched.present_TN[:, None], nowhere)
    features_TRF = looks_TRN.softmax(-1) @ watched.tokens_TNF
    sizes = (len(looks_TRN), *asked_KQF.shape[:2])
    return Pooled(looks_TRN.view(*sizes, -1), pooling.visibility(features_TRF).view(sizes))


def _event(model: Model, means: Means, lesson: Lesson, sample: str, mean: bool) -> LossTerms:
    """The path term per endpoint, so that a long trajectory does not drown the others."""
    scores, present_T1 = edge_scores(model, means, lesson.target), means.present_T1
    if isinstance(model.heads.events, IncrementHead):
        return LossTerms(path=increment_loss((scores.sigmoid() * present_T1).sum(1), lesson.completed))
    graph = graph_for(lesson.target.operator)
    objective = mean_path_loss if mean else path_loss
    path = objective(scores, graph, lesson.completed, present_T1, sample)
    if path is not None and lesson.completed is not None and not mean:
        path = path / len(lesson.completed.ends_J)
    if lesson.crossings is None:
        return LossTerms(path=path)
    sites = list(seated_sites([[(0, SCENE)]] * len(scores), lesson.crossings, graph, lesson.phase))
    return LossTerms(path=path, boundary=boundary_loss(scores, graph, sites, present_T1, sample))


@dataclass(frozen=True, eq=False, slots=True)
class Looked:
    """A decoded sample and what is told of its things, apart from any head."""

    watched: Watched
    counted: tuple[Lesson, ...]  # nobody knows which ones are visible, only how many
    shown: tuple[Lesson, ...]
    seated: "Seated | None"  # of those that are shown


def looked(model: Model, watched: Watched, sample: Sample) -> Looked:
    things = [lesson for lesson in sample.lessons if not lesson.target.operator.is_event]
    shown = tuple(lesson for lesson in things if lesson.shown is not None)
    counted = tuple(lesson for lesson in things if lesson.shown is None)
    backbone, queries = model.backbone, len(model.heads.pooling.queries_QD)
    assert isinstance(backbone, CompactBackbone), "whatever is watched was watched by one"
    layout = backbone.decoder.config.layout
    return Looked(watched, counted, shown, seated_truth(watched, shown, layout, queries) if shown else None)


def things_loss(model: Model, seen: Looked, sample: str) -> Tensor | None:
    """What the pooling says of all things, against boxes or counts."""
    lessons = (*seen.shown, *seen.counted)
    if not lessons:
        return None
    targets_KD = torch.stack([model.target_vector(lesson.target) for lesson in lessons])
    pooled = pool(model.heads.pooling, seen.watched, targets_KD)
    first = len(seen.shown)
    losses = [
        _counted(pooled.visible_TKQ[:, first + number], lesson, sample)
        for number, lesson in enumerate(seen.counted)
    ]
    if seen.seated is not None:
        told = Pooled(pooled.looks_TKQN[:, :first], pooled.visible_TKQ[:, :first])
        losses.append(seated_loss(told, seen.seated))
    return _added(losses)


def _counted(visible_TQ: Tensor, lesson: Lesson, sample: str) -> Tensor | None:
    seen_T = visible_TQ.sigmoid().sum(-1)
    seen_P = torch.cat([seen_T.new_zeros(1), seen_T])
    error = object_loss(SoftTotals(seen_P, seen_P), lesson.visible, trajectory=sample)
    return None if error is None else COUNTED * error


@dataclass(frozen=True, eq=False, slots=True)
class Seated:
    """Which query's seat shows an individual of which target."""

    seats: "_Seats"
    true_TKQ: Tensor


def seated_truth(watched: Watched, lessons: Sequence[Lesson], layout: PerceptLayout, queries: int) -> Seated:
    seats = _Seats.of(watched, layout, queries)
    none_TKQ = watched.mean_TF.new_zeros(len(watched.mean_TF), len(lessons), queries)
    return Seated(seats, _true(watched, seats, lessons, none_TKQ))


def seated_loss(pooled: Pooled, seated: Seated) -> Tensor:
    """Cross-entropy of every query: its own seat against the whole image, and what it says is visible."""
    seats, true_TKQ = seated.seats, seated.true_TKQ
    own_TKA = _looks_at(pooled.looks_TKQN, seats.own_TA)
    image_TKA = _looks_at(pooled.looks_TKQN, seats.image_T[:, None].expand_as(seats.own_TA))
    taken_TKA = seats.taken_TA[:, None].expand_as(own_TKA)
    true_TKA = true_TKQ[..., : own_TKA.shape[-1]]
    looks = functional.binary_cross_entropy_with_logits(
        (own_TKA - image_TKA)[taken_TKA], true_TKA[taken_TKA], reduction="sum"
    )
    visible = functional.binary_cross_entropy_with_logits(pooled.visible_TKQ, true_TKQ, reduction="sum")
    return (looks + SOFT * visible) / (true_TKQ.shape[0] * true_TKQ.shape[1])


@dataclass(frozen=True, eq=False, slots=True)
class _Seats:
    """Which token sits where a query asks, whether one does, and which token is the whole image."""

    own_TA: Tensor
    taken_TA: Tensor
    image_T: Tensor

    @classmethod
    def of(cls, watched: Watched, layout: PerceptLayout, queries: int) -> "_Seats":
        seats_TNS = watched.tokens_TNF[..., -layout.seats :].detach() > 0
        asked_TNA = seats_TNS[..., asked_seats(queries, layout)]
        return cls(asked_TNA.int().argmax(1), asked_TNA.any(1), seats_TNS[..., -1].int().argmax(1))


def _looks_at(looks_TKQN: Tensor, token_TA: Tensor) -> Tensor:
    targets, seats = looks_TKQN.shape[1], token_TA.shape[1]
    places_TKA1 = token_TA[:, None, :, None].expand(-1, targets, -1, -1)
    return looks_TKQN[:, :, :seats].gather(-1, places_TKA1).squeeze(-1)


def _true(watched: Watched, seats: _Seats, lessons: Sequence[Lesson], like_TKQ: Tensor) -> Tensor:
    """One where a query's seat shows an individual of the target. All that is verified competes for boxes."""
    true_TKQ = torch.zeros_like(like_TKQ)
    for moment, (own_A, taken_A) in enumerate(zip(seats.own_TA, seats.taken_TA, strict=True)):
        asked = taken_A.nonzero().flatten()
        here = [{one.identity: one for one in _shown(lesson)[moment]} for lesson in lessons]
        everyone = {name: one for shown in here for name, one in shown.items()}
        who = paired(watched.boxes_TN4[moment, own_A[asked]], list(everyone.values()))
        for place, identity in who.items():
            for number, shown in enumerate(here):
                if identity in shown:
                    true_TKQ[moment, number, asked[place]] = 1
    return true_TKQ


def _shown(lesson: Lesson) -> tuple[tuple[Shown, ...], ...]:
    assert lesson.shown is not None, "told by boxes"
    return lesson.shown


def _added(terms: Iterable[Tensor | None]) -> Tensor | None:
    present = [term for term in terms if term is not None]
    return torch.stack(present).sum() if present else None
