import json
from pathlib import Path
from typing import Any

import pytest

from stamina_video.evaluation.ovobench import Decision, Reply, read_decisions
from stamina_video.evaluation.responses import Responses, read_responses
from stamina_video.semantics import InvalidInput
from tests.evaluation.test_ovobench import RELEASED, RESULTS
from tests.shared_data import needs


def choice(record: int, truth: str, question: str = "What?") -> Decision:
    words = {"question": question, "options": "A. a\nB. b"}
    return Decision(record, 0, "EPM", "x/a.mp4", 1.0, Reply.CHOICE, truth, words, ("a", "b"))


def row(record: int, truth: str, response: str | None, question: str = "What?") -> dict[str, Any]:
    return {
        "id": record,
        "video": "/somewhere/else/a.mp4",
        "task": "EPM",
        "question": question,
        "response": response,
        "ground_truth": truth,
    }


DECISIONS = [choice(1, "A"), choice(2, "B"), Decision(3, 0, "REC", "b.mp4", 1.0, Reply.NUMBER, "2", {})]
FORWARD = {"id": 3, "test_info": [{"realtime": 1, "count": 2, "response": "2"}]}


LATE = {"id": 3, "test_info": [{"realtime": 2, "count": 2, "response": "2"}]}


def released(tmp_path: Path, backward: list[dict[str, Any]], forward: list[dict[str, Any]]) -> Responses:
    path = tmp_path / "model.json"
    path.write_text(json.dumps({"backward": backward, "realtime": [], "forward": forward}))
    return read_responses([tmp_path], DECISIONS)


def test_released_rows_are_matched_by_id(tmp_path: Path) -> None:
    found = released(tmp_path, [row(2, "B", None), row(1, "A", "A")], [FORWARD])
    assert found.texts == ("A", None, "2")
    assert found.notes == ()


def test_json_lines_work_too(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(
        '{"id": 1, "response": "A"}\n{"id": 2, "response": "B"}\n{"id": 3, "index": 0, "response": "2"}'
    )
    assert read_responses([path], DECISIONS).texts == ("A", "B", "2")


def test_a_row_under_anothers_id_finds_its_record_by_what_it_asks(tmp_path: Path) -> None:
    found = released(tmp_path, [row(1, "A", "A"), row(1, "B", "b?")], [FORWARD])
    assert found.texts == ("A", "b?", "2")
    assert "id 1 is taken; by its question this answers record 2/0" in found.notes[0]


@pytest.mark.parametrize(
    ("backward", "forward", "complaint"),
    [
        ([row(9, "A", "A")], [], "backward row 0: expected a decision of the annotations, got 9/0"),
        ([row(1, "A", "A"), row(1, "A", "A")], [], "backward row 1: .* fits no unanswered record"),
        ([row(1, "A", "A", "Who?")], [], "backward row 0: .* fits no unanswered record"),
        (
            [row(1, "A", "A")],
            [FORWARD],
            "expected a response to each of 3 decisions, got 2; the first missing is 2/0",
        ),
        ([row(1, "A", "A")], [FORWARD, FORWARD], "forward row 1: expected each decision once, got 3/0 again"),
        ([], [LATE], "forward row 0: expected trigger 0 at 1 s, got 2"),
        ([], [{"id": 3, "test_info": [5]}], "forward row 0 trigger 0: expected a JSON object, got 5"),
        ([row(1, "A", 5)], [], "backward row 0: expected a response in words or null, got 5"),  # type: ignore[arg-type]
    ],
)
def test_what_does_not_fit_is_named(
    tmp_path: Path, backward: list[dict[str, Any]], forward: list[dict[str, Any]], complaint: str
) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        released(tmp_path, backward, forward)


def test_other_documents_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text("[]")
    with pytest.raises(InvalidInput, match="expected an object with backward, realtime, forward"):
        read_responses([tmp_path], DECISIONS)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="expected response files"):
        read_responses([tmp_path], DECISIONS)


@needs(RESULTS)
def test_five_published_rows_carry_another_records_id() -> None:
    found = read_responses([RESULTS / "Gemini"], read_decisions(RELEASED))
    assert sorted(note.rsplit(" ", 1)[1] for note in found.notes) == [
        "194/0",
        "240/0",
        "283/0",
        "463/0",
        "467/0",
    ]
