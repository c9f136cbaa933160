"""Which loss terms a sample's labels speak of, known before it is rolled out."""

from stamina_video.training.sample import Lesson, Sample
from stamina_video.transitions import CountLabels

TERMS = ("answer", "path", "object", "identity", "boundary")  # of eq. loss, in its order


def claims(sample: Sample) -> frozenset[str]:
    """A rollout may find no site for one of them: nobody seen, a count out of reach, no words."""
    told = {term for lesson in sample.lessons for term in _claims(lesson)}
    return frozenset(told | {"answer"} if sample.asked else told)


def _claims(lesson: Lesson) -> set[str]:
    if lesson.target.operator.is_event:
        told = {"path": _any(lesson.completed), "boundary": lesson.crossings is not None}
    else:
        told = {
            "object": _any(lesson.visible) or _any(lesson.unique),
            "identity": lesson.shown is not None and any(lesson.shown),
        }
    return {term for term, is_told in told.items() if is_told}


def _any(labels: CountLabels | None) -> bool:
    return labels is not None and len(labels.ends_J) > 0


def observations(sample: Sample) -> int:
    """How many observations its labels reach to; at least so many will be rolled out."""
    ends = [
        int(labels.ends_J.max())
        for lesson in sample.lessons
        for labels in (lesson.visible, lesson.unique, lesson.completed)
        if labels is not None and _any(labels)
    ]
    return max(ends, default=0)
