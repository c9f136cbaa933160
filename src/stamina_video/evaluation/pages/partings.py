"""Where an account leaves the truth: the moments a person should look at."""

from collections.abc import Iterator
from dataclasses import dataclass

from stamina_video.evaluation.pages.stories import Box, Number, Story, Telling

MOMENTS = 6  # a parting; a long stretch between two queries may hold many changes


@dataclass(frozen=True, slots=True)
class Moment:
    """A frame worth looking at, and why."""

    time: float
    says: str
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Parting:
    """A query point whose error is not that of the point before it, and what lies between the two."""

    since: float
    at: float
    truth: int
    answer: Number
    moments: tuple[Moment, ...]


def partings(story: Story, telling: Telling) -> Iterator[Parting]:
    """Every parting of a telling's first seed, in order of time."""
    before: Number = 0.0
    previous = 0.0
    points = zip(story.times, story.truth, telling.answers[0], telling.errors(story.truth), strict=True)
    for at, truth, answer, error in points:
        since = previous if story.window is None else max(at - story.window, 0.0)
        if error not in (0.0, before):
            yield Parting(since, at, truth, answer, _moments(telling, since, at))
        before, previous = error, at


def _moments(telling: Telling, since: float, at: float) -> tuple[Moment, ...]:
    """The start, what was committed in between, and the moment that was asked about."""
    between = [
        Moment(mark.time, f"committed {mark.delta:+d}", mark.box)
        for mark in telling.commits
        if since < mark.time <= at
    ]
    return Moment(since, "from"), *between[: MOMENTS - 2], Moment(at, "asked")
