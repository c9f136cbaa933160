"""Samples from simulated scenes: planned, filmed once, and told exactly. Knows nothing of stages."""

import operator
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

import torch

from stamina_video.data.world import family_names
from stamina_video.semantics import Observation
from stamina_video.training.footage import Aim, Footage, Take
from stamina_video.training.sample import Lesson, Sample
from stamina_video.training.stretch import Stretch
from stamina_video.training.takes import takes
from stamina_video.transitions import CountLabels

EVERY = 1.0  # seconds between the endpoints of an event: a count trajectory, not a frame-by-frame script


def planned(scenes: int, first: int = 0) -> list[Take]:
    """So many scenes of every family of the training split, one of each after the other."""
    families = family_names("train")
    return [
        take
        for number in range(first, first + scenes)
        for family in families
        for take in takes(family, [number])
    ]


def scene_sample(footage: Footage) -> Sample:
    return Sample(
        footage.take.name, lambda: _observations(footage), scene_lessons(footage), footage.take.family
    )


def scene_lessons(footage: Footage) -> tuple[Lesson, ...]:
    """One for each thing that can be counted. Things are counted at every look, events every second."""
    whole = Stretch(footage, 0, len(footage.take.times))
    return tuple(
        _event(whole, aim) if aim.target.operator.is_event else _objects(whole, aim) for aim in footage.aims
    )


def other_words(footages: Sequence[Footage]) -> dict[str, tuple[str, ...]]:
    """By description."""
    found: dict[str, tuple[str, ...]] = {}
    for footage in footages:
        for aim in footage.aims:
            found[aim.target.description] = tuple(
                dict.fromkeys((*found.get(aim.target.description, ()), *aim.aliases))
            )
    return found


def _observations(footage: Footage) -> list[Observation]:
    name = footage.take.name
    return [
        Observation(name, number, time, percept, number)
        for number, (time, percept) in enumerate(zip(footage.take.times, footage.percepts(), strict=True))
    ]


def _objects(whole: Stretch, aim: Aim) -> Lesson:
    """Who is visible and who was new are two numbers of one state, so they are one lesson."""
    shown = whole.shown(aim)
    met = accumulate((frozenset(one.identity for one in look) for look in shown), operator.or_)
    ends_J = torch.arange(1, len(shown) + 1)
    return Lesson(
        aim.target,
        visible=CountLabels(ends_J, torch.tensor([len(look) for look in shown])),
        unique=CountLabels(ends_J, torch.tensor([len(known) for known in met])),
        shown=shown,
    )


def _event(whole: Stretch, aim: Aim) -> Lesson:
    times, completions, shown = whole.times, whole.completions(aim), whole.shown(aim)
    moments = [step * EVERY for step in range(1, int(times[-1] / EVERY) + 1)] + [times[-1]]
    ends = sorted({bisect_right(times, moment) for moment in moments})
    return Lesson(
        aim.target,
        visible=CountLabels(torch.arange(1, len(shown) + 1), torch.tensor([len(look) for look in shown])),
        # Labels hold at the last look, so that what happened after it is not asked of it.
        completed=CountLabels(
            torch.tensor(ends), torch.tensor([bisect_right(completions, times[end - 1]) for end in ends])
        ),
        shown=shown,
        crossings=whole.crossings(aim),
    )
