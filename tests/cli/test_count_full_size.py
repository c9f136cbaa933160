"""`stamina count` with the full-size model at tiny size, loaded from the folder it was saved in."""

import json
from pathlib import Path
from typing import Any

import pytest

from stamina_video.cli import main
from stamina_video.runtime import Model, Session, replay
from stamina_video.semantics import Target
from stamina_video.video import open_video
from tests.cli.scenes import blob_video
from tests.runtime.speaking import save_speaking

TARGETS = (Target("red blobs", "O2-Unique"), Target("swing", "E2-Periodic"))
ASKED = [word for one in TARGETS for word in ("--target", one.description, "--operator", one.operator.value)]
FRAMES = 6  # the window keeps four


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return blob_video(tmp_path_factory.mktemp("count") / "table.mp4")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("count") / "full-size"


@pytest.fixture(scope="module", autouse=True)
def model(folder: Path) -> Model:
    return save_speaking(folder)


def counted(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    with pytest.raises(SystemExit) as left:
        main(["count", *map(str, arguments), *ASKED, "--json"])
    assert left.value.code == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def counts(document: dict[str, Any]) -> list[list[int]]:
    return [[answer["count"] for answer in row["answers"]] for row in document["targets"]]


def test_full_access_replays_with_attention_to_the_origin(
    clip: Path, model: Model, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = (clip, "--at", 3, "--at", 1, "--access", "full", "--frames", FRAMES, "--model", folder)
    document = counted(capsys, *arguments)
    expected = [
        [replay(model, target, open_video(clip, frames=FRAMES, until=at), at).count for at in (3.0, 1.0)]
        for target in TARGETS
    ]
    assert counts(document) == expected
    assert any(map(any, expected)), "counts that are all nought would hide what was replayed"
    assert document["observations"] == FRAMES
    assert document["fingerprint"].split("-")[-1] == model_hash(model.full_access)
    assert model_hash(model.full_access) != model_hash(model)


def test_stream_access_counts_as_a_session_does(
    clip: Path, model: Model, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = counted(capsys, clip, "--at", 3, "--fps", 2, "--model", folder)
    with Session(model, TARGETS) as session:
        for item in open_video(clip, 2, until=3.0):
            session.observe(item)
        assert counts(document) == [[session.count(target.description, 3.0)] for target in TARGETS]
    assert document["fingerprint"].split("-")[-1] == model_hash(model)


def model_hash(model: Model) -> str:
    """Without the name, which is that of the folder once it is loaded."""
    return model.fingerprint.removeprefix(f"{model.name}-")
