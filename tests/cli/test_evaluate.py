import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stamina_video import runtime
from stamina_video.cli.evaluate import app
from stamina_video.evaluation.running import Run
from tests.cli.scenes import counting_model
from tests.evaluation.commands import run
from tests.evaluation.running.scenes import data_set


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(runtime, "load", lambda name: counting_model())
    annotations, videos = data_set(tmp_path)
    return ["svcbench", "--annotations", str(annotations), "--videos", str(videos)]


def test_a_model_is_run_and_scored(
    asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(app, *asked, "--out", str(tmp_path / "out"), "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["overall"]["questions"] == 6
    assert 0 <= document["overall"]["gpa"] <= 1
    assert document["settings"]["fps"] == "auto"
    assert set(document["by_operator"]["O1-Delta"]["gpa_by_read"]) == {"change", "entries"}


def test_a_baseline_says_what_it_cannot_answer(
    asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(app, *asked, "--out", str(tmp_path / "out"), "--model", "baseline:cycles") == 0
    told = capsys.readouterr()
    assert "baseline:cycles cannot answer O2-Unique: it says 0 there" in told.err
    assert "E2-Periodic" in told.out


def test_shards_wait_for_each_other_and_controls_need_no_second_look(
    asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [*asked, "--out", str(tmp_path / "out"), "--model", "baseline:zero", "--json"]
    assert run(app, *command, "--rank", "0", "--world-size", "2") == 0
    assert json.loads(capsys.readouterr().out)["missing"] == 1
    assert run(app, *command, "--rank", "1", "--world-size", "2", "--control", "clear") == 0
    assert json.loads(capsys.readouterr().out)["settings"]["control"] == "clear"
    merged = ["merge", str(tmp_path / "out"), "--out", str(tmp_path / "merged"), "--json"]
    assert run(app, *merged) == 0
    assert json.loads(capsys.readouterr().out)["overall"]["questions"] == 6


def test_an_interrupt_keeps_what_was_done(
    asked: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    one_pass = Run._pass

    def stops_at_the_second(self: Run, *arguments: object) -> None:
        if len(self.missing) == 1:
            raise KeyboardInterrupt
        one_pass(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Run, "_pass", stops_at_the_second)
    command = [*asked, "--out", str(tmp_path / "out"), "--model", "baseline:zero"]
    run(app, *command)
    assert "stopped: what was done is kept" in capsys.readouterr().err
    assert len(Run.read(tmp_path / "out").missing) == 1
    monkeypatch.undo()
    assert run(app, *command) == 0


# The command with the tests' model; its process is killed at this look, before the model sees it.
KILLED_AT = """
import os, signal, sys
from stamina_video import runtime
from stamina_video.cli.app import main
from stamina_video.evaluation.running.models import ModelCounting
from tests.cli.scenes import counting_model

runtime.load = lambda name: counting_model()
observe, looks = ModelCounting.observe, iter(range(int(sys.argv[1])))

def mortal(self, item):
    if next(looks, None) is None:
        os.kill(os.getpid(), signal.SIGKILL)
    observe(self, item)

ModelCounting.observe = mortal
main(sys.argv[2:])
"""


def test_a_killed_process_leaves_what_the_next_one_needs(asked: list[str], tmp_path: Path) -> None:
    command = [*asked, "--fps", "4", "--out"]
    assert run(app, *command, str(tmp_path / "whole")) == 0
    killed = [sys.executable, "-c", KILLED_AT, "25", "evaluate", *command, str(tmp_path / "out")]
    assert subprocess.run(killed, check=False, capture_output=True).returncode == -signal.SIGKILL
    assert len(Run.read(tmp_path / "out").missing) == 1, "it died in the second of two videos"
    assert not (tmp_path / "out" / "result.json").exists()
    assert run(app, *command, str(tmp_path / "out")) == 0
    for name in ("result.json", "predictions.jsonl", "commits.csv"):
        assert (tmp_path / "out" / name).read_text() == (tmp_path / "whole" / name).read_text()


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (["--fps", "often"], "expected --fps auto or a number above zero, got 'often'"),
        (["--matched"], "expected matched moments with full access only"),
        (["--model", "baseline:oracle"], "expected baseline: and one of"),
        (["--model", "baseline:zero", "--no-fsm"], "expected --no-fsm with a model that has an event graph"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    extra: list[str], said: str, asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(app, *asked, "--out", str(tmp_path / "out"), *extra) == 2
    assert said in capsys.readouterr().err
