"""What a rollout learns from: one segment's observations, and for each target what is verified about it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stamina_video.semantics import Edge, Observation, Phase, Target
from stamina_video.transitions import CountLabels

Box = tuple[float, float, float, float]  # left, top, right, bottom as fractions of the image


@dataclass(frozen=True, slots=True)
class Shown:
    """A verified individual in one observation."""

    identity: str
    box: Box


@dataclass(frozen=True, slots=True)
class Crossing:
    """A verified change of phase, mapped to the first observation at or after it."""

    subject: str
    observation: int
    edge: Edge


@dataclass(frozen=True, slots=True)
class Lesson:
    """One target and its supervision. What is not known is None, never empty.

    `visible` and `unique` label object targets, `completed` labels events, and there `visible` says how
    many of those it may happen to are in view; ends are numbers of observations consumed. `shown` holds,
    per observation, every individual of the target that is verified to be in view; `crossings` every
    change of phase of an event target, from `phase` on where a part begins in the midst of one stream.
    """

    target: Target
    visible: CountLabels | None = None
    unique: CountLabels | None = None
    completed: CountLabels | None = None
    shown: tuple[tuple[Shown, ...], ...] | None = None
    crossings: tuple[Crossing, ...] | None = None
    phase: Phase | None = None  # the graph's initial one


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in words after so many observations, and its supported answer."""

    observations: int
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Sample:
    """One segment. Its observations are read when it is rolled out, so that a pool need not fit in memory."""

    id: str
    read: Callable[[], Sequence[Observation]]
    lessons: tuple[Lesson, ...]
    family: str = ""  # for reports: where it comes from
    asked: tuple[Asked, ...] = ()  # teaches the language decoder, where there is one
    blind: bool = False  # whether only what is felt of it is read, not what is seen
