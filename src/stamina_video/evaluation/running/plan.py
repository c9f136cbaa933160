"""Which passes over which videos answer a set of questions. Looks at no video and no model."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stamina_video.semantics import InvalidInput, Measure, Question, Target
from stamina_video.semantics.schedule import Access, check_rate


@dataclass(frozen=True, slots=True)
class Plan:
    """How a run looks at videos."""

    access: Access = Access.STREAM
    fps: float | None = None  # None: as often as the counter wants to
    frames: int = 64  # at most, for a query in Full
    matched: bool = False  # Full replays Stream's moments, so that only replay and persistence differ

    def __post_init__(self) -> None:
        if self.fps is not None:
            check_rate(self.fps)
        if self.matched and self.access is not Access.FULL:
            raise InvalidInput("expected matched moments with full access only: they are those of stream")

    @property
    def samples(self) -> bool:
        """Whether a rate decides what is observed, not a budget."""
        return self.access is Access.STREAM or self.matched


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the target a counter counts for it."""

    question: Question
    target: Target
    window: float | None

    def since(self, at: float) -> float | None:
        """Where a window starts; below zero where it reaches back beyond the first frame."""
        return None if self.window is None else at - self.window


@dataclass(frozen=True, slots=True)
class Pass:
    """One look through a video for all these targets, with reads at these times, in ascending order."""

    video: str
    asked: tuple[Asked, ...]
    targets: tuple[Target, ...]
    paced: tuple[Target, ...]  # whoever shares the moments at which the video is looked at
    at: tuple[float, ...]

    @property
    def until(self) -> float:
        return self.at[-1]

    @property
    def key(self) -> str:
        """A file name that tells passes of one run apart."""
        said = json.dumps([self.video, [asked.question.id for asked in self.asked], self.at])
        stem = re.sub(r"[^\w.-]+", "_", self.video)[-60:]
        return f"{stem}-{hashlib.sha256(said.encode()).hexdigest()[:16]}"


def planned(questions: Sequence[Question], access: Access) -> list[Pass]:
    """In the file's order of videos; every question of a video shares its passes."""
    by_video: dict[str, list[Asked]] = {}
    for question in questions:
        by_video.setdefault(question.video, []).append(_asked(question))
    return [
        one
        for video, asked in by_video.items()
        for group in _groups(asked)
        for one in _passes(video, group, access)
    ]


def shard(passes: Sequence[Pass], rank: int, world_size: int) -> list[Pass]:
    """The passes of one process: whole videos, dealt out in turn."""
    if not 0 <= rank < world_size:
        raise InvalidInput(f"expected a rank from 0 to {world_size - 1}, got {rank}")
    turn = {video: number for number, video in enumerate(dict.fromkeys(one.video for one in passes))}
    return [one for one in passes if turn[one.video] % world_size == rank]


def _asked(question: Question) -> Asked:
    try:
        reading = question.read()
        target = Target(question.target or reading.target, question.operator)
    except InvalidInput as error:
        raise InvalidInput(f"question {question.id!r}: {error}") from None
    if not question.times:
        raise InvalidInput(f"question {question.id!r}: expected a query time, got none")
    return Asked(question, target, reading.window)


def _groups(asked: Sequence[Asked]) -> list[list[Asked]]:
    """Questions that one stream can serve together: as a rule all of a video.

    Two event operators on one description need a running number each, and so a pass each.
    """
    groups: list[list[Asked]] = []
    for one in asked:
        fitting = (group for group in groups if not any(_clash(one.target, other.target) for other in group))
        group = next(fitting, None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    return groups


def _clash(one: Target, other: Target) -> bool:
    both_events = one.operator.is_event and other.operator.is_event
    return both_events and one.description == other.description and one != other


def _passes(video: str, asked: Sequence[Asked], access: Access) -> Iterator[Pass]:
    times = tuple(sorted({time for one in asked for time in one.question.times}))
    together = _counted(asked)
    if access is Access.STREAM:
        yield Pass(video, tuple(asked), together, together, times)
        return
    for time in times:
        here = tuple(one for one in asked if time in one.question.times)
        yield Pass(video, here, _counted(here), together, (time,))


def _counted(asked: Sequence[Asked]) -> tuple[Target, ...]:
    """One target per running number: snapshots and windows of one description read the same one."""
    found: dict[tuple[str, Measure], Target] = {}
    for one in asked:
        found.setdefault((one.target.description, one.target.operator.measure), one.target)
    return tuple(found.values())
