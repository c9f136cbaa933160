"""The lmms-eval task in examples/: scored as here, causal, and accepted by the harness's own loader.

The harness pins older libraries, so it lives in an environment of its own: set LMMS_EVAL_PYTHON to that
environment's interpreter to run the loader's test.
"""

import importlib.util
import json
import math
import os
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import av
import numpy as np
import pytest

from stamina_video.evaluation import Predictions, score_runs
from stamina_video.semantics import read_questions

TASK = Path(__file__).parents[2] / "examples" / "lmms_eval"
HARNESS = os.environ.get("LMMS_EVAL_PYTHON", "")

POINTS = [
    {"q_id": "0", "query_index": 0, "id": "a", "query_time": 2.0, "count": 1},
    {"q_id": "1", "query_index": 1, "id": "a", "query_time": 4.0, "count": 3},
    {"q_id": "2", "query_index": 2, "id": "b", "query_time": 3.0, "count": 2},
]
COMMON = {
    "source_dataset": "gym",
    "video_path": "gym.mp4",
    "question": "How many squats have been completed so far?",
    "counting_type": "E2",
    "counting_subtype": "E2-Periodic",
}
DOCS: list[dict[str, Any]] = [point | COMMON for point in POINTS]


@pytest.fixture(scope="module")
def task() -> ModuleType:
    spec = importlib.util.spec_from_file_location("svcbench_task", TASK / "svcbench" / "utils.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_task_scores_as_the_command_does(task: ModuleType, tmp_path: Path) -> None:
    responses = ["1", "It is 2.", "no idea"]
    points = [task.process_results(doc, [said]) for doc, said in zip(DOCS, responses, strict=True)]
    path = tmp_path / "eval.jsonl"
    path.write_text("\n".join(map(json.dumps, DOCS)))
    run = Predictions("run", ((1.0, 2.0), (math.nan,)))
    expected = score_runs(read_questions(path), [run]).figures()["overall"]
    for metric in task.METRICS:
        assert getattr(task, metric)([point[metric] for point in points]) == pytest.approx(expected[metric])


@pytest.mark.parametrize(
    ("said", "number"),
    [("7", 7), ("There are 7.", 7), ("7 and 7", 7), ("3 or 4", None), ("2.5", None), ("-1", None)],
)
def test_one_whole_number_is_an_answer(task: ModuleType, said: str, number: int | None) -> None:
    found = task.whole_number(said)
    assert math.isnan(found) if number is None else found == number


def test_the_model_is_asked_without_being_told(task: ModuleType) -> None:
    asked = task.doc_to_text(DOCS[1])
    assert COMMON["question"] in asked
    assert "3" not in asked


def test_the_clip_ends_at_the_query(
    task: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setenv("SVCBENCH_VIDEOS", str(tmp_path))
    with av.open(str(tmp_path / "gym.mp4"), "w") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for index in range(50):
            shade = np.full((48, 64, 3), 4 * index, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(shade)))
        container.mux(stream.encode())
    (clip,) = task.doc_to_visual(DOCS[0])
    with av.open(clip) as container:
        shades = [frame.to_ndarray(format="gray").mean() for frame in container.decode(video=0)]
    assert len(shades) == 21  # 0.0 to 2.0 s
    assert max(shades) < 4 * 21 + 3
    assert task.doc_to_visual(DOCS[0]) == [clip]


LOADER = """
import json, sys
from lmms_eval.tasks import TaskManager
manager = TaskManager(include_path=sys.argv[1], include_defaults=False)
task = manager.load_task_or_group(["svcbench"])["svcbench"]
docs = list(task.test_docs())
point = task.process_results(docs[0], ["1"])
scores = {name: function([point[name]]) for name, function in task.aggregation().items()}
print(json.dumps({"docs": len(docs), "text": task.doc_to_text(docs[0]), "target": task.doc_to_target(docs[0]),
                  "gpa": scores["gpa"], "metrics": sorted(scores)}))
"""


@pytest.mark.skipif(not HARNESS, reason="lmms-eval is absent: set LMMS_EVAL_PYTHON to its interpreter")
def test_the_harness_loads_the_task(tmp_path: Path) -> None:
    (tmp_path / "vcbench_eval.jsonl").write_text("\n".join(map(json.dumps, DOCS)))
    source = str(TASK.parents[1] / "src")
    ran = subprocess.run(
        [HARNESS, "-c", LOADER, str(TASK)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": source, "HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    found = json.loads(ran.stdout.splitlines()[-1])
    assert found["docs"] == 3
    assert found["text"].startswith(str(COMMON["question"]))
    assert (str(found["target"]), found["gpa"]) == ("1", 1.0)
    assert found["metrics"] == ["gpa", "moc", "uda", "uda_changes"]
