import json
from pathlib import Path

import pytest
import typer

from stamina_video.cli.compare import compare
from stamina_video.evaluation import Predictions, score_runs, write_result
from stamina_video.semantics import Operator, Question
from tests.evaluation.commands import run

app = typer.Typer()
app.command()(compare)

QUESTIONS = [
    Question(f"q{index}", f"v{index}.mp4", "How many?", Operator.E1_ACTION, (1.0, 2.0), (1, 2))
    for index in range(6)
]


@pytest.fixture
def results(tmp_path: Path) -> tuple[str, str]:
    never = score_runs(QUESTIONS, [Predictions("a", ((0.0, 0.0),) * 6)], "never")
    half = score_runs(QUESTIONS, [Predictions("b", ((1.0, 0.0),) * 6)], "half")
    write_result(never, tmp_path / "never.json")
    write_result(half, tmp_path / "half" / "result.json")
    return str(tmp_path / "never.json"), str(tmp_path / "half")


def test_differences_come_with_intervals(
    results: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(app, *results, "--resamples", "200", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["a"]["name"], document["b"]["name"], document["parents"]) == ("never", "half", 6)
    gpa = document["contrasts"][0]
    assert (gpa["name"], gpa["metric"]) == ("overall", "gpa")
    assert gpa["difference"] == pytest.approx(0.5)
    assert (gpa["low"], gpa["high"]) == (pytest.approx(0.5), pytest.approx(0.5))


def test_the_table_names_both_runs(results: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, *results, "--resamples", "50") == 0
    assert "half against never" in capsys.readouterr().out


def test_both_runs_stand_beside_the_papers(results: tuple[str, str], tmp_path: Path) -> None:
    assert run(app, *results, "--resamples", "50", "--markdown", str(tmp_path / "t.md")) == 0
    page = (tmp_path / "t.md").read_text()
    assert page.index("| never |") < page.index("| half |")
    assert "## half against never" in page


def test_the_comparison_is_a_page_too(
    results: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(app, *results, "--resamples", "50", "--out", str(tmp_path / "both.html")) == 0
    assert "half against never" in (tmp_path / "both.html").read_text()
    assert run(app, *results, "--out", str(tmp_path / "both.txt")) == 2
    assert "expected --out to end in .html" in capsys.readouterr().err


def test_what_is_no_result_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.json").write_text("{}")
    assert run(app, str(tmp_path / "x.json"), str(tmp_path / "x.json")) == 2
    assert "expected a result file" in capsys.readouterr().err
