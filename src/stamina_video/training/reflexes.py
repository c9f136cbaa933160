"""The reflexes of the compact model's event head, and which words it is taught.

A cut is a transit; a swing to and fro is a cycle; a scene that stops looking as it did at first, and does
again, is an episode, and its return an action. Holding is worth nothing, so an edge that is worth more is
taken; the graph gives each its hysteresis.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import torch

from stamina_video.backbone.pulses import PULSES
from stamina_video.runtime import Model
from stamina_video.semantics import Operator, Role
from stamina_video.training.sample import Sample
from stamina_video.transitions.config import EVENT_OPERATORS, ROLES
from stamina_video.transitions.instincts import MOST, Instincts

BEYOND = 0.3  # of the middle of a swing: it is on the other side …
CLEARLY = 0.5  # … and of an episode, which lasts
STEEP = 4.0  # what a level is worth
READY = 3.0  # what being ready again is worth: it is never long in coming


@dataclass(frozen=True, slots=True)
class Reflex:
    """What the edges of one role are worth to one operator."""

    operator: Operator
    role: Role
    worth: float  # where no pulse is felt
    moved: Mapping[str, float] = field(default_factory=dict)  # by pulses


def _level(pulse: str, operator: Operator, role: Role, sign: float, beyond: float) -> Reflex:
    """As much as holding where the level is this far beyond the middle."""
    return Reflex(operator, role, -STEEP * beyond, {pulse: sign * STEEP})


def _moment(pulse: str, operator: Operator, by: float, tied: float) -> Reflex:
    """A completion at the moment of a pulse; as much as holding at so much of it."""
    return Reflex(operator, Role.COMPLETE, -by * tied, {pulse: by})


REFLEXES = (
    *(Reflex(operator, Role.RESET, READY) for operator in EVENT_OPERATORS),
    _moment("cut", Operator.E1_TRANSIT, by=6.0, tied=1.0),
    _moment("away_crossed", Operator.E1_ACTION, by=-8.0, tied=-0.5),
    _level("away_level", Operator.E2_EPISODE, Role.START, 1.0, CLEARLY),
    _level("away_level", Operator.E2_EPISODE, Role.COMPLETE, -1.0, CLEARLY),
    _level("appearance_level_12", Operator.E2_PERIODIC, Role.START, 1.0, BEYOND),
    _level("appearance_level_12", Operator.E2_PERIODIC, Role.COMPLETE, -1.0, BEYOND),
)


@torch.no_grad()
def teach(model: Model, samples: Iterable[Sample], other_words: Mapping[str, Sequence[str]]) -> None:
    """Gives a head that has instincts its reflexes, and the words of the events it will learn, in place."""
    instincts = getattr(model.heads.events, "instincts", None)
    if not isinstance(instincts, Instincts) or model.heads.config.pulses != len(PULSES):
        return
    instincts.reflexes_ORP.zero_()
    for reflex in REFLEXES:
        felt_P = instincts.reflexes_ORP[EVENT_OPERATORS.index(reflex.operator), ROLES.index(reflex.role)]
        felt_P[-1] = reflex.worth
        for pulse, by in reflex.moved.items():
            felt_P[PULSES.index(pulse)] = by
    targets = {lesson.target for sample in samples for lesson in sample.lessons}
    for operator in EVENT_OPERATORS:
        said = sorted({target.description for target in targets if target.operator is operator})
        others = [word for one in said for word in other_words.get(one, ())]
        words = list(dict.fromkeys((*said, *others)))[: max(MOST, len(said))]
        instincts.remember(operator, [model.backbone.encode_target(word) for word in words])
