"""A part of a long sample, counted from its own beginning."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from stamina_video.semantics import Observation, Phase, graph_for
from stamina_video.training.claims import observations
from stamina_video.training.objective import SCENE
from stamina_video.training.sample import Crossing, Lesson, Sample
from stamina_video.transitions import CountLabels

RUNS = (4, 8, 12, 12, 16, 32)  # observations of a scene's run: as many as a window holds, fewer, and more
CHANGING = 0.6  # the share of runs in which something changes, where anything does


def some_run(sample: Sample, chance: random.Random) -> Sample:
    """A few observations in a row: neighbours look alike, so many short runs show more than one long one."""
    length, whole = chance.choice(RUNS), observations(sample)
    last = max(whole - length, 0)
    changes = [crossing.observation for lesson in sample.lessons for crossing in lesson.crossings or ()]
    if changes and chance.random() < CHANGING:
        change = chance.choice(changes)
        return part(sample, min(max(change - chance.randrange(1, length), 0), last), length)
    return part(sample, chance.randint(0, last), length)


def some_still(sample: Sample, chance: random.Random) -> Sample:
    """One observation at which something visible was counted."""
    told = {int(end) for one in sample.lessons if one.visible is not None for end in one.visible.ends_J}
    moments = sorted(end for end in told if end > 0)
    return part(sample, chance.choice(moments) - 1 if moments else 0, 1)


def part(sample: Sample, first: int, length: int) -> Sample:
    """What cannot be told of a part alone is left out of it."""

    def read() -> Sequence[Observation]:
        return sample.read()[first : first + length]

    lessons = tuple(_parts(sample.lessons, first, first + length))
    # Answers count from the sample's beginning.
    asked = () if first else tuple(one for one in sample.asked if one.observations <= length)
    return replace(sample, read=read, lessons=lessons, asked=asked if lessons else ())


def _parts(lessons: Sequence[Lesson], first: int, end: int) -> Iterator[Lesson]:
    for lesson in lessons:
        phase = _phase(lesson, first)
        part = replace(
            lesson,
            visible=_within(lesson.visible, first, end),
            # Who was met before the part began would be counted as new in it.
            unique=_within(lesson.unique, first, end) if first == 0 else None,
            # A count begins in the initial phase.
            completed=_since(lesson.completed, first, end) if phase is None else None,
            shown=None if lesson.shown is None else lesson.shown[first:end],
            crossings=_crossed(lesson.crossings, first, end),
            phase=phase,
        )
        if any(told is not None for told in (part.visible, part.unique, part.completed, part.crossings)):
            yield part


def _phase(lesson: Lesson, first: int) -> Phase | None:
    """Where one stream stands when the part begins, if not in its initial phase."""
    if not first or lesson.crossings is None:
        return lesson.phase
    before = [one.edge.target for one in lesson.crossings if one.observation <= first]
    stands = before[-1] if before else lesson.phase
    return None if stands is graph_for(lesson.target.operator).initial else stands


def _crossed(crossings: tuple[Crossing, ...] | None, first: int, end: int) -> tuple[Crossing, ...] | None:
    """Changes after the part's first observation; of several subjects they are told from the start only."""
    if crossings is None or first == 0:
        return crossings
    if any(one.subject != SCENE for one in crossings):
        return None
    return tuple(
        replace(one, observation=one.observation - first)
        for one in crossings
        if first < one.observation < end
    )


def _within(labels: CountLabels | None, first: int, end: int) -> CountLabels | None:
    """Counts at moments. Changes between two moments are told of the whole sample only."""
    if labels is None or (first and labels.starts_J is not None):
        return None
    inside = (labels.ends_J > first) & (labels.ends_J <= end)
    if not inside.any():
        return None
    starts_J = None if labels.starts_J is None else labels.starts_J[inside]
    return CountLabels(labels.ends_J[inside] - first, labels.counts_J[inside], starts_J)


def _since(labels: CountLabels | None, first: int, end: int) -> CountLabels | None:
    """Completions after the part's first moment; that moment must be an endpoint itself."""
    if labels is None or first == 0:
        return _within(labels, first, end)
    here = (labels.ends_J == first).nonzero().flatten()
    found = _within(labels, first, end)
    if not len(here) or found is None:
        return None
    return CountLabels(found.ends_J, found.counts_J - labels.counts_J[here[0]])
