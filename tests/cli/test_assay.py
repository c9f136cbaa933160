import json
from pathlib import Path

import pytest

from stamina_video.cli.evaluate import app
from tests.evaluation.commands import run
from tests.evaluation.test_sensing import swing


def row(id_: str, video: str) -> str:
    points = {"time": [3.4, 6.4], "count": [3, 6]}
    question = {"id": id_, "video_path": video, "question": "How many swings have been completed so far?"}
    return json.dumps(question | {"counting_subtype": "E2-Periodic", "query_points": points}) + "\n"


def test_a_sensor_is_judged_under_every_condition(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.mp4", "b.mp4"):
        swing(tmp_path / name, 7.0)
    annotations = tmp_path / "questions.jsonl"
    annotations.write_text(row("p", "a.mp4") + row("q", "a.mp4") + row("r", "b.mp4"))
    command = ["assay", "--annotations", str(annotations), "--videos", str(tmp_path)]
    assert run(app, *command, "--json") == 0
    told = capsys.readouterr()
    conditions = json.loads(told.out)["conditions"]
    assert conditions["ledger"] == conditions["direct"] == {"exact": 1.0, "mae": 0.0}
    assert conditions["delayed"]["exact"] == conditions["cleared"]["exact"] == 0.0
    assert conditions["swapped"]["exact"] == 1.0, "both videos swing alike"
    assert "left out: question 'q', another one about 'a.mp4'" in told.err
    assert run(app, *command) == 0
    assert "3.256" in capsys.readouterr().out, "the paper's row stands beside it"
