"""Reads counting questions in SVCBench's format: a row per question, or a row per query point."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stamina_video.semantics.errors import InvalidInput
from stamina_video.semantics.files import field, json_lines, list_field, text_field
from stamina_video.semantics.flow import seconds, shortened
from stamina_video.semantics.operators import Operator
from stamina_video.semantics.questions import Reading, read_question

LARGEST_COUNT = 1_000_000_000


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
    for where, row in json_lines(Path(path)):
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


def _question(row: Mapping[str, Any], where: str) -> Question:
    id_, video, text, operator = (
        text_field(row, name, where) for name in ("id", "video_path", "question", "counting_subtype")
    )
    target = text_field(row, "target", where) if "target" in row else None
    times, counts = _points(row, where)
    try:
        return Question(
            id_,
            video,
            text,
            Operator.parse(operator),
            tuple(seconds(time, "a query time") for time in times),
            tuple(_count(count) for count in counts),
            target,
        )
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error}") from None


def _points(row: Mapping[str, Any], where: str) -> tuple[list[Any], list[Any]]:
    if "query_points" not in row:
        return [field(row, "query_time", where)], [field(row, "count", where)]
    points = row["query_points"]
    times, counts = list_field(points, "time", where), list_field(points, "count", where)
    if len(times) != len(counts):
        raise InvalidInput(
            f"{where}: expected as many query times as counts, got {len(times)} and {len(counts)}"
        )
    return times, counts


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


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST_COUNT:
        raise InvalidInput(f"expected a whole count from 0 to {LARGEST_COUNT:,}, got {shortened(value)}")
    return value
