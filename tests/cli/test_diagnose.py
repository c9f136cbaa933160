import json
from pathlib import Path

import pytest
import typer

from stamina_video.cli.diagnose import diagnose
from tests.evaluation.commands import run

app = typer.Typer()
app.command()(diagnose)

TRUTH = (
    "video,target,time,event,count\ngym.mp4,squats,2,squat,\ngym.mp4,squats,12,squat,\ngym.mp4,squats,20,,2\n"
)


@pytest.fixture
def truth(tmp_path: Path) -> str:
    path = tmp_path / "truth.csv"
    path.write_text(TRUTH)
    return str(path)


def predictions(tmp_path: Path, text: str) -> str:
    path = tmp_path / "other_counter.csv"
    path.write_text(text)
    return str(path)


def test_anybodys_counter_is_diagnosed(
    truth: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counter = predictions(tmp_path, "video,target,time,count\ngym.mp4,squats,3,1\ngym.mp4,squats,4,2\n")
    assert run(app, "--predictions", counter, "--truth", truth, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["overall"]["misses"] == 0.5
    assert document["overall"]["duplicates"] == 0.5
    assert document["overall"]["delay"] == 1.0
    assert document["overall"]["exact"] == 1.0  # the right total for the wrong reasons
    assert document["by_stratum"].keys() == {"boundary supported"}


def test_the_table_leaves_out_what_does_not_apply(
    truth: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counter = predictions(tmp_path, "video,target,time,event\ngym.mp4,squats,3,x\n")
    assert run(app, "--predictions", counter, "--truth", truth) == 0
    shown = capsys.readouterr().out
    assert "Missed events" in shown
    assert "50.0 %" in shown
    assert "NEW precision" not in shown


def test_a_silent_counter_is_said_to_be(
    truth: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counter = predictions(tmp_path, "video,target,time,event\n")
    out = tmp_path / "result.json"
    assert run(app, "--predictions", counter, "--truth", truth, "--out", str(out), "--json") == 0
    captured = capsys.readouterr()
    assert "says nothing about gym.mp4 squats: taken as no commits" in captured.err
    assert json.loads(captured.out)["overall"]["misses"] == 1.0
    assert json.loads(out.read_text())["benchmark"] == "diagnosis"


def test_bad_rows_are_named(truth: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counter = predictions(tmp_path, "video,target,time,count\ngym.mp4,squats,3,three\n")
    assert run(app, "--predictions", counter, "--truth", truth, "--json") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "other_counter.csv line 2: expected a number as count, got 'three'" in captured.err
