import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from stamina_video.cli import main
from stamina_video.data.frame_map import FrameMap
from stamina_video.data.pool import write_pool
from stamina_video.data.trajectory import Media, Provenance, Supported, Trajectory
from stamina_video.runtime import load
from stamina_video.semantics import Target
from stamina_video.training.folders import lectures
from stamina_video.training.recipes import tiny
from tests.data.filming import film


def a_trajectory(number: int, target: Target, evidence: tuple[str, ...] = ("seen",)) -> Trajectory:
    clip = f"clip-{number}"
    return Trajectory(
        id=f"{clip} {target.operator}",
        parent=clip,
        scene=clip,
        media=Media(f"{clip}.mp4"),
        segment="whole",
        frame_map=FrameMap.whole(3.0),
        target=target,
        question=f"how many {target.description}?",
        provenance=Provenance("hand", clip, "spatial"),
        endpoints=(Supported(1.0, 1, evidence), Supported(2.0, 1, evidence)),
    )


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pool")
    targets = (Target("red mugs", "O2-Unique"), Target("swing", "E2-Periodic"))
    write_pool([a_trajectory(number, target) for number in range(3) for target in targets], folder)
    (folder / "videos").mkdir()
    for number in range(3):
        film(folder / "videos" / f"clip-{number}.mp4", 3.0)
    return folder


def stamina(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    return int(left.value.code or 0)


def test_the_tiny_recipe_runs_from_end_to_end_and_resumes(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    assert stamina("train", "tiny", "--data", data, "--out", run, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["updates"] >= 3
    assert {"answer", "path", "object"} & document["last"].keys()
    assert load(run / "model").heads.config.phase_input
    assert stamina("train", "tiny", "--data", data, "--out", run, "--resume") == 0
    assert f"{document['updates']} updates" in capsys.readouterr().err


def test_processes_without_a_gpu_train_together(data: Path, tmp_path: Path) -> None:
    """As `torchrun` starts them: nothing but ranks and a place to meet."""
    run = tmp_path / "run"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [sys.executable, "-c", "from stamina_video.cli import main; main()"]
    command += ["train", "tiny", "--data", str(data), "--out", str(run), "--steps", "2"]
    meeting = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "OMP_NUM_THREADS": "1"}
    processes = [
        subprocess.Popen(command, env={**os.environ, **meeting, "RANK": rank, "LOCAL_RANK": rank})
        for rank in "01"
    ]
    assert [process.wait(timeout=600) for process in processes] == [0, 0]
    assert json.loads((run / "recipe.json").read_text())["processes"] == 2
    assert len((run / "log.jsonl").read_text().splitlines()) == 2


def test_labels_stand_at_the_observations_that_are_read(data: Path) -> None:
    taught = lectures([data], tiny(), seed=0)
    for sample in (*taught.learned, *taught.held_out):
        ends = [
            int(labels.ends_J.max())
            for lesson in sample.lessons
            for labels in (lesson.unique, lesson.completed)
            if labels
        ]
        assert max(ends) == len(sample.read()) == 3
    assert len(taught.learned) + len(taught.held_out) == 3


@pytest.mark.parametrize(
    ("recipe", "said"), [("nan", "expected a recipe as RUN"), ("tiny:memory", "expected a recipe as RUN")]
)
def test_an_unknown_recipe_is_one_line(
    recipe: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert stamina("train", recipe, "--data", tmp_path, "--out", tmp_path / "run") == 2
    refused = capsys.readouterr().err
    assert said in refused
    assert refused.count("\n") == 1


def test_data_without_endpoints_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_pool([a_trajectory(0, Target("red mugs", "O2-Unique"), evidence=())], tmp_path)
    assert stamina("train", "tiny", "--data", tmp_path, "--out", tmp_path / "run") == 2
    assert "expected supported count endpoints to learn from, got none" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_folder_that_is_none_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert stamina("train", "tiny", "--data", tmp_path / "nowhere", "--out", tmp_path / "run") == 2
    assert "expected a folder of data, got none" in capsys.readouterr().err


def test_nothing_to_resume_is_one_line(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert stamina("train", "tiny", "--data", data, "--out", tmp_path / "run", "--resume") == 2
    assert "expected a run to resume" in capsys.readouterr().err


def test_a_run_is_not_overwritten(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "recipe.json").write_text("{}")
    assert stamina("train", "tiny", "--data", data, "--out", tmp_path) == 2
    assert "expected a new folder, got one with a run in it" in capsys.readouterr().err


@pytest.mark.parametrize(("option", "value"), [("--leave-out", "clip-1"), ("--eyes", "new")])
def test_what_only_a_film_needs_is_refused_of_other_recipes(
    option: str, value: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert stamina("train", "tiny", "--data", data, "--out", tmp_path / "run", option, value) == 2
    assert f"expected {option} for a recipe that films, got it for tiny" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_eyes_that_are_none_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    assert stamina("train", "nano", "--out", run, "--scenes", "1", "--eyes", tmp_path / "nowhere") == 2
    refused = capsys.readouterr().err
    assert "expected trained eyes" in refused
    assert refused.count("\n") == 1
    assert not run.exists()
