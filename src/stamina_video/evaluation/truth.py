"""Reads what happened: a table with endpoints, events or identities, or questions with occurrence times."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stamina_video.evaluation.entries import Entry, Key, folded, read_entries
from stamina_video.evaluation.trajectories import Identity, Mark, Trajectory, counted
from stamina_video.semantics import InvalidInput, Measure, Question, read_questions
from stamina_video.semantics.files import json_lines

QUERIES = 5  # endpoints spread over a truth that names none, as many as the paper's trajectories have
COUNT_ONLY, WITH_BOUNDARIES, WITH_IDENTITIES = "count only", "boundary supported", "identity verified"

Endpoints = tuple[tuple[float, ...], tuple[int, ...]]


def read_truth(path: str | Path, fps: float = 1.0) -> dict[Key, Trajectory]:
    """Trajectories by video and target, sampled at `fps` for the stable intervals.

    A question file gives its cumulative questions; visible counts and windows have no trajectory.
    """
    if not (math.isfinite(fps) and fps > 0):
        raise InvalidInput(f"expected a frame rate above zero, got {fps}")
    truth = _annotated(Path(path), fps) if Path(path).suffix == ".jsonl" else _tabled(Path(path), fps)
    if not truth:
        raise InvalidInput(f"{path}: expected at least one cumulative trajectory, got none")
    return truth


def _tabled(path: Path, fps: float) -> dict[Key, Trajectory]:
    grouped: defaultdict[Key, list[Entry]] = defaultdict(list)
    for entry in read_entries(path):
        grouped[entry.key].append(entry)
    return {key: _trajectory(entries, fps) for key, entries in grouped.items()}


def _trajectory(entries: list[Entry], fps: float) -> Trajectory:
    entries = sorted(entries, key=lambda entry: entry.time)
    first, end = entries[0], entries[-1].time
    marks = tuple(entry.mark() for entry in entries if entry.kind == "event")
    identities = _identities(entries)
    if marks and identities:
        raise InvalidInput(f"{first.where}: expected events or identities of one target, got both")
    times = [mark.time for mark in marks] + [identity.first_seen for identity in identities]
    endpoints, counts = _endpoints(entries, times)
    # Where a table has an event column, a target that never completes has no event row.
    eventless = "event" in first.columns and not identities and not any(counts)
    default = WITH_BOUNDARIES if marks or eventless else WITH_IDENTITIES if identities else COUNT_ONLY
    return Trajectory(
        id=f"{first.video} {first.target}".strip(),
        parent=first.columns.get("parent") or first.video,
        stratum=first.columns.get("stratum") or default,
        endpoints=endpoints,
        counts=counts,
        observed=_grid(end, fps),
        completions=marks if marks or eventless else None,
        identities=identities or None,
    )


def _identities(entries: Sequence[Entry]) -> tuple[Identity, ...]:
    seen: defaultdict[str, list[float]] = defaultdict(list)
    for entry in entries:
        if entry.kind == "identity":
            seen[entry.value].append(entry.time)
    return tuple(Identity(name, tuple(times)) for name, times in seen.items())


def _endpoints(entries: Sequence[Entry], times: Sequence[float]) -> Endpoints:
    given = [entry for entry in entries if entry.kind == "count"]
    if not given:
        end = entries[-1].time
        spread = tuple(end * (index + 1) / QUERIES for index in range(QUERIES))
        return spread, tuple(map(int, counted(times, spread)))
    for entry, happened in zip(given, counted(times, [entry.time for entry in given]), strict=True):
        count = entry.number("count")
        if count < 0 or count % 1:
            raise InvalidInput(f"{entry.where}: expected a whole count from 0, got {entry.value!r}")
        if times and count != happened:
            raise InvalidInput(
                f"{entry.where}: expected the count of the rows before {entry.time:g} s, {happened:g}, "
                f"got {entry.value}"
            )
    return tuple(entry.time for entry in given), tuple(int(entry.number("count")) for entry in given)


def _annotated(path: Path, fps: float) -> dict[Key, Trajectory]:
    rows = {str(row.get("id")): row for _, row in json_lines(path)}
    truth: dict[Key, Trajectory] = {}
    for question in read_questions(path):
        if cumulative_target(question) is None:
            continue
        trajectory = _question_trajectory(question, rows[question.id], fps)
        key = question.video, folded(_target(question))
        if key in truth:
            raise InvalidInput(
                f"{path}: expected one cumulative question per video and target, got {trajectory.id!r} again "
                f"in question {question.id!r}; name its target apart"
            )
        truth[key] = trajectory
    return truth


def cumulative_target(question: Question) -> str | None:
    """What a question's trajectory is called; None where it has none."""
    if question.operator.windowed or question.operator.measure is Measure.VISIBLE:
        return None
    return _target(question)


def _question_trajectory(question: Question, row: Mapping[str, Any], fps: float) -> Trajectory:
    ordered = sorted(zip(question.times, question.counts, strict=True))
    occurred = _occurred(row.get("occurrence_times"), question)
    dense = question.operator.is_event and occurred is not None
    return Trajectory(
        id=f"{question.video} {_target(question)}",
        parent=question.video,
        stratum=WITH_BOUNDARIES if dense else COUNT_ONLY,
        endpoints=tuple(time for time, _ in ordered),
        counts=tuple(count for _, count in ordered),
        observed=_grid(max((*question.times, *(occurred or ()))), fps),
        completions=tuple(Mark(time) for time in occurred or ()) if dense else None,
    )


def _target(question: Question) -> str:
    return question.target or question.read().target


def _occurred(value: Any, question: Question) -> tuple[float, ...] | None:
    """Completion times: a list of moments, or the ends of spans."""
    moments = value.get("end") if isinstance(value, dict) else value
    if moments is None:
        return None
    if not isinstance(moments, list) or not all(isinstance(time, int | float) for time in moments):
        raise InvalidInput(f"question {question.id!r}: expected occurrence times in seconds, got {value!r}")
    return tuple(sorted(map(float, moments)))


def _grid(end: float, fps: float) -> tuple[float, ...]:
    """Sampling times from the origin to the end."""
    return tuple(index / fps for index in range(math.floor(end * fps) + 1))
