from dataclasses import replace

import numpy as np

from stamina_video.backbone.perception import Image, Percept, TokenKind
from stamina_video.backbone.perception.motion import MOTION_CHANNELS
from stamina_video.backbone.perception.perception import LIFE_CHANNELS
from stamina_video.semantics import Observation, Target
from stamina_video.training.mirroring import mirrored, mirrored_percept
from stamina_video.training.sample import Lesson, Sample, Shown
from tests.backbone.fakes import toy_image, toy_perception


def seen(first: Image, second: Image) -> Percept:
    eyes = toy_perception()
    percept, _ = eyes.perceive(second, eyes.perceive(first, None)[1])
    return percept


FIRST, SECOND = toy_image(("red", 0.3, 0.4, 0.2)), toy_image(("red", 0.35, 0.42, 0.2))
PERCEPT = seen(FIRST, SECOND)
SHOWN = Shown("entity 1", (0.1, 0.2, 0.4, 0.9))
SAMPLE = Sample(
    "scene",
    lambda: [Observation("scene", 0, 0.0, PERCEPT, 0)],
    (Lesson(Target("mugs", "O2-Unique"), shown=((SHOWN,),)), Lesson(Target("swing", "E2-Periodic"))),
)


def test_left_becomes_right_in_what_is_seen_and_told() -> None:
    other = mirrored(SAMPLE)
    (shown,) = other.lessons[0].shown or ((),)
    np.testing.assert_allclose(shown[0].box, (0.6, 0.2, 0.9, 0.9))
    assert other.lessons[1] == SAMPLE.lessons[1]
    boxes_N4 = other.read()[0].image.boxes_N4
    np.testing.assert_allclose(boxes_N4[:, 0], 1 - PERCEPT.boxes_N4[:, 2])
    np.testing.assert_allclose(boxes_N4[:, 1::2], PERCEPT.boxes_N4[:, 1::2])
    assert other.id != SAMPLE.id


def test_only_sideways_motion_turns_round() -> None:
    moving = replace(PERCEPT, motion_NM=np.ones_like(PERCEPT.motion_NM))
    turned = {
        name
        for name, value in zip(MOTION_CHANNELS, mirrored_percept(moving).motion_NM[0], strict=True)
        if value == -1
    }
    assert turned == {"dx", "own_dx"}


def test_only_sideways_gaits_turn_round() -> None:
    going = replace(PERCEPT, life_NL=np.ones_like(PERCEPT.life_NL))
    turned = {
        name
        for name, value in zip(LIFE_CHANNELS, mirrored_percept(going).life_NL[0], strict=True)
        if value == -1
    }
    gone = {"x", "step_x", "level_x", "crossed_x", "gone_x"}
    assert turned == gone | {"scanner_x", "scanner_crossed_x"}
    assert going.life_NL.min() == 1  # the given one stays as it was


def test_what_moves_right_moves_left_in_the_mirror() -> None:
    """As if the eyes had seen the mirrored pictures."""
    percept = seen(*(np.ascontiguousarray(image[:, ::-1]) for image in (FIRST, SECOND)))
    things = percept.of_kind(TokenKind.DETECTION)
    assert (percept.life_NL[things, LIFE_CHANNELS.index("step_x")] < 0).all()
    np.testing.assert_allclose(mirrored_percept(PERCEPT).life_NL[things], percept.life_NL[things], atol=1e-4)


def test_lives_that_tell_no_gait_stay_as_they_are() -> None:
    plain = replace(PERCEPT, life_NL=np.ones((len(PERCEPT), 3), np.float32))
    np.testing.assert_array_equal(mirrored_percept(plain).life_NL, plain.life_NL)


def test_a_mirror_in_a_mirror_shows_the_scene() -> None:
    twice = mirrored_percept(mirrored_percept(PERCEPT))
    for name, array in twice.arrays().items():
        np.testing.assert_allclose(array, PERCEPT.arrays()[name], atol=1e-6)
