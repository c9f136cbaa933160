"""A part of a long sample, counted from its own beginning."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from stamina_video.semantics import Observation
from stamina_video.training.sample import Lesson, Sample
from stamina_video.transitions import CountLabels

LENGTHS = (50, 70, 100)  # observations
OPENINGS = 0.5  # the share of parts that begin where the sample does


def some_part(sample: Sample, chance: random.Random) -> Sample:
    """So many observations, from the start or from a moment on whose counts are known."""
    length = chance.choice(LENGTHS)
    starts = _starts(sample.lessons, length)
    return part(sample, 0 if not starts or chance.random() < OPENINGS else chance.choice(starts), length)


def opening(sample: Sample, chance: random.Random) -> Sample:
    return part(sample, 0, chance.choice(LENGTHS))


def part(sample: Sample, first: int, length: int) -> Sample:
    """What cannot be told of a part alone is left out of it."""

    def read() -> Sequence[Observation]:
        return sample.read()[first : first + length]

    lessons = tuple(_parts(sample.lessons, first, first + length))
    # Answers count from the sample's beginning.
    asked = () if first else tuple(one for one in sample.asked if one.observations <= length)
    return replace(sample, read=read, lessons=lessons, asked=asked if lessons else ())


def _starts(lessons: Sequence[Lesson], length: int) -> list[int]:
    """Endpoints of events with a whole part behind them."""
    ends = {int(end) for one in lessons if one.completed is not None for end in one.completed.ends_J}
    return sorted(end for end in ends if 0 < end <= max(ends) - length)


def _parts(lessons: Sequence[Lesson], first: int, end: int) -> Iterator[Lesson]:
    for lesson in lessons:
        part = replace(
            lesson,
            visible=_within(lesson.visible, first, end),
            # Who was met before the part began would be counted as new in it.
            unique=_within(lesson.unique, first, end) if first == 0 else None,
            completed=_since(lesson.completed, first, end),
            crossings=lesson.crossings if first == 0 else None,
        )
        if part.visible is not None or part.unique is not None or part.completed is not None:
            yield part


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
