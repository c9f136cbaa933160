import json
from pathlib import Path
from typing import Any

import pytest

from stamina_video.cli.score import app
from tests.evaluation.commands import run
from tests.evaluation.test_ovobench import CHOICE, RELEASED, RESULTS
from tests.shared_data import SVCBENCH_QUERIES, needs

QUESTION = {
    "id": "q1",
    "video_path": "gym.mp4",
    "question": "How many squats have been completed so far?",
    "counting_subtype": "E2-Periodic",
    "query_points": {"time": [4.0, 10.0], "count": [2, 9]},
}


@pytest.fixture
def annotations(tmp_path: Path) -> str:
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(QUESTION))
    return str(path)


def answers(tmp_path: Path, values: list[Any], name: str = "run.jsonl") -> str:
    path = tmp_path / name
    path.write_text(json.dumps({"id": "q1", "query_times": [4.0, 10.0], "predictions": values}))
    return str(path)


def test_json_is_one_document(annotations: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seeds = [answers(tmp_path, [2, 9]), answers(tmp_path, [2, None], "seed2.jsonl")]
    given = [argument for seed in seeds for argument in ("--predictions", seed)]
    assert run(app, "svcbench", "--annotations", annotations, *given, "--json") == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert document["overall"] == {
        "gpa": 0.75,
        "moc": 0.5,
        "uda": 0.5,
        "uda_changes": 0.5,
        "questions": 1,
        "points": 2,
        "invalid": 1,
        "seeds": 2,
    }
    assert set(document["by_operator"]) == {"E2-Periodic"}
    assert document["settings"]["scorer"] == "svcbench-1"
    assert document["settings"]["predictions"] == seeds
    assert "seed2.jsonl line 1: question 'q1' at 10 s: null is no count" in captured.err


def test_the_table_is_in_percent(
    annotations: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(app, "svcbench", "--annotations", annotations, "--predictions", answers(tmp_path, [2, 9])) == 0
    shown = capsys.readouterr().out
    assert "SVCBench: run, 1 seed (%)" in shown
    assert "100.0" in shown


def test_published_rows_stand_beside_the_run(annotations: str, tmp_path: Path) -> None:
    table = tmp_path / "table.md"
    predictions = answers(tmp_path, [2, 9])
    run(
        app,
        "svcbench",
        "--annotations",
        annotations,
        "--predictions",
        predictions,
        "--name",
        "mine",
        "--markdown",
        str(table),
    )
    assert "| StaMina-8B | Stream | published | 42.8 |" in table.read_text()
    assert "| mine | Stream | measured | – |" in table.read_text()
    assert "| scorer | svcbench-1 |" in table.read_text()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ({"id": "q7", "query_times": [4.0, 10.0], "predictions": [1, 2]}, "got id 'q7'"),
        ({"id": "q1", "query_times": [4.0], "predictions": [1]}, "got 10.0 missing"),
        ({"id": "q1", "query_times": [4.0, 10.0, 11.0], "predictions": [1, 2, 3]}, "11.0 extra"),
        ({"id": "q1", "query_times": [4.0, 10.0], "predictions": "1 2"}, "expected a list"),
        ('{"id": "q1", "query_times": [4.0, 10.0], "predi', "expected JSON"),
    ],
)
def test_bad_predictions_end_with_one_line_that_names_the_row(
    annotations: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: Any, complaint: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(line if isinstance(line, str) else json.dumps(line))
    assert run(app, "svcbench", "--annotations", annotations, "--predictions", str(path), "--json") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "bad.jsonl line 1" in captured.err
    assert complaint in captured.err
    assert captured.err.count("\n") == 1


def test_many_invalid_answers_are_named_up_to_ten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    times = list(map(float, range(30)))
    questions = tmp_path / "many.jsonl"
    questions.write_text(json.dumps(QUESTION | {"query_points": {"time": times, "count": [0] * 30}}))
    predictions = tmp_path / "many-run.jsonl"
    predictions.write_text(json.dumps({"id": "q1", "query_times": times, "predictions": ["?"] * 30}))
    assert (
        run(app, "svcbench", "--annotations", str(questions), "--predictions", str(predictions), "--json")
        == 0
    )
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 11
    assert "20 more" in captured.err
    assert json.loads(captured.out)["overall"]["gpa"] == 0.0


def test_ovobench_prints_both_readings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    annotations, responses = tmp_path / "ovo.json", tmp_path / "run.jsonl"
    annotations.write_text(json.dumps([CHOICE]))
    responses.write_text('{"id": 5, "response": "Both A and B"}')
    arguments = ("ovobench", "--annotations", str(annotations), "--predictions", str(responses))
    assert run(app, *arguments, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["by_task"] == {"EPM": {"official": 1.0, "strict": 0.0, "decisions": 1}}
    assert document["overall"] == {"official": 1.0, "strict": 0.0, "decisions": 1}
    assert run(app, *arguments) == 0
    assert "all decisions pooled" in capsys.readouterr().out


@needs(RESULTS)
def test_published_responses_reproduce_the_released_figures(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--annotations", str(RELEASED), "--predictions", str(RESULTS / "LongVU"))
    assert run(app, "ovobench", *given, "--json") == 0
    averages = json.loads(capsys.readouterr().out)["averages"]
    assert round(100 * averages["total"]["official"], 2) == 46.71
    assert round(100 * averages["total"]["strict"], 2) == 46.20


@needs(SVCBENCH_QUERIES)
def test_zero_everywhere_scores_the_papers_clear_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows: dict[str, dict[str, Any]] = {}
    for line in SVCBENCH_QUERIES.read_text().splitlines():
        point = json.loads(line)
        row = rows.setdefault(point["id"], {"id": point["id"], "query_times": [], "predictions": []})
        row["query_times"].append(point["query_time"])
        row["predictions"].append(0)
    path = tmp_path / "zero.jsonl"
    path.write_text("\n".join(map(json.dumps, rows.values())))
    assert (
        run(app, "svcbench", "--annotations", str(SVCBENCH_QUERIES), "--predictions", str(path), "--json")
        == 0
    )
    overall = json.loads(capsys.readouterr().out)["overall"]
    assert round(100 * overall["gpa"], 1) == 6.1
    assert (overall["questions"], overall["points"], overall["invalid"]) == (1000, 4576, 0)


def test_a_cleared_read_scores_nothing(
    annotations: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ("--annotations", annotations, "--predictions", answers(tmp_path, [2, 9]), "--json")
    assert run(app, "svcbench", *given, "--control", "clear") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["overall"]["gpa"] == pytest.approx(0.0)
    assert document["settings"]["control"] == "clear"


def test_results_also_come_in_lmms_evals_layout(annotations: str, tmp_path: Path) -> None:
    given = ("--annotations", annotations, "--predictions", answers(tmp_path, [2, 9]), "--name", "mine")
    assert run(app, "svcbench", *given, "--lmms-eval", str(tmp_path / "out"), "--json") == 0
    names = sorted(path.name.split("_", 2)[2] for path in (tmp_path / "out" / "mine").iterdir())
    assert names == ["results.json", "samples_svcbench.jsonl"]
