"""The kinds that only the assorted split shows."""

import numpy as np
import pytest

from stamina_video.data.world import further
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.families import SPLITS, family_names, make_scene
from stamina_video.data.world.kinds import KINDS, nouns
from stamina_video.data.world.palette import PATTERNS, colours

FURTHER = {name: kind for name, kind in KINDS.items() if kind.further}


@pytest.mark.parametrize("name", FURTHER)
def test_a_further_kind_has_about_its_stated_size(name: str) -> None:
    kind = FURTHER[name]
    assert 0.03 <= kind.height <= 0.3
    assert 0.03 <= kind.radius <= 0.12
    for seed in range(12):
        shapes = kind.build(Dice(seed), (0.5, 0.2, 0.2), PATTERNS[seed % len(PATTERNS)])
        points = np.concatenate([shape.mesh.points_V3 for shape in shapes])
        normals = np.concatenate([shape.mesh.normals_V3 for shape in shapes])
        assert np.isfinite(points).all()
        assert points[:, 2].min() == pytest.approx(0, abs=0.012)
        assert 0.6 * kind.height < points[:, 2].max() < 1.5 * kind.height
        reach = np.abs(points[:, :2]).max()
        assert 0.6 * kind.radius < reach < 1.5 * kind.radius
        length = np.sqrt((normals**2).sum(-1))
        np.testing.assert_allclose(length[length > 0], 1, atol=1e-3)


def test_a_further_kind_is_built_differently_each_time() -> None:
    for kind in FURTHER.values():
        tops = {
            max(
                float(shape.mesh.points_V3.max())
                for shape in kind.build(Dice(seed), (0.5, 0.2, 0.2), "plain")
            )
            for seed in range(6)
        }
        assert len(tops) > 3, kind.name


def test_only_the_assorted_split_has_further_kinds() -> None:
    assert all(kind.further and not kind.unseen for kind in FURTHER.values())
    assert nouns("assorted") == [*nouns("train"), *FURTHER]
    assert nouns("assorted", "mug", "can") == ["mug", *FURTHER]
    for split in SPLITS:
        if split != "assorted":
            assert not set(nouns(split)) & set(FURTHER)


def test_every_further_builder_has_a_kind_of_its_own() -> None:
    builders = [kind.build for kind in FURTHER.values()]
    assert len(set(builders)) == len(builders)
    assert {builder.__name__ for builder in builders} == set(further.__all__)


def test_no_two_kinds_share_a_phrase() -> None:
    phrases = [phrase for kind in KINDS.values() for phrase in (kind.name, kind.plural, *kind.aliases)]
    assert len(set(phrases)) == len(phrases)


def test_the_assorted_split_is_painted_and_staged_like_the_varied_one() -> None:
    assert colours("assorted") == colours("varied")
    assert family_names("assorted") == family_names("varied")


@pytest.mark.parametrize("family", family_names("assorted"))
def test_assorted_scenes_can_be_staged(family: str) -> None:
    for seed in range(4):
        scene = make_scene(family, seed, "assorted", 4.0)
        kinds = {body.entity.kind for body in scene.bodies if body.entity}
        assert kinds <= {"person", "box", *nouns("assorted")}
        assert scene.targets


def test_an_assorted_scene_shows_what_it_holds() -> None:
    scene = next(
        scene
        for scene in (make_scene("conveyor", seed, "assorted", 4.0) for seed in range(20))
        if any(one.entity.kind in FURTHER for one in scene.boxes(2.0))
    )
    assert scene.frame(2.0, (64, 48)).std() > 0
