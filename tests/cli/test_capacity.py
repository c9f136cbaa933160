import json
from pathlib import Path

import pytest

from stamina_video.cli import main
from tests.shared_data import SVCBENCH_QUERIES, needs

SQUATS = {
    "id": "q1",
    "video_path": "gym.mp4",
    "question": "How many squats have been completed so far?",
    "counting_subtype": "E2-Periodic",
    "query_points": {"time": [4.0, 10.0], "count": [2, 9]},
}


@pytest.fixture
def questions(tmp_path: Path) -> str:
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(SQUATS))
    return str(path)


def run(*arguments: str) -> object:
    with pytest.raises(SystemExit) as left:
        main(["capacity", *arguments])
    return left.value.code


def test_json_is_one_document(questions: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--annotations", questions, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["by_operator"]["E2-Periodic"] == {
        "operator": "E2-Periodic",
        "endpoints": 2,
        "full": 1.0,
        "stream": 0.5,
        "lowest_fps": pytest.approx(1.7),
    }
    assert [(row["at"], row["stream_ceiling"]) for row in document["unreachable"]] == [(10.0, 5)]


def test_the_rate_it_shows_is_enough(questions: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--annotations", questions) == 0
    shown = capsys.readouterr().out
    assert "1.7" in shown
    assert run("--annotations", questions, "--fps", "1.7", "--json") == 0
    assert json.loads(capsys.readouterr().out)["unreachable"] == []


@needs(SVCBENCH_QUERIES)
def test_the_papers_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--annotations", str(SVCBENCH_QUERIES)) == 0
    table = {line.split("│")[1].strip(): line for line in capsys.readouterr().out.splitlines() if "│" in line}
    for operator, cells in {
        "E1-Action": ("1281", "100.0%", "100.0%"),
        "E1-Transit": ("205", "100.0%", "100.0%"),
        "E2-Episode": ("513", "100.0%", "100.0%"),
        "E2-Periodic": ("280", "44.3%", "58.2%"),
    }.items():
        assert [cell.strip() for cell in table[operator].split("│")[2:5]] == list(cells)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"query_points": {"time": [4.0], "count": [1.5]}},
            "expected a whole count from 0 to",
        ),
        ({"counting_subtype": "E3"}, "expected an operator"),
        ({"query_points": None}, "expected a JSON object, got None"),
    ],
)
def test_bad_annotations_end_with_one_line(
    changed: dict[str, object], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps(SQUATS | changed))
    assert run("--annotations", str(path)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("option", "value"), [("--fps", "0"), ("--fps", "nan"), ("--frames", "0")])
def test_a_senseless_budget_is_refused(
    option: str, value: str, questions: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--annotations", questions, option, value) == 2
    assert "expected a frame" in capsys.readouterr().err
