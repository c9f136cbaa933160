"""What may be counted in a scene, in words: targets, other wordings, questions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stamina_video.data.world.body import Entity
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.kinds import KINDS
from stamina_video.semantics import Operator, Scope, Target


@dataclass(frozen=True, slots=True)
class Counted:
    """A target, how else people say it, the question that asks for it, and whom it concerns."""

    target: Target
    aliases: tuple[str, ...]
    question: str  # "{window}" stands for the seconds of a windowed operator
    entities: frozenset[int]
    event: str = ""  # the script's name; empty for objects


_PEOPLE = ("people", ("persons", "men and women"))
_BOXES = ("boxes", ("cardboard boxes", "cartons"))

_QUESTIONS = {
    Operator.O1_SNAP: ("How many {} are visible at this moment?", "How many {} are in view right now?"),
    Operator.O1_DELTA: ("How many {} have appeared in the past {{window}} seconds?",),
    Operator.O2_UNIQUE: (
        "How many different {} have appeared so far?",
        "How many distinct {} have been seen so far?",
    ),
    Operator.O2_GAIN: (
        "How many {} that have never appeared before have appeared in the past {{window}} seconds?",
    ),
}


def plural(kind: str) -> tuple[str, tuple[str, ...]]:
    """The usual word for several of a kind, and others that mean the same."""
    if kind in KINDS:
        return KINDS[kind].plural, KINDS[kind].aliases
    return {"person": _PEOPLE, "box": _BOXES}[kind]


def object_targets(dice: Dice, entities: Iterable[Entity]) -> list[Counted]:
    """Every kind in the scene, and every colour of a kind of several colours, under the object operators."""
    groups: dict[tuple[str, str], set[int]] = {}
    for entity in entities:
        groups.setdefault((entity.kind, ""), set()).add(entity.id)
        if entity.colour and entity.kind != "person":
            groups.setdefault((entity.kind, entity.colour), set()).add(entity.id)
    counted = []
    for (kind, colour), ids in groups.items():
        if colour and groups[kind, ""] == ids:
            continue
        noun, others = plural(kind)
        words = tuple(f"{colour} {word}".strip() for word in (noun, *others))
        for operator, questions in _QUESTIONS.items():
            question = dice.pick(questions).format(words[0])
            counted.append(Counted(Target(words[0], operator), words[1:], question, frozenset(ids)))
    return counted


def event_target(
    operator: Operator,
    words: Sequence[str],
    question: str,
    entities: Iterable[int],
    event: str,
    scope: Scope | None = None,
) -> Counted:
    """An event of a scene's script; the first wording is the canonical one. The script knows who acts."""
    if scope is None and operator in (Operator.E1_ACTION, Operator.E2_EPISODE):
        scope = Scope.ENTITY
    return Counted(Target(words[0], operator, scope), tuple(words[1:]), question, frozenset(entities), event)
