import numpy as np

from stamina_video.data.world.camera import Sensor
from stamina_video.data.world.lens import develop, smear
from stamina_video.data.world.raster import F32, U8


def spot() -> F32:
    image = np.zeros((9, 21, 3), np.float32)
    image[4, 10] = 1.0
    return image


def developed(image: F32, sensor: Sensor) -> U8:
    out = np.empty(image.shape, np.uint8)
    develop(image, 1.0, 0.0, sensor.grade(), 0.0, 7, out)
    return out


def test_what_moves_smears_along_its_way_and_keeps_its_light() -> None:
    image, motion = spot(), np.zeros((9, 21, 2), np.float32)
    motion[..., 0] = 5.0
    smear(image, motion, np.empty_like(image))
    lit = np.argwhere(image[..., 0] > 0)
    assert set(lit[:, 0]) == {4}
    assert np.ptp(lit[:, 1]) == 5
    assert abs(image.sum() / spot().sum() - 1) < 1e-5


def test_what_rests_stays_sharp() -> None:
    image = spot()
    smear(image, np.zeros((9, 21, 2), np.float32), np.empty_like(image))
    np.testing.assert_array_equal(image, spot())


def test_surroundings_of_what_moves_smear_with_it() -> None:
    image, motion = spot(), np.zeros((9, 21, 2), np.float32)
    motion[4, 10, 0] = 6.0
    smear(image, motion, np.empty_like(image))
    assert image[4, 13, 0] > 0


def test_grading_greys_flattens_lifts_and_tints() -> None:
    red = np.zeros((2, 2, 3), np.float32)
    red[..., 0] = 0.3
    plain = developed(red, Sensor())[0, 0].astype(int)
    assert np.ptp(developed(red, Sensor(saturation=0.0))[0, 0]) == 0
    assert developed(red, Sensor(lift=0.1))[0, 0].min() == 26
    cooler = developed(red, Sensor(tint=(0.9, 1.0, 1.1)))[0, 0]
    assert 0 < cooler[0] < plain[0]
    dark, bright = np.full((1, 1, 3), 0.02, np.float32), np.full((1, 1, 3), 0.9, np.float32)
    for contrast, further in ((0.6, True), (-0.3, False)):
        spans = [
            int(developed(bright, sensor)[0, 0, 0]) - int(developed(dark, sensor)[0, 0, 0])
            for sensor in (Sensor(contrast=contrast), Sensor())
        ]
        assert (spans[0] > spans[1]) == further
