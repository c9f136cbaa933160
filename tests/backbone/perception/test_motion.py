import numpy as np
import pytest

from stamina_video.backbone.perception.boxes import WHOLE_14
from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.motion import MOTION_CHANNELS, PANNING, look
from tests.backbone.perception.scenes import scene

BOX = np.array([[0.35, 0.3, 0.65, 0.7]], np.float32)


def channels(
    before: Image, after: Image, box: np.ndarray[tuple[int, ...], np.dtype[np.float32]]
) -> dict[str, float]:
    motion, _ = look(after, look(before, None)[1])
    return dict(zip(MOTION_CHANNELS, motion.over(box)[0].tolist(), strict=True))


def test_the_first_observation_knows_nothing() -> None:
    motion, glimpse = look(scene(), None)
    assert not motion.over(BOX).any()
    assert np.array_equal(glimpse.grey_HW, glimpse.background_HW)


def test_an_image_of_another_size_starts_anew() -> None:
    _, glimpse = look(scene(), None)
    motion, _ = look(scene()[:, :100], glimpse)
    assert not motion.known


def test_nothing_moves_when_nothing_moves() -> None:
    still = channels(scene(), scene(), WHOLE_14)
    assert still.pop("known") == 1
    assert all(abs(value) < 0.05 for value in still.values())


def test_a_thing_that_moves_is_seen_with_its_direction() -> None:
    box = np.array([[105 / 256, 55 / 144, 135 / 256, 85 / 144]], np.float32)
    moved = channels(scene(thing=(95, 50)), scene(thing=(100, 50)), box)
    expected = 100 * 5 / 256
    assert moved["dx"] == pytest.approx(expected, rel=0.25)
    assert moved["own_dx"] == pytest.approx(expected, rel=0.25)
    assert abs(moved["dy"]) < 0.3
    assert moved["moving"] > 0.15


def test_the_motion_of_the_camera_is_taken_off() -> None:
    panned = channels(scene(), scene(shift=(4, 1)), BOX)
    assert panned["dx"] == pytest.approx(100 * 4 / 256, rel=0.2)
    assert panned["own_speed"] < 0.2 * panned["speed"]
    assert panned["difference"] < 3


def test_a_thing_stands_out_until_it_has_long_been_still() -> None:
    _, glimpse = look(scene(), None)
    box = np.array([[105 / 256, 55 / 144, 135 / 256, 85 / 144]], np.float32)
    arrived, glimpse = look(scene(thing=(100, 50)), glimpse)
    foreground = MOTION_CHANNELS.index("foreground")
    assert arrived.over(box)[0, foreground] > 0.9
    for _ in range(60):
        later, glimpse = look(scene(thing=(100, 50)), glimpse)
    assert later.over(box)[0, foreground] == 0


def test_ground_that_something_left_is_not_active() -> None:
    _, glimpse = look(scene(), None)
    _, glimpse = look(scene(thing=(60, 50)), glimpse)
    motion, _ = look(scene(thing=(140, 50)), glimpse)
    left = np.array([[62 / 256, 52 / 144, 98 / 256, 88 / 144]], np.float32)
    assert motion.over(left)[0, MOTION_CHANNELS.index("difference")] > 10
    assert not motion.active_HW[52:88, 62:98].any()
    assert motion.active_HW[52:88, 142:178].all()


def test_a_cut_starts_a_new_background() -> None:
    _, glimpse = look(scene(), None)
    _, after = look(255 - scene(), glimpse)
    assert np.array_equal(after.background_HW, after.grey_HW)


def test_a_camera_that_pans_has_no_background_of_its_own() -> None:
    _, glimpse = look(scene(thing=(100, 50)), None)
    _, glimpse = look(scene(), glimpse)
    motion, _ = look(scene(shift=(PANNING + 3, 0)), glimpse)
    over = dict(zip(MOTION_CHANNELS, motion.over(WHOLE_14)[0], strict=True))
    assert over["standing_out"] == pytest.approx(over["difference"])
