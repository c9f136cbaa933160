"""Hard counts on held-out samples, beside the truth. What they are worth is for others to score."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from stamina_video.runtime import Model
from stamina_video.semantics import Kind, Operator
from stamina_video.training.rollout import roll
from stamina_video.training.sample import Lesson, Sample
from stamina_video.transitions import CountLabels, Outcome


@dataclass(frozen=True, slots=True)
class Reading:
    """What one lesson's counter showed at its endpoints, and what it should have shown."""

    sample: str
    operator: Operator
    counted: tuple[int, ...]
    true: tuple[int, ...]


def read_counts(model: Model, samples: Sequence[Sample]) -> list[Reading]:
    """The committed counts, as a session would read them; no label enters the rollout."""
    readings = []
    with torch.no_grad():
        for sample in samples:
            rolled = roll(model, sample)
            for number, lesson in enumerate(sample.lessons):
                outcomes = rolled.of(number)
                readings += [
                    Reading(sample.id, operator, tuple(_counts(outcomes, labels, kinds)), _true(labels))
                    for operator, labels, kinds in _asked(lesson)
                ]
    return readings


def _asked(lesson: Lesson) -> Iterator[tuple[Operator, CountLabels, frozenset[Kind]]]:
    for operator, labels, kinds in (
        (Operator.O1_SNAP, lesson.visible, {Kind.ENTRY, Kind.EXIT}),
        (Operator.O2_UNIQUE, lesson.unique, {Kind.IDENTITY}),
        (lesson.target.operator, lesson.completed, {Kind.EVENT}),
    ):
        if labels is not None and len(labels.ends_J):
            yield operator, labels, frozenset(kinds)


def _counts(outcomes: Sequence[Outcome], labels: CountLabels, kinds: frozenset[Kind]) -> Iterator[int]:
    totals = [0]
    for outcome in outcomes:
        changed = sum(change.delta for change in outcome.decision.changes if change.kind in kinds)
        totals.append(totals[-1] + changed)
    starts = [0] * len(labels.ends_J) if labels.starts_J is None else labels.starts_J.tolist()
    for start, end in zip(starts, labels.ends_J.tolist(), strict=True):
        yield totals[end] - totals[start]


def _true(labels: CountLabels) -> tuple[int, ...]:
    return tuple(int(count) for count in labels.counts_J.tolist())
