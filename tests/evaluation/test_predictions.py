import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stamina_video.evaluation.predictions import Predictions, read_predictions
from stamina_video.semantics import InvalidInput, Operator, Question

QUESTIONS = [
    Question("q1", "a.mp4", "How many jumps so far?", Operator.E1_ACTION, (2.0, 5.5), (1, 3)),
    Question("q2", "b.mp4", "How many cups in the past 4 seconds?", Operator.O1_DELTA, (9.0,), (2,)),
]
GOOD = [
    {"id": "q2", "query_times": [9], "predictions": [2], "gts": [2]},
    {"id": "q1", "query_times": [2.0, 5.5], "predictions": [1, 3], "gts": [1, 3]},
]


def read(tmp_path: Path, *rows: dict[str, Any] | str) -> Predictions:
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    return read_predictions(path, QUESTIONS)


def test_answers_come_in_the_questions_order(tmp_path: Path) -> None:
    assert read(tmp_path, *GOOD).answers == ((1.0, 3.0), (2.0,))


def test_truth_in_the_row_is_optional(tmp_path: Path) -> None:
    rows = [{name: value for name, value in row.items() if name != "gts"} for row in GOOD]
    assert read(tmp_path, *rows).answers == ((1.0, 3.0), (2.0,))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("null", "null"),
        ('"three"', "'three'"),
        ("NaN", "nan"),
        ("-1", "-1"),
        ("true", "True"),
        ("[2]", "[2]"),
    ],
)
def test_what_is_no_count_is_kept_and_named(tmp_path: Path, value: str, shown: str) -> None:
    row = f'{{"id": "q1", "query_times": [2.0, 5.5], "predictions": [1, {value}]}}'
    found = read(tmp_path, GOOD[0], row)
    assert found.answers[0][0] == 1.0
    assert math.isnan(found.answers[0][1])
    (invalid,) = found.invalid
    assert str(invalid).endswith(f"run.jsonl line 2: question 'q1' at 5.5 s: {shown} is no count")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"id": "q9"}, "line 2: expected a question of the annotations, got id 'q9'"),
        ({"id": "q2"}, "line 2: expected each question once, got id 'q2' again"),
        ({"id": 7}, "line 2: expected words in 'id', got 7"),
        ({"query_times": [2.0]}, "line 2: .* got 5.5 missing and none extra"),
        ({"query_times": [2.0, 5.5, 7.0]}, "line 2: .* got none missing and 7.0 extra"),
        ({"query_times": [2.0, 6.0]}, "line 2: .* got 5.5 missing and 6.0 extra"),
        ({"query_times": [5.5, 2.0]}, "line 2: .* in the file's order"),
        ({"query_times": ["2.0", 5.5]}, "line 2: expected query times in seconds, got '2.0'"),
        ({"predictions": [1]}, "line 2: expected 2 predictions for question 'q1', got 1"),
        ({"predictions": "1, 3"}, "line 2: expected a list in 'predictions', got '1, 3'"),
        ({"gts": [1, 4]}, r"line 2: expected the true counts \[1, 3\] of question 'q1', got \[1, 4\]"),
        ({"starts": [1]}, "line 2: expected starts for every query point"),
        ({"reads": {"change": [1]}}, "line 2: expected change for every query point"),
        ({"reads": [1]}, "line 2: expected reads by name"),
    ],
)
def test_a_row_that_does_not_fit_is_named(tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        read(tmp_path, GOOD[0], GOOD[1] | change)


def test_a_truncated_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"run.jsonl line 2: expected JSON, got"):
        read(tmp_path, GOOD[0], json.dumps(GOOD[1])[:-9])


def test_a_missing_question_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="expected all 2 questions, got 1; missing q2"):
        read(tmp_path, GOOD[1])


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="expected a readable file, got No such file"):
        read_predictions(tmp_path / "none.jsonl", QUESTIONS)


def test_query_times_may_be_rounded_to_hundredths(tmp_path: Path) -> None:
    assert read(tmp_path, GOOD[0], GOOD[1] | {"query_times": [2.0, 5.504]}).answers[0] == (1.0, 3.0)


def test_window_starts_are_kept(tmp_path: Path) -> None:
    found = read(tmp_path, GOOD[0] | {"starts": [3]}, GOOD[1])
    assert found.starts == {"q2": (3.0,)}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@given(st.fixed_dictionaries({"id": JSON, "query_times": JSON, "predictions": JSON, "gts": JSON}))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_row_is_scored_silently_or_breaks_the_reader(tmp_path: Path, row: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="line 2"):
        read(tmp_path, GOOD[0], row)


@given(st.lists(JSON, min_size=2, max_size=2))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_answer_is_a_count_or_named_as_invalid(tmp_path: Path, values: list[Any]) -> None:
    found = read(tmp_path, GOOD[0], GOOD[1] | {"predictions": values})
    assert len(found.invalid) == sum(map(math.isnan, found.answers[0]))
