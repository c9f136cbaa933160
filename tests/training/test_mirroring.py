from dataclasses import replace

import numpy as np

from stamina_video.backbone.perception.motion import MOTION_CHANNELS
from stamina_video.semantics import Observation, Target
from stamina_video.training.mirroring import mirrored, mirrored_percept
from stamina_video.training.sample import Lesson, Sample, Shown
from tests.backbone.fakes import toy_image, toy_perception

PERCEPT, _ = toy_perception().perceive(toy_image(("red", 0.3, 0.4, 0.2)), None)
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


def test_a_mirror_in_a_mirror_shows_the_scene() -> None:
    twice = mirrored_percept(mirrored_percept(PERCEPT))
    for name, array in twice.arrays().items():
        np.testing.assert_allclose(array, PERCEPT.arrays()[name], atol=1e-6)
