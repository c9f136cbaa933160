"""Object trajectories on frozen looks: which there are, and what a model says of them. Scores nothing."""

from dataclasses import dataclass

import torch

from stamina_video.runtime import Model
from stamina_video.semantics import Observation
from stamina_video.training.experiments.catalogue import Trial
from stamina_video.training.footage import Aim, Footage
from stamina_video.training.matching import matched
from stamina_video.training.rollout import roll
from stamina_video.training.sample import Lesson, Sample, Shown
from stamina_video.training.stretch import Stretch, stretches
from stamina_video.transitions import ObjectOutcome, Outcome, SoftTotals

COUNT_ONLY, IDENTITY_VERIFIED = "count only", "identity verified"
SOURCES = {
    "packing": IDENTITY_VERIFIED,
    "doorway": IDENTITY_VERIFIED,
    "conveyor": COUNT_ONLY,
    "shelf": COUNT_ONLY,
}
PARTS = AIMS = 2  # stretches of a parent and targets of a stretch: four trajectories


@dataclass(frozen=True, slots=True)
class Born:
    """An accepted identity, and the individual it shows where that can be told."""

    time: float
    shows: str | None


@dataclass(frozen=True, slots=True)
class ToldObjects:
    """Visible counts at every look; unique ones, accepted and soft, at the endpoints."""

    trajectory: str
    visible: tuple[int, ...]
    unique: tuple[int, ...]
    soft_unique: tuple[float, ...]
    births: tuple[Born, ...]


def busiest(footage: Footage, number: int) -> list[Aim]:
    """The object targets of which most individuals are ever in view."""
    met = {one.entity for look in footage.visible for one in look}
    objects = [aim for aim in footage.aims if not aim.target.operator.is_event]
    return sorted(objects, key=lambda aim: -len(met.intersection(aim.entities)))[:number]


def object_trials(footage: Footage, stratum: str) -> list[Trial]:
    return [
        Trial(stretch, aim, stratum)
        for stretch in stretches(footage, PARTS)
        for aim in busiest(footage, AIMS)
    ]


def object_sample(trial: Trial, looks: list[Observation]) -> Sample:
    lesson = trial.stretch.object_lesson(trial.aim, identities=trial.stratum == IDENTITY_VERIFIED)
    return Sample(trial.name, lambda: looks, (lesson,))


@torch.no_grad()
def tell_objects(model: Model, stretch: Stretch, aim: Aim, looks: list[Observation]) -> ToldObjects:
    name = f"{stretch.name} {aim.target.description}"
    outcomes = roll(model, Sample(name, lambda: looks, (Lesson(aim.target),))).of(0)
    objects = [_objects(outcome) for outcome in outcomes]
    accepted = [sum(map(one.resolution.is_new, range(one.candidates.visible))) for one in objects]
    soft_P = SoftTotals.since_origin(objects).unique_P
    births = tuple(
        Born(looks[number].time, shows)
        for number, (outcome, shown) in enumerate(zip(outcomes, stretch.shown(aim), strict=True))
        for shows in _births(outcome, shown)
    )
    return ToldObjects(
        name,
        tuple(one.candidates.visible for one in objects),
        tuple(sum(accepted[:end]) for end in stretch.ends),
        tuple(soft_P[end].item() for end in stretch.ends),
        births,
    )


def _births(outcome: Outcome, shown: tuple[Shown, ...]) -> list[str | None]:
    objects = _objects(outcome)
    assert outcome.boxes_J4 is not None, "compact models place what they see"
    who = matched(objects.candidates, outcome.boxes_J4, shown)
    return [
        who.get(candidate)
        for candidate in range(objects.candidates.visible)
        if objects.resolution.is_new(candidate)
    ]


def _objects(outcome: Outcome) -> ObjectOutcome:
    assert outcome.objects is not None, "an object target"
    return outcome.objects
