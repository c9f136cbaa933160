"""One question as its runs told it, in order of time: truth, answers, and the commits behind them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stamina_video.evaluation.results import Result, Row
from stamina_video.semantics import InvalidInput

Box = tuple[float, float, float, float]  # left, top, right, bottom as fractions of the picture
Number = float | None  # None: no valid answer


@dataclass(frozen=True, slots=True)
class Mark:
    """A committed change: when, by how much, and where in the picture if that is known."""

    time: float
    delta: int
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Telling:
    """What one run answered at the story's times, seed by seed, and what it committed."""

    run: str
    answers: tuple[tuple[Number, ...], ...]
    scores: Mapping[str, float]
    commits: tuple[Mark, ...] = ()

    def errors(self, truth: Sequence[int]) -> list[Number]:
        """Of the first seed: what was answered too much; None where the answer was invalid."""
        pairs = zip(self.answers[0], truth, strict=True)
        return [None if answer is None else answer - true for answer, true in pairs]


@dataclass(frozen=True, slots=True)
class Story:
    """One question, its true counts, and every run's telling."""

    id: str
    video: str
    group: str
    question: str
    times: tuple[float, ...]
    truth: tuple[int, ...]
    window: float | None  # seconds before each time, where the question asks for no running count
    tellings: tuple[Telling, ...]

    @property
    def is_right(self) -> bool:
        """Whether every run and seed answered every point exactly."""
        return all(answers == self.truth for telling in self.tellings for answers in telling.answers)


def stories(results: Sequence[Result]) -> list[Story]:
    """The questions all results answered over time; results of single decisions have none."""
    others = [{row.id: row for row in result.rows} for result in results[1:]]
    told = []
    for row in results[0].rows:
        rows = [row, *(other[row.id] for other in others if row.id in other)]
        if len(rows) == len(results) and all("answers" in each.detail for each in rows):
            told.append(_story(rows, [result.name for result in results]))
    return told


def _story(rows: Sequence[Row], names: Sequence[str]) -> Story:
    row = rows[0]
    times = _numbers(row, row.detail.get("times"))
    truth = _numbers(row, row.detail.get("truth"))
    if len(times) != len(truth) or not times:
        raise InvalidInput(
            f"row {row.id!r}: expected a true count per time, got {len(truth)} for {len(times)}"
        )
    order = sorted(range(len(times)), key=times.__getitem__)
    return Story(
        row.id,
        row.parent,
        row.group,
        str(row.detail.get("question", "")),
        tuple(times[index] for index in order),
        tuple(int(truth[index]) for index in order),
        _answer(row.detail.get("window")),
        tuple(_telling(each, name, order) for each, name in zip(rows, names, strict=True)),
    )


def _telling(row: Row, name: str, order: Sequence[int]) -> Telling:
    seeds = row.detail["answers"]
    if not isinstance(seeds, list) or not seeds or not all(_is_list_of(len(order), seed) for seed in seeds):
        raise InvalidInput(f"row {row.id!r}: expected lists of {len(order)} answers, got {seeds!r}")
    return Telling(
        name,
        tuple(tuple(_answer(seed[index]) for index in order) for seed in seeds),
        {metric: part / whole for metric, (part, whole) in row.sums.items() if whole},
        tuple(_mark(row, commit) for commit in row.detail.get("commits", [])),
    )


def _mark(row: Row, commit: Any) -> Mark:
    match commit:
        case {"time": int() | float() as time, "delta": int() as delta}:
            return Mark(float(time), delta, box_in(commit))
    raise InvalidInput(f"row {row.id!r}: expected commits with a time and a delta, got {commit!r}")


def box_in(evidence: Any) -> Box | None:
    """Where it happened, if that was recorded."""
    match evidence:
        case {"box": [left, top, right, bottom]} if all(map(_finite, (left, top, right, bottom))):
            return left, top, right, bottom
    return None


def _numbers(row: Row, values: Any) -> list[float]:
    if not isinstance(values, list) or not all(map(_finite, values)):
        raise InvalidInput(f"row {row.id!r}: expected a list of numbers, got {values!r}")
    return [float(value) for value in values]


def _is_list_of(length: int, value: Any) -> bool:
    return isinstance(value, list) and len(value) == length


def _answer(value: Any) -> Number:
    return float(value) if _finite(value) else None


def _finite(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
