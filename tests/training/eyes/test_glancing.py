from pathlib import Path

import numpy as np
import pytest

from stamina_video.backbone.names import Names
from stamina_video.data.world.families import family_names
from stamina_video.data.world.kinds import KINDS
from stamina_video.data.world.scene import Scene
from stamina_video.semantics import InvalidInput
from stamina_video.training.eyes import glancing
from stamina_video.training.eyes.glance import load_glances
from stamina_video.training.eyes.glancing import (
    FIRST,
    PAIRS,
    SECONDS,
    WATCHED,
    Glancing,
    readable,
    taught,
)
from tests.backbone.fakes import ToyText
from tests.backbone.perception.sights import ToyRetina, closed
from tests.cli.scenes import blob_video

NAMES = Names(ToyText())


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The glances at the first scene."""
    said: list[tuple[int, int]] = []
    folder = tmp_path_factory.mktemp("glances")
    (path,) = Glancing(ToyRetina, NAMES, folder, lambda done, of: said.append((done, of))).scenes([0])
    assert said == [(0, 1)]
    return path


def test_of_a_staged_scene_the_truth_is_told(scene: Path) -> None:
    glances = load_glances(scene)
    assert len(glances) == 2 * PAIRS
    told = [one.told for one in glances]
    assert any(one.sure_K.any() for one in told)
    names = {NAMES.columns[name] for one in told for name in one.names_K}
    assert names <= {kind.like for kind in KINDS.values()} | {"person", "box"}
    for one in told:
        assert ((one.boxes_K4 >= 0) & (one.boxes_K4 <= 1)).all()
        assert (one.boxes_K4[:, 2:] > one.boxes_K4[:, :2]).all()
        assert len(set(one.who_K.tolist())) == len(one)
        assert (np.isfinite(one.paints_K3).all(1) | np.isnan(one.paints_K3).all(1)).all()


def test_scenes_of_known_and_of_further_things_take_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged: list[tuple[str, str]] = []

    def make_scene(family: str, seed: int, split: str, seconds: float) -> Scene:
        staged.append((family, split))
        assert (seed, seconds) == (FIRST + len(staged) - 1, SECONDS)
        raise InvalidInput("planned, not filmed")

    monkeypatch.setattr(glancing, "make_scene", make_scene)
    families = family_names("varied")
    for number in range(2 * len(families)):
        with pytest.raises(InvalidInput, match="planned, not filmed"):
            Glancing(ToyRetina, NAMES, tmp_path, lambda *_: None).scenes([number])
    assert staged == [(family, split) for split in ("varied", "assorted") for family in families]


def test_what_may_be_learned_by_heart_is_what_is_counted_in_scenes() -> None:
    names = taught()
    assert {"person", "box", "cup", "bottle", "chair"} <= names <= set(NAMES.columns)
    assert not names & {"banana", "pizza", "vase", "donut", "something", "nothing"}


def test_the_second_look_of_a_pair_follows_the_first(scene: Path) -> None:
    glances = load_glances(scene)
    assert [one.flow_HW2 is not None for one in glances] == [False, True] * PAIRS
    for first, second in zip(glances[::2], glances[1::2], strict=True):
        assert second.flow_HW2 is not None
        assert second.flow_HW2.shape[-1] == 2
        assert set(first.told.who_K.tolist()) & set(second.told.who_K.tolist())


def test_what_was_taken_is_not_taken_again(scene: Path) -> None:
    before = scene.read_bytes()
    assert Glancing(closed, NAMES, scene.parent, lambda *_: None).scenes([0]) == [scene]
    assert scene.read_bytes() == before


def test_of_a_clip_the_detector_tells(tmp_path: Path) -> None:
    video, retina = blob_video(tmp_path / "a.mp4"), ToyRetina()
    glancing = Glancing(lambda: retina, NAMES, tmp_path / "glances", lambda *_: None)
    (path,) = glancing.clips([video])
    glances = load_glances(path)
    assert 1 < len(glances) == retina.looks <= WATCHED
    for one in glances:
        assert one.flow_HW2 is None
        assert one.told.sure_K.tolist() == [True, False]
        assert [NAMES.columns[name] for name in one.told.names_K] == ["cup", "bottle"]
    assert Glancing(closed, NAMES, tmp_path / "glances", lambda *_: None).clips([video]) == [path]


def test_videos_that_do_not_open_are_named_and_left_out(tmp_path: Path) -> None:
    good, bad = blob_video(tmp_path / "good.mp4"), tmp_path / "bad.mp4"
    bad.write_bytes(b"no video")
    said: list[str] = []
    assert readable([bad, good], said.append) == [good]
    assert len(said) == 1
    assert said[0].startswith("left out: ")
    assert "bad.mp4" in said[0]
