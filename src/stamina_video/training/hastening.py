"""A sample as if it had happened faster: every few observations only, as close in time as before.

Simulated cycles take a second or more and real ones half of that; whoever counts them must have met both.
"""

from collections.abc import Sequence
from dataclasses import replace

from stamina_video.semantics import Observation
from stamina_video.training.sample import Lesson, Sample
from stamina_video.transitions import CountLabels

# J endpoints


def hastened(sample: Sample, times: int) -> Sample:
    """So many times as fast. What is known only of observations that are left out is left out."""

    def read() -> Sequence[Observation]:
        every = sample.read()
        return [replace(one, index=place, time=every[place].time) for place, one in enumerate(every[::times])]

    lessons = tuple(_hastened(lesson, times) for lesson in sample.lessons)
    return replace(sample, id=f"{sample.id} x{times}", read=read, lessons=lessons, asked=())


def _hastened(lesson: Lesson, times: int) -> Lesson:
    return replace(
        lesson,
        visible=_counted(lesson.visible, times),
        unique=_counted(lesson.unique, times),
        completed=_counted(lesson.completed, times),
        shown=None if lesson.shown is None else lesson.shown[::times],
        crossings=None
        if lesson.crossings is None
        else tuple(replace(one, observation=-(-one.observation // times)) for one in lesson.crossings),
    )


def _counted(labels: CountLabels | None, times: int) -> CountLabels | None:
    """Changes since an earlier moment are told of the whole sample only."""
    if labels is None or labels.starts_J is not None:
        return None
    left_J = (labels.ends_J - 1) % times == 0
    if not left_J.any():
        return None
    return CountLabels((labels.ends_J[left_J] - 1) // times + 1, labels.counts_J[left_J])
