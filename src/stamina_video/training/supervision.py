"""From trajectories of one segment to samples: labels at observations, questions in words, data controls."""

import random
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch

from stamina_video.data.trajectory import Mask, Supported, Trajectory
from stamina_video.semantics import InvalidInput, Measure, Observation, Operator, Scope, Target, graph_for
from stamina_video.training.recipe import Recipe, Supervision
from stamina_video.training.sample import Asked, Crossing, Lesson, Sample
from stamina_video.transitions import CountLabels


@dataclass(frozen=True, slots=True)
class Observed:
    """When a segment is looked at, and how to look."""

    times: tuple[float, ...]
    read: Callable[[], Sequence[Observation]]


def supervised(
    name: str, seen: Observed, trajectories: Sequence[Trajectory], recipe: Recipe, seed: int
) -> list[Sample]:
    """One sample for all that can be counted at once; a description counted in a second way needs another."""
    draw = random.Random(f"{seed} {name}")
    chosen = [_chosen(trajectory, recipe.supervision, draw) for trajectory in trajectories]
    read = _shuffled(seen.read, f"{seed} {name}") if recipe.supervision is Supervision.SHUFFLED else seen.read
    samples = []
    for turn, together in enumerate(_compatible(chosen)):
        objects = [one for one in together if not one.operator.is_event]
        described = dict.fromkeys(one.target.description for one in objects)
        lessons = [
            _objects(seen.times, [one for one in objects if one.target.description == what])
            for what in described
        ]
        lessons += [_event(seen.times, one) for one in together if one.operator.is_event]
        asked = tuple(question for one in together for question in _asked(seen.times, one))
        told = tuple(lesson for lesson in lessons if lesson is not None)
        if told:
            label = f"{name}#{turn}" if turn else name
            samples.append(Sample(label, read, told, together[0].provenance.source, asked))
    return samples


def _chosen(trajectory: Trajectory, supervision: Supervision, draw: random.Random) -> Trajectory:
    """The endpoints that teach, in place of all there are."""
    kept = [end for end in trajectory.endpoints if end.count is not None]
    if supervision is not Supervision.UNFILTERED:
        kept = [end for end in kept if end.holds and Mask.COUNT in trajectory.masks]
    if supervision is Supervision.SINGLE:
        kept = kept and [draw.choice(kept)]
    return replace(trajectory, endpoints=tuple(kept))


def _compatible(trajectories: Sequence[Trajectory]) -> list[list[Trajectory]]:
    """Groups in which no description has two event operators, and no running number is told twice."""
    groups: list[list[Trajectory]] = []
    for trajectory in trajectories:
        key = (trajectory.target.description, trajectory.operator.is_event, trajectory.operator)
        for group in groups:
            taken = {(one.target.description, one.operator.is_event) for one in group}
            told = {(one.target.description, one.operator.is_event, one.operator) for one in group}
            if key not in told and (not key[1] or key[:2] not in taken):
                group.append(trajectory)
                break
        else:
            groups.append([trajectory])
    return groups


def _objects(times: Sequence[float], trajectories: Sequence[Trajectory]) -> Lesson | None:
    by_measure = {
        measure: _labels(times, [one for one in trajectories if one.operator.measure is measure])
        for measure in (Measure.VISIBLE, Measure.UNIQUE)
    }
    if not any(by_measure.values()):
        return None
    # Both numbers are reads of one state, whichever was asked for.
    target = Target(trajectories[0].target.description, Operator.O2_UNIQUE)
    return Lesson(target, visible=by_measure[Measure.VISIBLE], unique=by_measure[Measure.UNIQUE])


def _labels(times: Sequence[float], trajectories: Sequence[Trajectory]) -> CountLabels | None:
    rows = [
        (0 if end.since is None else bisect_right(times, end.since), bisect_right(times, end.time), end.count)
        for trajectory in trajectories
        for end in trajectory.endpoints
    ]
    if not rows:
        return None
    starts, ends, counts = (torch.tensor(column) for column in zip(*rows, strict=True))
    # From the origin a change is the count itself.
    return CountLabels(ends, counts, starts if bool(starts.any()) else None)


def _event(times: Sequence[float], trajectory: Trajectory) -> Lesson | None:
    labels = _labels(times, [trajectory])
    if labels is None:
        return None
    first = {int(end): place for place, end in reversed(list(enumerate(labels.ends_J)))}
    places = torch.tensor(sorted(first.values()))
    completed = CountLabels(labels.ends_J[places], labels.counts_J[places])
    return Lesson(trajectory.target, completed=completed, crossings=_crossings(times, trajectory))


def _crossings(times: Sequence[float], trajectory: Trajectory) -> tuple[Crossing, ...] | None:
    """Of a global stream alone: without boxes nobody knows which slot shows whom."""
    if Mask.BOUNDARY not in trajectory.masks or trajectory.target.scope is not Scope.GLOBAL:
        return None
    if not _is_walk(trajectory):
        return None
    return tuple(
        Crossing("entity 0", at, mark.edge)
        for mark in trajectory.marks
        if (at := _first_at(times, mark.time)) < len(times)
    )


def _is_walk(trajectory: Trajectory) -> bool:
    """Whether the marks lead from phase to phase; completions alone do not say when it was ready again."""
    phase = graph_for(trajectory.target.operator).initial
    for mark in sorted(trajectory.marks, key=lambda mark: mark.time):
        if mark.edge.source is not phase:
            return False
        phase = mark.edge.target
    return True


def _first_at(times: Sequence[float], moment: float) -> int:
    """The first observation at or after a change."""
    return sum(time < moment for time in times)


def _asked(times: Sequence[float], trajectory: Trajectory) -> Iterator[Asked]:
    for end in trajectory.endpoints:
        if seen := bisect_right(times, end.time):
            yield Asked(seen, trajectory.question, _said(end))


def _said(end: Supported) -> str:
    if end.count is None:
        raise InvalidInput(f"expected a count at {end.time}, got none")
    return str(end.count)


def _shuffled(read: Callable[[], Sequence[Observation]], seed: str) -> Callable[[], Sequence[Observation]]:
    """The same moments with each other's pictures: what is told no longer fits what is seen."""

    def corrupted() -> list[Observation]:
        seen = list(read())
        pictures = random.Random(seed).sample([item.image for item in seen], len(seen))
        return [replace(item, image=picture) for item, picture in zip(seen, pictures, strict=True)]

    return corrupted
