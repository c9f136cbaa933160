import json
from pathlib import Path
from typing import Any

import pytest

from stamina_video.semantics import InvalidInput, UnreadableFile, read_questions

ROW: dict[str, Any] = {
    "id": "q1",
    "video_path": "a.mp4",
    "question": "How many squats have been completed so far?",
    "counting_subtype": "E2-Periodic",
    "query_points": {"time": [4, 9.5], "count": [1, 2]},
}
POINT: dict[str, Any] = {key: value for key, value in ROW.items() if key != "query_points"}


def written(tmp_path: Path, *rows: object) -> Path:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows) + "\n\n")
    return path


def test_a_row_per_question(tmp_path: Path) -> None:
    (question,) = read_questions(written(tmp_path, ROW | {"target": "squat"}))
    assert question.times == (4.0, 9.5)
    assert question.counts == (1, 2)
    assert question.target == "squat"
    assert question.read().target == "squats"


def test_a_row_per_query_point_keeps_the_files_order(tmp_path: Path) -> None:
    points = [POINT | {"query_time": time, "count": count} for time, count in ((9.5, 2), (4, 1))]
    (question,) = read_questions(written(tmp_path, *points))
    assert (question.times, question.counts) == ((9.5, 4.0), (2, 1))


def test_only_line_feeds_end_a_row(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps(ROW | {"question": "How many\u2028squats?"}, ensure_ascii=False))
    assert read_questions(path)[0].text == "How many\u2028squats?"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            {key: value for key, value in ROW.items() if key != "id"},
            "line 1: expected a field 'id', got none",
        ),
        (ROW | {"counting_subtype": "E9"}, "line 1: expected an operator"),
        (
            ROW | {"query_points": {"time": [1], "count": [1.5]}},
            "line 1: expected a whole count from 0 to 1,000,000,000, got 1.5",
        ),
        (
            ROW | {"query_points": {"time": [1], "count": [-1]}},
            "line 1: expected a whole count from 0 to 1,000,000,000, got -1",
        ),
        (
            ROW | {"query_points": {"time": [1], "count": ["2"]}},
            "line 1: expected a whole count from 0 to 1,000,000,000, got '2'",
        ),
        (ROW | {"query_points": {"time": [1]}}, "line 1: expected a field 'count', got none"),
        (ROW | {"query_points": {"time": [1, 2], "count": [1]}}, "as many query times as counts"),
        (ROW | {"query_points": {"time": [-1], "count": [1]}}, "line 1: expected a query time in seconds"),
        ('{"id": "q1", "query_points": {"time": [NaN]', "line 1: expected JSON, got text that is none"),
        ("[1, 2]", "line 1: expected a JSON object, got list"),
        (POINT, "line 1: expected a field 'query_time', got none"),
        (ROW | {"query_points": {"time": [1], "count": [10**400]}}, "line 1: expected a whole count"),
        (ROW | {"query_points": {"time": [10**400], "count": [1]}}, "line 1: expected a query time"),
    ],
)
def test_a_row_that_does_not_fit_is_named(tmp_path: Path, row: object, said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as refusal:
        read_questions(written(tmp_path, row))
    assert "\n" not in str(refusal.value)


def test_the_same_question_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="line 2: expected each question once, got id 'q1' again"):
        read_questions(written(tmp_path, ROW, ROW))


def test_two_questions_under_one_id_are_refused(tmp_path: Path) -> None:
    point = POINT | {"query_time": 1.0, "count": 0}
    with pytest.raises(InvalidInput, match="line 2: expected the question of id 'q1' again"):
        read_questions(written(tmp_path, point, point | {"question": "How many claps?"}))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="expected a readable file, got No such file"):
        read_questions(tmp_path / "absent.jsonl")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnreadableFile, match="expected text in UTF-8"):
        read_questions(tmp_path / "binary")
    with pytest.raises(InvalidInput, match="expected at least one question"):
        read_questions(written(tmp_path))
