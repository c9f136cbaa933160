import hashlib
import json

import numpy as np
import pytest

from stamina_video.data.world import make_scene
from stamina_video.data.world.annotations import questions
from stamina_video.semantics import InvalidInput, Target
from tests.data.world.scenes import ALL, SECONDS, scene, split_of

# Pixels and truth of one scene a family. A change here changes every world ever made.
FRAMES: dict[str, str] = {
    "packing": "1e1e4d6f227baa33",
    "shelf": "267b9a3b77be7226",
    "conveyor": "6f25888f1fc4f7c0",
    "doorway": "ac981c0d3cafcd2d",
    "exercise": "8eee66fe0259a301",
    "tour": "6b2b5b0063fba126",
    "handover": "25882d753e97b1f0",
    "pendulum": "53b82a361988d94d",
}
QUESTIONS: dict[str, str] = {
    "packing": "120859c1f9d37c2e",
    "shelf": "096c173a42c5512d",
    "conveyor": "5fad831d7700c694",
    "doorway": "726277de3878aacd",
    "exercise": "e345a7317b17559e",
    "tour": "c0e5f2e8e7e38b3f",
    "handover": "45204cb6f0c4d5ef",
    "pendulum": "044b5ab8b077e35d",
}


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


@pytest.mark.parametrize("family", ALL)
def test_a_seed_draws_these_pixels_on_every_machine(family: str) -> None:
    made = scene(family)
    frames = [made.frame(t, (96, 72)).tobytes() for t in (0.0, 5.5, 11.0)]
    assert digest(b"".join(frames)) == FRAMES[family]


@pytest.mark.parametrize("family", ALL)
def test_a_seed_has_this_truth_on_every_machine(family: str) -> None:
    rows = questions(scene(family), "video.mp4")
    assert digest(json.dumps(rows).encode()) == QUESTIONS[family]


def test_a_frame_is_a_pure_function_of_scene_and_time() -> None:
    made = scene("packing")
    first = made.frame(6.0, (80, 60))
    made.frame(1.0, (80, 60))
    made.frame(6.0, (120, 40))
    np.testing.assert_array_equal(first, made.frame(6.0, (80, 60)))
    again = make_scene("packing", 3, "train", SECONDS)
    np.testing.assert_array_equal(first, again.frame(6.0, (80, 60)))
    assert again.truth == made.truth


def test_another_seed_is_another_scene() -> None:
    one, other = (scene("packing", seed).frame(1.0, (64, 48)).astype(int) for seed in (3, 4))
    assert np.abs(one - other).mean() > 5


@pytest.mark.parametrize("family", ALL)
def test_pictures_have_light_and_dark_and_are_never_flat(family: str) -> None:
    frame = scene(family).frame(4.0)
    assert frame.dtype == np.uint8
    assert frame.shape[:2] == scene(family).size(224)[::-1]
    assert 25 < frame.mean() < 235
    assert frame.std() > 15


def test_the_size_resamples_one_field_of_view() -> None:
    made = scene("tour")
    wide, tall = made.frame(2.0, (128, 64)).astype(float), made.frame(2.0, (64, 128)).astype(float)
    halves = [image.reshape(8, -1, 8, image.shape[1] // 8, 3).mean((1, 3)) for image in (wide, tall)]
    assert np.abs(halves[0] - halves[1]).mean() < 6


def test_boxes_lie_where_the_picture_differs() -> None:
    made = scene("packing")
    for sighting in made.boxes(5.0):
        left, top, right, bottom = sighting.box
        assert 0 <= left < right <= 1
        assert 0 <= top < bottom <= 1
        assert 0 < sighting.fraction <= 1
        assert sighting.area <= (right - left) * (bottom - top) + 1e-9


def test_the_boxes_agree_with_the_intervals() -> None:
    made = scene("conveyor")
    for at in (0.0, 4.0, 9.0):
        clear = {s.entity.id for s in made.boxes(at) if s.fraction > 0.5 and s.area > 0.002}
        visible = {presence.entity.id for presence in made.truth.presences if presence.visible(at)}
        assert clear <= visible


def test_targets_are_of_every_operator_and_worded_variously() -> None:
    operators = {target.operator for family in ALL for target in scene(family).targets}
    assert len(operators) == 8
    assert all(counted.aliases for family in ALL for counted in scene(family).counted)
    words = {
        target.description
        for seed in range(8)
        for target in make_scene("packing", seed, duration=8.0).targets
    }
    assert len(words) > 20


def test_times_outside_the_video_are_refused() -> None:
    with pytest.raises(InvalidInput, match="expected a time from 0 to 14 s, got 15"):
        scene("packing").frame(15.0)
    with pytest.raises(InvalidInput, match="expected a size from 1 × 1, got 0 × 5"):
        scene("packing").frame(1.0, (0, 5))
    with pytest.raises(InvalidInput, match="expected a target of this scene"):
        scene("packing").truth.counts(Target("whales", "O1-Snap"), [1.0])


def test_splits_differ_for_one_seed() -> None:
    assert split_of("pendulum") == "unseen"
    one, other = (make_scene("packing", 3, split, 8.0) for split in ("train", "unseen"))
    assert one.targets != other.targets
