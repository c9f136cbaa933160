from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from accelerate import PartialState

from stamina_video.backbone.perception import Eyes
from stamina_video.semantics import InvalidInput
from stamina_video.training import gathering
from stamina_video.training.footage import Take
from stamina_video.training.gathering import Crew, gather
from stamina_video.training.recipe import World
from stamina_video.training.recipes import nano
from tests.backbone.fakes import toy_perception
from tests.evaluation.running.scenes import data_set

TAKES = [Take("packing", 3, 4.0, 1.0), Take("tour", 4, 4.0, 1.0)]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    def planned(_scenes: int, first: int = 0) -> Sequence[Take]:
        return TAKES[:1] if first else TAKES[1:]

    monkeypatch.setattr(gathering, "planned", planned)
    PartialState()


def closed() -> Eyes:
    raise AssertionError("nothing is missing")


def test_what_is_filmed_stays_and_one_scene_of_each_is_held_out(tmp_path: Path) -> None:
    said: list[tuple[str, int, int]] = []
    found = gather(nano(), [], tmp_path, 0, Crew(toy_perception, lambda *told: said.append(told)))
    assert said == [("filming scenes", 0, 2), ("filming scenes", 1, 2)]
    again = gather(nano(), [], tmp_path, 0, Crew(closed, lambda *told: said.append(told)))
    assert len(said) == 2
    assert [one.id for one in again.learned] == [one.id for one in found.learned] == [TAKES[0].name]
    assert [one.id for one in again.held_out] == [TAKES[1].name]
    assert [one.target for one in again.held_out[0].lessons] == [
        one.target for one in found.held_out[0].lessons
    ]
    assert 0 < len(found.held_out[0].lessons) <= 4 < len(found.learned[0].lessons)
    assert found.others == ()
    assert any(found.draws.other_words.values())


def test_a_trial_holds_nothing_out(tmp_path: Path) -> None:
    found = gather(nano(), [], tmp_path, 0, Crew(toy_perception, lambda *_: None), scenes=1)
    assert (len(found.learned), found.held_out) == (1, ())


def test_scenes_without_pictures_are_mixed_with_filmed_ones(tmp_path: Path) -> None:
    recipe = replace(nano(), world=World(simulated=1))
    found = gather(recipe, [], tmp_path, 0, Crew(toy_perception, lambda *told: None))
    assert [one.id for one in found.learned] == [TAKES[0].name, f"{TAKES[0].name}-simulated-0"]
    with pytest.raises(InvalidInput, match="expected simulated scenes"):
        World(simulated=-1)


def test_clips_that_tell_of_no_event_are_not_looked_at(tmp_path: Path) -> None:
    data_set(tmp_path / "data")  # one video tells of things alone, the other of events
    said: list[str] = []
    crew = Crew(toy_perception, lambda what, done, of: said.append(f"{what} {done} of {of}"))
    found = gather(nano(), [tmp_path / "data"], tmp_path / "run", 0, crew)
    assert "looking at clips 0 of 1" in said
    assert [one.id.split("-")[0] for one in found.others] == ["b"]
    left = gather(nano(), [tmp_path / "data"], tmp_path / "run", 0, crew, without=["b"])
    assert left.others == ()
