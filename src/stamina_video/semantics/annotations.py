"""Reads counting questions in SVCBench's format: a row per question, or a row per query point."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stamina_video.semantics.errors import InvalidInput, UnreadableFile
from stamina_video.semantics.flow import seconds
from stamina_video.semantics.operators import Operator
from stamina_video.semantics.questions import Reading, read_question


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its query times and true counts, in the file's order."""

    id: str
    video: str
    text: str
    operator: Operator
    times: tuple[float, ...]
    counts: tuple[int, ...]
    target: str | None = None

    def read(self) -> Reading:
        return read_question(self.text, self.operator)


def read_questions(path: str | Path) -> list[Question]:
    """Every question of a JSON Lines file; a row that does not fit is named with its line."""
    questions: dict[str, Question] = {}
    for where, row in _rows(Path(path)):
        question = _question(row, where)
        known = questions.get(question.id)
        if known is None:
            questions[question.id] = question
        elif "query_points" in row:
            raise InvalidInput(f"{where}: expected each question once, got id {question.id!r} again")
        else:
            questions[question.id] = _joined(known, question, where)
    if not questions:
        raise InvalidInput(f"{path}: expected at least one question, got an empty file")
    return list(questions.values())


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise UnreadableFile(f"{path}: expected a readable file, got {error.strerror}") from None
    except UnicodeDecodeError:
        raise UnreadableFile(f"{path}: expected JSON Lines in UTF-8, got other bytes") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{path} line {number}"
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise UnreadableFile(f"{where}: expected a JSON object, got {error.msg}") from None
        if not isinstance(row, dict):
            raise UnreadableFile(f"{where}: expected a JSON object, got {type(row).__name__}")
        yield where, row


def _question(row: Mapping[str, Any], where: str) -> Question:
    try:
        if "query_points" in row:
            points = row["query_points"]
            times, counts = _field(points, "time"), _field(points, "count")
        else:
            times, counts = [_field(row, "query_time")], [_field(row, "count")]
        if not isinstance(times, list) or not isinstance(counts, list) or len(times) != len(counts):
            raise InvalidInput("expected as many query times as counts")
        return Question(
            id=_text(row, "id"),
            video=_text(row, "video_path"),
            text=_text(row, "question"),
            operator=Operator.parse(_text(row, "counting_subtype")),
            times=tuple(seconds(time, "a query time") for time in times),
            counts=tuple(_count(count) for count in counts),
            target=_text(row, "target") if "target" in row else None,
        )
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error}") from None


def _joined(known: Question, point: Question, where: str) -> Question:
    if (known.text, known.operator, known.video) != (point.text, point.operator, point.video):
        raise InvalidInput(f"{where}: expected the question of id {known.id!r} again, got {point.text!r}")
    return Question(
        known.id,
        known.video,
        known.text,
        known.operator,
        known.times + point.times,
        known.counts + point.counts,
        known.target,
    )


def _field(row: object, name: str) -> Any:
    if not isinstance(row, Mapping) or name not in row:
        raise InvalidInput(f"expected a field {name!r}, got none")
    return row[name]


def _text(row: Mapping[str, Any], name: str) -> str:
    value = _field(row, name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"expected words in {name!r}, got {value!r}")
    return value


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidInput(f"expected a whole count from 0, got {value!r}")
    return value
