"""Prediction files for counting questions: a JSON Lines row per question, checked against the questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from stamina_video.evaluation.svcbench import answer
from stamina_video.semantics import InvalidInput, Question
from stamina_video.semantics.files import json_lines, list_field, text_field

TIME_SLACK = 0.0051  # the released files give the same query time with two and with more decimals
SHOWN = 3


@dataclass(frozen=True, slots=True)
class InvalidAnswer:
    """A prediction that is not an answer. It scores nothing and stays in every denominator."""

    where: str
    question: str
    at: float
    value: str

    def __str__(self) -> str:
        return f"{self.where}: question {self.question!r} at {self.at:g} s: {self.value} is no count"


@dataclass(frozen=True, slots=True)
class Predictions:
    """One run's answers in the questions' order, NaN where invalid.

    `starts` holds, for windowed questions of runs that record it, the count read at each window's start;
    `reads`, for questions that can be read in more than one way, every way's answers by its name.
    """

    path: str
    answers: tuple[tuple[float, ...], ...]
    invalid: tuple[InvalidAnswer, ...] = ()
    starts: Mapping[str, tuple[float, ...]] | None = None
    reads: Mapping[str, Mapping[str, tuple[float, ...]]] = field(default_factory=dict)


def read_predictions(path: str | Path, questions: Sequence[Question]) -> Predictions:
    """Read one run; unknown, repeated or missing questions and query points are refused by row."""
    known = {question.id: question for question in questions}
    answers: dict[str, tuple[float, ...]] = {}
    starts: dict[str, tuple[float, ...]] = {}
    reads: dict[str, dict[str, tuple[float, ...]]] = {}
    invalid: list[InvalidAnswer] = []
    for where, row in json_lines(Path(path)):
        name = text_field(row, "id", where)
        if name not in known:
            raise InvalidInput(f"{where}: expected a question of the annotations, got id {name!r}")
        if name in answers:
            raise InvalidInput(f"{where}: expected each question once, got id {name!r} again")
        question = known[name]
        values = _values(row, question, where)
        answers[name] = tuple(answer(value, question.operator) for value in values)
        invalid += [
            InvalidAnswer(where, name, at, _shown(value))
            for at, value, number in zip(question.times, values, answers[name], strict=True)
            if np.isnan(number)
        ]
        if "starts" in row:
            starts[name] = _beside(row, "starts", question, where)
        if "reads" in row:
            reads[name] = _reads(row["reads"], question, where)
    missing = [question.id for question in questions if question.id not in answers]
    if missing:
        raise InvalidInput(
            f"{path}: expected all {len(questions)} questions, got {len(answers)}; missing {_first(missing)}"
        )
    ordered = tuple(answers[question.id] for question in questions)
    return Predictions(str(path), ordered, tuple(invalid), starts or None, reads)


def _values(row: Mapping[str, Any], question: Question, where: str) -> list[Any]:
    times = list_field(row, "query_times", where)
    values = list_field(row, "predictions", where)
    _check_times(times, question, where)
    if len(values) != len(times):
        raise InvalidInput(
            f"{where}: expected {len(times)} predictions for question {question.id!r}, got {len(values)}"
        )
    if "gts" in row and row["gts"] != list(question.counts):
        raise InvalidInput(
            f"{where}: expected the true counts {list(question.counts)} of question {question.id!r}, "
            f"got {row['gts']!r}"
        )
    return values


def _check_times(times: list[Any], question: Question, where: str) -> None:
    for time in times:
        if isinstance(time, bool) or not isinstance(time, int | float):
            raise InvalidInput(f"{where}: expected query times in seconds, got {time!r}")
    missing = [time for time in question.times if not any(abs(time - other) <= TIME_SLACK for other in times)]
    extra = [time for time in times if not any(abs(time - other) <= TIME_SLACK for other in question.times)]
    if missing or extra:
        raise InvalidInput(
            f"{where}: expected the query times of question {question.id!r}, "
            f"got {_first(missing) if missing else 'none'} missing "
            f"and {_first(extra) if extra else 'none'} extra"
        )
    aligned = len(times) == len(question.times) and all(
        abs(time - other) <= TIME_SLACK for time, other in zip(times, question.times, strict=True)
    )
    if not aligned:
        raise InvalidInput(
            f"{where}: expected the query times of question {question.id!r} once each in the file's order "
            f"{list(question.times)}, got {times}"
        )


def _reads(value: object, question: Question, where: str) -> dict[str, tuple[float, ...]]:
    if not isinstance(value, dict):
        raise InvalidInput(f"{where}: expected reads by name, got {value!r}")
    return {way: _beside(value, way, question, where) for way in value}


def _beside(row: Mapping[str, Any], name: str, question: Question, where: str) -> tuple[float, ...]:
    """Numbers that stand beside the predictions."""
    values = list_field(row, name, where)
    if len(values) != len(question.times):
        raise InvalidInput(
            f"{where}: expected {name} for every query point of {question.id!r}, got {len(values)}"
        )
    return tuple(answer(value, question.operator) for value in values)


def _first(items: Sequence[object]) -> str:
    shown = ", ".join(str(item) for item in items[:SHOWN])
    return shown + (f" and {len(items) - SHOWN} more" if len(items) > SHOWN else "")


def _shown(value: object) -> str:
    text = "null" if value is None else repr(value)
    return text if len(text) <= 40 else f"{text[:37]}…"
