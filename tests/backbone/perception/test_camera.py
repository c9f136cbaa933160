import cv2
import numpy as np
import pytest

from stamina_video.backbone.perception.camera import STILL_23, camera_motion, corner_shift, warped
from stamina_video.backbone.perception.glimpse import Grey
from tests.backbone.perception.scenes import scene


def grey(**seen: tuple[float, float]) -> Grey:
    return np.asarray(cv2.cvtColor(scene(**seen), cv2.COLOR_RGB2GRAY), np.uint8)


def flow(now: Grey, before: Grey) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    rest = np.zeros((*now.shape, 2), np.float32)
    return np.asarray(cv2.DISOpticalFlow.create().calc(now, before, rest), np.float32)


def test_a_pan_is_found_though_something_moves_against_it() -> None:
    before, now = grey(thing=(100, 50)), grey(shift=(4, 1), thing=(90, 50))
    camera = camera_motion(now, before, flow(now, before))
    np.testing.assert_allclose(camera, [[1, 0, -4], [0, 1, -1]], atol=0.6)
    assert camera[:, :2] == pytest.approx(np.eye(2), abs=0.01)


def test_a_moving_thing_is_not_the_camera() -> None:
    """Flow that is the same everywhere, as before a plain wall, but does not bring the images closer."""
    before, now = grey(thing=(100, 50)), grey(thing=(106, 50))
    everywhere = np.full((*now.shape, 2), (-6, 0), np.float32)
    assert np.array_equal(camera_motion(now, before, everywhere), STILL_23)


def test_warping_undoes_the_camera() -> None:
    before, now = grey(), grey(shift=(4, 1))
    carried = warped(before, np.array([[1.0, 0.0, -4.0], [0.0, 1.0, -1.0]]))
    assert np.abs(carried[10:-10, 10:-10].astype(int) - now[10:-10, 10:-10]).mean() < 1
    assert np.array_equal(warped(before, STILL_23), before)


def test_a_turn_shifts_the_far_corners_most() -> None:
    assert corner_shift(STILL_23, (100, 200)) == 0
    assert corner_shift(np.array([[1.0, -0.01, 0.0], [0.01, 1.0, 0.0]]), (100, 200)) == pytest.approx(2)
