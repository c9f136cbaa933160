from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from stamina_video.backbone.names import LANDMARKS, Names
from stamina_video.backbone.perception.detector import Image
from stamina_video.data.world import Sighting
from stamina_video.data.world.body import Entity
from stamina_video.data.world.families import family_names
from stamina_video.data.world.kinds import KINDS
from stamina_video.data.world.scene import Scene
from stamina_video.data.world.visibility import ENTER, LEAVE, SMALLEST
from stamina_video.semantics import InvalidInput
from stamina_video.training.eyes import glancing
from stamina_video.training.eyes.glance import load_glances
from stamina_video.training.eyes.glancing import (
    CLIP_LOOKS,
    FIRST,
    PAIRS,
    RUNS,
    SECONDS,
    WATCHED,
    Glancing,
    _lines,
    _told,
    _watched,
    readable,
    taught,
)
from stamina_video.training.takes import LINES
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
    assert names <= {kind.like for kind in KINDS.values()} | {"person", "box", *LANDMARKS}
    assert {len(one.image) for one in glances} == {_lines(0)}
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
    for number in range(4 * len(families)):
        with pytest.raises(InvalidInput, match="planned, not filmed"):
            Glancing(ToyRetina, NAMES, tmp_path, lambda *_: None).scenes([number])
    turns = ("varied", "assorted", "assorted", "varied")
    assert staged == [(family, split) for split in turns for family in families]


def test_every_family_is_seen_in_every_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: dict[str, set[int]] = {}

    def delivered(family: str, times: Sequence[float], lines: int) -> Iterator[Image]:
        sizes.setdefault(family, set()).add(lines)
        raise InvalidInput("planned, not filmed")

    monkeypatch.setattr(glancing, "make_scene", lambda family, *_: family)
    monkeypatch.setattr(glancing, "delivered", delivered)
    for number in range(60):
        with pytest.raises(InvalidInput, match="planned, not filmed"):
            Glancing(ToyRetina, NAMES, tmp_path, lambda *_: None).scenes([number])
    assert sizes == {family: {240, 360, 480} for family in family_names("varied")}


def test_a_scene_is_of_one_size_whoever_asks() -> None:
    assert [_lines(number) for number in range(60)] == [_lines(number) for number in range(60)]
    assert {_lines(number) for number in range(60)} == set(LINES)


@pytest.fixture
def unfilmed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Scenes are staged and their truth is told, but their pictures stay grey; the lines asked for."""
    asked: list[int] = []

    def delivered(scene: Scene, times: Sequence[float], lines: int) -> Iterator[Image]:
        asked.append(lines)
        width, height = scene.size(lines)
        return (np.full((height, width, 3), 128, np.uint8) for _ in times)

    monkeypatch.setattr(glancing, "delivered", delivered)
    return asked


@pytest.mark.parametrize(
    ("family", "landmark"), [("shelf", "shelf"), ("conveyor", "scanner"), ("doorway", "doorway")]
)
def test_landmarks_are_told_beside_what_is_counted(
    family: str, landmark: str, tmp_path: Path, unfilmed: list[int]
) -> None:
    number = family_names("varied").index(family)
    (path,) = Glancing(ToyRetina, NAMES, tmp_path, lambda *_: None).scenes([number])
    glances = load_glances(path)
    told = [one.told for one in glances]
    assert unfilmed == [len(glances[0].image)]
    assert unfilmed[0] in LINES
    column = NAMES.columns.index(landmark)
    assert all(column in one.names_K[one.sure_K] for one in told)
    assert all(len(set(one.names_K.tolist())) > 1 for one in told)
    who = {int(one.who_K[row]) for one in told for row in np.flatnonzero(one.names_K == column)}
    others = {int(one.who_K[row]) for one in told for row in np.flatnonzero(one.names_K != column)}
    assert min(who) >= 0  # known individuals, and nobody else's number
    assert not who & others
    for one in told:
        assert np.isnan(one.paints_K3[one.names_K == column]).all()


def test_what_is_nearly_hidden_is_unsure_and_what_is_hidden_is_not_told() -> None:
    mug, frame = Entity(0, "mug", "red"), Entity(-1, "doorway")
    box = (0.1, 0.2, 0.3, 0.4)
    middle = (ENTER + LEAVE) / 2
    seen = [
        Sighting(mug, box, middle, SMALLEST),
        Sighting(frame, box, middle - 0.01, 1.0),
        Sighting(Entity(1, "mug", "blue"), box, 1.0, 0.9 * SMALLEST),
        Sighting(Entity(2, "mug", "blue"), box, 0.7 * LEAVE, 1.0),
        Sighting(Entity(-2, "shelf"), box, 1.0, 0.7 * SMALLEST),
    ]
    told = _told(seen, NAMES.columns)
    assert [NAMES.columns[name] for name in told.names_K] == ["cup", "doorway", "cup"]
    assert told.sure_K.tolist() == [True, False, False]
    assert told.who_K[[0, 2]].tolist() == [0, 1]
    assert told.who_K[1] > 1000  # a number that no entity of a scene reaches
    assert np.isfinite(told.paints_K3).all(1).tolist() == [True, False, True]


def test_what_may_be_learned_by_heart_is_what_is_counted_in_scenes() -> None:
    names = taught()
    assert {"person", "box", "cup", "bottle", "chair", *LANDMARKS} <= names <= set(NAMES.columns)
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
    assert 1 < len(glances) == retina.looks <= RUNS * WATCHED
    assert {one.image.shape for one in glances} == {(96, 128, 3)}
    for one in glances:
        assert one.flow_HW2 is None
        assert one.told.sure_K.tolist() == [True, False]
        assert [NAMES.columns[name] for name in one.told.names_K] == ["cup", "bottle"]
    assert Glancing(closed, NAMES, tmp_path / "glances", lambda *_: None).clips([video]) == [path]


@pytest.mark.parametrize("looks", [0, 1, WATCHED - 1, WATCHED, 2 * WATCHED])
def test_a_short_clip_is_watched_from_beginning_to_end(looks: int) -> None:
    assert _watched(looks) == list(range(looks))


@pytest.mark.parametrize("looks", [2 * WATCHED + 1, CLIP_LOOKS])
def test_a_long_clip_is_watched_where_it_begins_and_where_it_ends(looks: int) -> None:
    assert _watched(looks) == [*range(WATCHED), *range(looks - WATCHED, looks)]


def test_videos_that_do_not_open_are_named_and_left_out(tmp_path: Path) -> None:
    good, bad = blob_video(tmp_path / "good.mp4"), tmp_path / "bad.mp4"
    bad.write_bytes(b"no video")
    said: list[str] = []
    assert readable([bad, good], said.append) == [good]
    assert len(said) == 1
    assert said[0].startswith("left out: ")
    assert "bad.mp4" in said[0]
