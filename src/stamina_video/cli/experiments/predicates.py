"""`predicates`: decisions that hang on a count, from the state and from an answer-only head."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from stamina_video.cli.experiments.page import Finding, Page
from stamina_video.evaluation import ROUTINES, percent
from stamina_video.evaluation.predicates import Decision, accuracy, balanced
from stamina_video.evaluation.tables import MEASURED, PUBLISHED, Table
from stamina_video.semantics import InvalidInput, Measure, Operator
from stamina_video.training.experiments.answer_heads import AnswerHead, Asked, answers, questions, taught
from stamina_video.training.experiments.catalogue import Trial
from stamina_video.training.experiments.event_heads import complete, tell
from stamina_video.training.experiments.ground import Events, Ground
from stamina_video.training.experiments.objects import busiest, tell_objects
from stamina_video.training.footage import Aim, Footage
from stamina_video.training.stretch import Stretch, stretches
from stamina_video.training.takes import ROUTINES as LATER
from stamina_video.transitions.scorer import EdgeScorer

PAPER = {
    "inventory": (61.0, 74.0),
    "handover": (65.0, 78.0),
    "restocking": (58.0, 72.0),
    "repetition": (60.0, 75.0),
}
FAMILIES = {
    "inventory": ("packing", "conveyor", "shelf", "doorway"),
    "handover": ("handover",),
    "restocking": ("shelf",),
    "repetition": ("exercise",),
}
EVENTS = {"handover": Operator.E2_EPISODE, "repetition": Operator.E2_PERIODIC}
UNSEEN = ("handover",)
COUNTED = ("packing", "conveyor", "shelf", "doorway")  # where the answer-only head learns to count things
Pair = tuple[Decision, Decision]  # from the state, and from the answer-only head


@dataclass(frozen=True, eq=False, slots=True)
class Deciders:
    ground: Ground
    events: Events
    state: EdgeScorer
    answer: AnswerHead


def run(ground: Ground) -> Page:
    events = ground.events()
    asked = questions(events.training)
    _ask_about_objects(ground, events, asked)
    settings = ground.extent.settings
    deciders = Deciders(
        ground,
        events,
        complete(ground.model.heads.config, events.training, settings, seed=0),
        taught(asked, settings, seed=0),
    )
    rows = [(name, PUBLISHED, "200", f"{sft:.1f}", f"{ours:.1f}") for name, (sft, ours) in PAPER.items()]
    findings, notes = [], []
    for name in ROUTINES:
        try:
            number, control, ours = _accuracies(deciders, name)
        except InvalidInput as error:
            notes.append(f"{name}: {error}")
            continue
        rows.append((name, MEASURED, str(number), percent(control), percent(ours)))
        findings.append(
            Finding(
                f"The state decides {name} better than answers: {PAPER[name][1]} to {PAPER[name][0]} %.",
                f"{percent(ours)} to {percent(control)} %.",
                ours > control,
            )
        )
    return Page(
        "predicates",
        "Predicates: decisions that hang on a count",
        tuple(findings),
        (
            Table(
                ("Routine", "Source", "Decisions", "Answer-only", "Complete"),
                tuple(rows),
                words=2,
                title="Accuracy",
            ),
        ),
        {
            "model": ground.model.name,
            "predicates": {name: str(predicate) for name, predicate in ROUTINES.items()},
            "decisions per video": 5,
            "updates": settings.updates,
        },
        tuple(notes),
    )


def _accuracies(deciders: Deciders, name: str) -> tuple[int, float, float]:
    """How many decisions, and how often the answer-only head and the state are right."""
    predicate = ROUTINES[name]
    pairs = [
        pair for footage in _footage(deciders.ground, name) for pair in _decisions(deciders, name, footage)
    ]
    chosen = balanced(predicate, [ours for ours, _ in pairs])
    control = {(other.video, other.time): other for _, other in pairs}
    others = [control[one.video, one.time] for one in chosen]
    return len(chosen), accuracy(predicate, others), accuracy(predicate, chosen)


def _footage(ground: Ground, name: str) -> Iterator[Footage]:
    """Parents that no head was trained on."""
    families = FAMILIES[name]
    each, held_out = -(-ground.extent.videos // len(families)), ground.extent.diagnostic
    for family in families:
        if family in UNSEEN:
            yield from ground.footage(family, range(each), "unseen")
        else:
            later = range(LATER, LATER + each - min(held_out, each))
            yield from ground.footage(family, [*range(min(held_out, each)), *later])


def _decisions(deciders: Deciders, name: str, footage: Footage) -> list[Pair]:
    """One at every look."""
    stretch = stretches(footage, 1)[0]
    if ROUTINES[name].measure is Measure.VISIBLE:
        aim = busiest(footage, 1)[0]
        truth = [len(look) for look in stretch.shown(aim)]
        ours = _visible(deciders, stretch, aim)
    else:
        aim = next(aim for aim in footage.aims if aim.target.operator is EVENTS[name])
        truth = [sum(done <= time for done in stretch.completions(aim)) for time in stretch.times]
        ours = _completed(deciders, stretch, aim)
    theirs = _answered(deciders, stretch, aim, EVENTS.get(name, Operator.O1_SNAP))
    return [
        (Decision(stretch.parent, time, true, mine), Decision(stretch.parent, time, true, other))
        for time, true, mine, other in zip(stretch.times, truth, ours, theirs, strict=True)
    ]


def _visible(deciders: Deciders, stretch: Stretch, aim: Aim) -> Sequence[int]:
    ground = deciders.ground
    return tell_objects(
        ground.still(ground.model, aim), stretch, aim, ground.looks(stretch, ground.model)
    ).visible


def _completed(deciders: Deciders, stretch: Stretch, aim: Aim) -> list[int]:
    track = deciders.ground.tracked(Trial(stretch, aim, ""), deciders.ground.model)
    commits = tell(deciders.state, deciders.events.standard(track)).commits
    return [sum(done <= time for done in commits) for time in stretch.times]


def _answered(deciders: Deciders, stretch: Stretch, aim: Aim, operator: Operator) -> list[int]:
    asked = Asked()
    at_every_look = dict.fromkeys(range(1, len(stretch) + 1), 0)  # the truth is not asked for
    _ask(deciders.ground, deciders.events, asked, stretch, aim, operator, at_every_look)
    return answers(deciders.answer, asked)


def _ask_about_objects(ground: Ground, events: Events, asked: Asked) -> None:
    first = ground.extent.diagnostic
    for family in COUNTED:
        for footage in ground.footage(family, range(first, first + ground.extent.training)):
            stretch, aim = stretches(footage, 1)[0], busiest(footage, 1)[0]
            shown = stretch.shown(aim)
            counts = {end: len(shown[end - 1]) for end in stretch.ends}
            _ask(ground, events, asked, stretch, aim, Operator.O1_SNAP, counts)


def _ask(
    ground: Ground,
    events: Events,
    asked: Asked,
    stretch: Stretch,
    aim: Aim,
    operator: Operator,
    counts: dict[int, int],
) -> None:
    looks = ground.looks(stretch, ground.model)
    means_TV = events.standard.of_means(torch.stack([look.image.mean_D for look in looks]))
    target_D = ground.still(ground.model, aim).target_vector(aim.target)
    for end, count in counts.items():
        asked.add(means_TV, target_D, operator, end, count)
