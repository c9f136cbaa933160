import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from accelerate import PartialState

from stamina_video.backbone.names import Names
from stamina_video.backbone.perception.efficientdet import Retina
from stamina_video.backbone.perception.finder import CONFIGURATION, WEIGHTS, TrainedEyes
from stamina_video.semantics import InvalidInput, UnreadableFile
from stamina_video.training.eyes import opening
from stamina_video.training.eyes.glancing import taught
from stamina_video.training.eyes.opening import EYES, GLANCES, SPOTTER, lend_eyes, open_eyes, unannotated
from stamina_video.training.recipe import Opening
from tests.backbone.fakes import ToyText
from tests.backbone.perception.sights import CONFIG, ToyRetina, closed
from tests.cli.scenes import blob_video
from tests.evaluation.running.scenes import data_set


@pytest.fixture(autouse=True)
def alone() -> None:
    PartialState()


def opened(folders: Sequence[Path], run: Path, retina: Callable[[], Retina], said: list[str]) -> Path:
    def report(what: str, done: int, of: int) -> None:
        said.append(f"{what} {done} of {of}")

    return open_eyes(Opening(scenes=1), folders, run, 5, retina, ToyText(), report, said.append)


@pytest.fixture
def lessons(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What the eyes were taught, by a teacher that has no time."""
    given: list[tuple[Any, ...]] = []

    def learn_to_see(*told: Any, kept: Path) -> TrainedEyes:
        given.append((*told, kept))
        return TrainedEyes(CONFIG)

    monkeypatch.setattr(opening, "learn_to_see", learn_to_see)
    return given


def test_eyes_look_at_no_video_that_is_told_of(tmp_path: Path) -> None:
    _, videos = data_set(tmp_path / "data")
    more = tmp_path / "data" / "more"
    more.mkdir()
    for name in ("c.mp4", "d.MKV", "notes.txt"):
        (more / name).touch()
    (videos / "source.mp4").touch()  # what an annotated one may have been made from
    (more / "again.mp4").symlink_to(videos / "a.mp4")
    assert unannotated([tmp_path / "data"]) == [more / "c.mp4", more / "d.MKV"]
    assert unannotated([]) == []


def test_eyes_that_are_kept_are_not_learned_again(tmp_path: Path, lessons: list[tuple[Any, ...]]) -> None:
    TrainedEyes(CONFIG).save_pretrained(tmp_path / EYES)
    before = (tmp_path / EYES / WEIGHTS).read_bytes()
    said: list[str] = []
    assert opened([], tmp_path, closed, said) == tmp_path / EYES
    assert (lessons, said) == ([], [])
    assert (tmp_path / EYES / WEIGHTS).read_bytes() == before


def test_eyes_learn_from_scenes_and_from_clips_that_nobody_told_of(
    tmp_path: Path, lessons: list[tuple[Any, ...]]
) -> None:
    data_set(tmp_path / "data")
    more = tmp_path / "data" / "more"
    more.mkdir()
    blob_video(more / "c.mp4")
    (more / "broken.mp4").write_bytes(b"no video")
    said: list[str] = []
    eyes = opened([tmp_path / "data"], tmp_path / "run", ToyRetina, said)
    assert TrainedEyes.from_pretrained(eyes).config == CONFIG
    ((columns, retinas, names, scenes, clips, _, seed, _, kept),) = lessons
    assert (columns, names, len(scenes), seed) == (Names(ToyText()).columns, taught(), 1, 5)
    assert {type(retina) for retina in retinas} == {ToyRetina}
    assert kept == tmp_path / "run" / GLANCES / SPOTTER
    (clip,) = clips
    assert len(clip) > 1
    taken = sorted(path.name for path in (tmp_path / "run" / GLANCES).iterdir())
    assert [name.split("-")[:2] for name in taken] == [["clip", "c"], ["scene", "0.safetensors"]]
    assert [line for line in said if line.startswith("left out: ")]
    assert "glancing 0 of 1" in said

    shutil.rmtree(eyes)  # stopped before the lessons were over
    opened([tmp_path / "data"], tmp_path / "run", ToyRetina, said)
    assert len(lessons) == 2
    assert said.count("glancing 0 of 1") == 2  # a clip and a scene, the first time


def test_lent_eyes_are_the_runs_own_from_then_on(tmp_path: Path) -> None:
    torch.manual_seed(3)
    TrainedEyes(CONFIG).save_pretrained(tmp_path / "lender")
    run = tmp_path / "run"
    assert lend_eyes(tmp_path / "lender", run) == lend_eyes(tmp_path / "lender", run) == run / EYES
    for file in (CONFIGURATION, WEIGHTS):
        assert (run / EYES / file).read_bytes() == (tmp_path / "lender" / file).read_bytes()


def test_a_run_keeps_the_eyes_it_has_seen_through(tmp_path: Path) -> None:
    for name in ("lender", "other"):
        TrainedEyes(CONFIG).save_pretrained(tmp_path / name)
    lend_eyes(tmp_path / "lender", tmp_path)
    before = (tmp_path / EYES / WEIGHTS).read_bytes()
    with pytest.raises(InvalidInput, match="expected the eyes it has seen through so far, got those of"):
        lend_eyes(tmp_path / "other", tmp_path)
    assert (tmp_path / EYES / WEIGHTS).read_bytes() == before


def test_a_lender_without_eyes_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="expected trained eyes"):
        lend_eyes(tmp_path / "nowhere", tmp_path / "run")
    assert not (tmp_path / "run").exists()
