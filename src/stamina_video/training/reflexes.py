"""First values of the event head: before any lesson it completes what plain measures of the picture say.

A cut is a transit; a swing to and fro is a cycle; a scene that stops looking as it did at first, and does
again, is an episode, and its return an action. Nothing here is a rule of counting: every number is the first
value of a trained parameter, and lessons say for which words it does not hold. The graph gives each its
hysteresis.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from stamina_video.backbone.pulses import PULSES
from stamina_video.semantics import Operator, Role
from stamina_video.transitions.context import EVENT_OPERATORS
from stamina_video.transitions.scorer import ROLES, EdgeScorer

# H hidden width, O operators, R roles

STAYING = 3.0  # what holding is worth: an edge that is worth more is taken
ELSEWHERE = -30.0  # to an edge or an operator that a unit has nothing to say about
BEYOND = 0.3  # of the middle of a swing: it is on the other side


@dataclass(frozen=True, slots=True)
class Reflex:
    """One hidden unit: which edges of which operator it speaks for, and what moves it."""

    role: Role
    operator: Operator | None = None  # all of them
    worth: float = STAYING  # where no pulse is felt
    moved: Mapping[str, float] = field(default_factory=dict)  # by pulses


def _level(pulse: str, role: Role, operator: Operator, sign: float, steep: float = 4.0) -> Reflex:
    """Tied with holding where the level is just beyond the middle."""
    return Reflex(role, operator, STAYING - steep * BEYOND, {pulse: sign * steep})


def _moment(pulse: str, operator: Operator, by: float, tied: float) -> Reflex:
    """A completion at the moment a pulse comes; tied with holding at so much of it."""
    return Reflex(Role.COMPLETE, operator, STAYING - by * tied, {pulse: by})


REFLEXES = (
    Reflex(Role.HOLD),
    Reflex(Role.RESET, worth=2 * STAYING),
    _moment("cut", Operator.E1_TRANSIT, by=6.0, tied=1.0),
    _moment("away_crossed", Operator.E1_ACTION, by=-8.0, tied=-0.5),
    _level("away_level", Role.START, Operator.E2_EPISODE, 1.0),
    _level("away_level", Role.COMPLETE, Operator.E2_EPISODE, -1.0),
    _level("appearance_level_12", Role.START, Operator.E2_PERIODIC, 1.0),
    _level("appearance_level_12", Role.COMPLETE, Operator.E2_PERIODIC, -1.0),
)


@torch.no_grad()
def inform(scorer: EdgeScorer) -> None:
    """Sets the first hidden units in place; the others stay as they were drawn.

    A head that feels no pulses, or has no unit to spare, stays as it is.
    """
    context = scorer.context
    pulses_HP = context.from_pulses_HP
    if pulses_HP is None or pulses_HP.shape[1] < len(PULSES) or pulses_HP.shape[0] <= len(REFLEXES):
        return
    for unit, reflex in enumerate(REFLEXES):
        for linear in (context.from_input, context.from_target, scorer.from_source, scorer.from_target_phase):
            linear.weight[unit] = 0.0
        operators_O = torch.tensor([_fits(reflex.operator in (None, one)) for one in EVENT_OPERATORS])
        roles_R = torch.tensor([_fits(role is reflex.role) for role in ROLES])
        _answer(context.from_operator, unit, context.operators.weight, operators_O)
        _answer(scorer.from_role, unit, scorer.roles.weight, roles_R + reflex.worth)
        pulses_HP[unit] = 0.0
        for pulse, by in reflex.moved.items():
            pulses_HP[unit, PULSES.index(pulse)] = by
        scorer.score.weight[0, unit] = 1.0


def _fits(fits: bool) -> float:
    return 0.0 if fits else ELSEWHERE


def _answer(linear: nn.Linear, unit: int, questions_XH: Tensor, answers_X: Tensor) -> None:
    """The smallest weights that give these answers."""
    linear.weight[unit] = torch.linalg.pinv(questions_XH) @ answers_X
    if linear.bias is not None:
        linear.bias[unit] = 0.0
