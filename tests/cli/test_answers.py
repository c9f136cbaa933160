import base64
import io
import json
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from stamina_video import runtime
from stamina_video.cli.evaluate import app
from tests.cli.scenes import blob_video, counting_model
from tests.evaluation.commands import run
from tests.runtime.speaking import save_speaking

DECISIONS = [
    {
        "id": 5,
        "task": "EPM",
        "video": "a.mp4",
        "realtime": 2,
        "question": "What moved?",
        "options": ["red", "blue"],
        "gt": 1,
    },
    {
        "id": 7,
        "task": "REC",
        "video": "a.mp4",
        "activity": "moving",
        "test_info": [{"realtime": 1, "count": 1}, {"realtime": 3, "count": 2}],
    },
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that speaks, and a folder of videos."""
    folder = tmp_path_factory.mktemp("answers")
    save_speaking(folder / "speaking")
    (folder / "videos").mkdir()
    blob_video(folder / "videos" / "a.mp4")
    return folder


def picture() -> str:
    file = io.BytesIO()
    with av.open(file, "w", format="image2pipe") as output:
        stream = output.add_stream("png", rate=1)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = 128, 96, "rgb24"
        image = np.full((96, 128, 3), 200, np.uint8)
        output.mux(stream.encode(av.VideoFrame.from_ndarray(image, "rgb24")))
        output.mux(stream.encode())
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def asked(place: Path, benchmark: str, annotations: Path, *more: str) -> list[str]:
    given = ["--annotations", str(annotations), "--videos", str(place / "videos")]
    return [benchmark, *given, "--model", str(place / "speaking"), "--json", *more]


def test_every_decision_is_asked_and_scored_once(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    annotations = tmp_path / "ovo.json"
    annotations.write_text(json.dumps(DECISIONS))
    command = [*asked(place, "ovobench", annotations), "--out", str(tmp_path / "out")]
    assert run(app, *command) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert document["overall"]["decisions"] == 3
    assert document["settings"]["access"] == "stream"
    answers = (tmp_path / "out" / "responses.jsonl").read_text()
    rows = [json.loads(line) for line in answers.splitlines()]
    assert [(row["id"], row["index"], row["time"]) for row in rows] == [(7, 0, 1.0), (5, 0, 2.0), (7, 1, 3.0)]
    assert run(app, *command) == 0
    assert (tmp_path / "out" / "responses.jsonl").read_text() == answers, "nothing is asked twice"
    assert run(app, *command, "--access", "full") == 2
    assert "expected access 'stream', as the run there was begun" in capsys.readouterr().err


def test_option_pictures_are_shown_and_leave_no_trace(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = {"video_path": "a.mp4", "level": 1, "task_main_category": "1.1", "question": "Where?"}
    seen = {
        "id": "seen",
        "options": [["A", picture()], ["B", picture()]],
        "query_times": [1.0],
        "answers": ["A"],
    }
    told = {"id": "told", "options": [["A", "left"], ["B", "right"]], "query_times": [2.0], "answers": ["B"]}
    for name, items in {"both": [seen, told], "told": [told]}.items():
        annotations = tmp_path / f"{name}.jsonl"
        annotations.write_text("".join(json.dumps(base | item) + "\n" for item in items))
        assert run(app, *asked(place, "ovos", annotations), "--out", str(tmp_path / name)) == 0
        assert json.loads(capsys.readouterr().out)["overall"]["decisions"] == len(items)
    last = [(tmp_path / name / "responses.jsonl").read_text().splitlines()[-1] for name in ("both", "told")]
    assert last[0] == last[1], "what was shown for one question is not seen by the next"


def test_a_model_without_words_is_refused(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "load", lambda name: counting_model())
    annotations = tmp_path / "ovo.json"
    annotations.write_text(json.dumps(DECISIONS))
    assert run(app, *asked(place, "ovobench", annotations), "--out", str(tmp_path / "out")) == 2
    assert "expected a model that speaks" in capsys.readouterr().err
