import numpy as np
import pytest

from stamina_video.evaluation.recurrence import CycleRates, PixelRecurrence, reduced
from stamina_video.semantics import InvalidInput
from tests.evaluation.whole_video import whole_cycle_rates


def swinging(
    time: float, period: float, start: float = 0.0, end: float = 1e9
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """A bright bar that swings from side to side once per period while it is set in motion."""
    phase = (min(max(time, start), end) - start) / period
    centre = 32 + 20 * np.cos(2 * np.pi * phase)
    columns = np.arange(64)
    return np.tile(255 * np.exp(-(((columns - centre) / 6) ** 2)), (48, 1))


def watched(
    period: float, seconds: float, fps: float = 15.0, start: float = 0.0, end: float = 1e9
) -> PixelRecurrence:
    sensor = PixelRecurrence()
    for index in range(int(seconds * fps) + 1):
        sensor.observe(index / fps, swinging(index / fps, period, start, end))
    return sensor


@pytest.mark.parametrize("period", [0.6, 1.0, 1.7, 2.5])
def test_a_steady_swing_is_counted(period: float) -> None:
    sensor = watched(period, 20.0)
    for cycles in (4, 7):
        assert sensor.estimate(cycles * period + 0.4 * period) == cycles


def test_only_the_past_is_used() -> None:
    short, long = watched(1.0, 8.4), watched(1.0, 20.0)
    assert short.estimate(8.4) == long.estimate(8.4)


def test_an_estimate_does_not_depend_on_those_before_it() -> None:
    times = (12.0, 4.4, 15.0, 8.4, 8.4)
    one = watched(1.0, 16.0)
    assert [one.estimate(at) for at in times] == [watched(1.0, 16.0).estimate(at) for at in times]


def test_uneven_times_may_change_the_window() -> None:
    times = np.cumsum([*[0.05] * 80, *[0.11] * 80])
    growing, late = PixelRecurrence(), PixelRecurrence()
    for time in times:
        for sensor in (growing, late):
            sensor.observe(float(time), swinging(float(time), 1.0))
        growing.estimate(float(time))
    assert growing.estimate(float(times[-1])) == late.estimate(float(times[-1])) >= 9


def test_nothing_moving_is_nothing_counted() -> None:
    sensor = PixelRecurrence()
    for index in range(60):
        sensor.observe(index / 10, np.full((48, 64), 90.0))
    assert sensor.estimate(6.0) == 0


def test_noise_does_not_recur() -> None:
    generator = np.random.default_rng(3)
    sensor = PixelRecurrence()
    for index in range(150):
        sensor.observe(index / 15, generator.uniform(0, 255, (48, 64)))
    assert sensor.estimate(10.0) == 0


def test_rest_after_motion_adds_nothing_much() -> None:
    sensor = watched(1.0, 30.0, end=8.0)
    assert sensor.estimate(30.0) == sensor.estimate(20.0)
    assert 7 <= sensor.estimate(30.0) <= 9  # though windows reach three seconds past the motion


def test_a_period_between_two_frames_is_not_taken_for_its_double() -> None:
    period, fps = 0.525, 20.0  # ten and a half frames; twenty-one fit exactly
    sensor = watched(period, 20.0, fps)
    assert abs(sensor.estimate(20.0) - 20.0 / period) <= 2


def test_too_few_frames_are_no_evidence() -> None:
    sensor = watched(1.0, 0.1)
    assert sensor.estimate(0.1) == 0
    assert PixelRecurrence().estimate(5.0) == 0


def test_frames_come_in_order() -> None:
    sensor = watched(1.0, 1.0)
    with pytest.raises(InvalidInput, match=r"expected a frame after 1 s, got one at 0\.5 s"):
        sensor.observe(0.5, swinging(0.5, 1.0))


def test_frames_are_reduced_to_block_means() -> None:
    image = np.zeros((48, 64, 3))
    image[:2, :2] = 30
    small = reduced(image)
    assert small.shape == (24, 32)
    assert small[0, 0] == 30
    assert small.sum() == 30


def test_odd_sizes_keep_their_mean_brightness() -> None:
    assert reduced(np.full((37, 53), 7.0)) == pytest.approx(7.0)


@pytest.mark.parametrize("shape", [(10, 64), (48,), (48, 10)])
def test_images_that_are_too_small_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidInput, match="expected an image of at least 32×24 pixels"):
        reduced(np.zeros(shape))


def plain_rate(pixels: np.ndarray[tuple[int, int], np.dtype[np.float64]], centre: int, half: int) -> float:
    """The definition for one frame: look at its window, compare frames a lag apart, pick the lag.

    A lag is as deep as where its equally steep flanks meet, and counts where its own period moves.
    """
    size = min(2 * half + 1, len(pixels))
    low = min(max(centre - half, 0), len(pixels) - size)
    window = pixels[low : low + size]
    variance = float(((window - window.mean(0)) ** 2).sum(1).mean())
    differs = {}
    for lag in range(1, half + 2):
        squared = [float(((window[i + lag] - window[i]) ** 2).sum()) for i in range(len(window) - lag)]
        if len(squared) >= max(lag // 2, 2):
            differs[lag] = float(np.mean(squared)) / (2 * variance)
    minima = [
        lag
        for lag in range(2, half + 1)
        if {lag - 1, lag, lag + 1} <= differs.keys()
        and differs[lag] <= differs[lag - 1]
        and differs[lag] < min(differs[lag + 1], 0.7)
    ]
    if not minima:
        return 0.0
    vertices = {lag: vertex(lag, differs) for lag in minima}
    deepest = min(depth for _, depth in vertices.values())
    period = next(period for period, depth in vertices.values() if depth <= deepest + 0.15)
    reach = int(np.ceil(period / 2))
    own = pixels[max(centre - reach, 0) : centre + reach + 1]
    return 1 / period if float(((own - own.mean(0)) ** 2).sum(1).mean()) > 0.25 * variance else 0.0


def vertex(lag: int, differs: dict[int, float]) -> tuple[float, float]:
    """Where two lines of one steepness through three neighbouring lags meet, and how low."""
    before, here, after = differs[lag - 1], differs[lag], differs[lag + 1]
    slope = max(before, after) - here
    shift = (before - after) / (2 * slope)
    return lag + shift, max(here - slope * abs(shift), 0.0)


def test_rates_are_what_the_definition_says_at_every_frame() -> None:
    generator = np.random.default_rng(5)
    times = np.arange(60) / 10
    pixels = np.outer(np.sin(2 * np.pi * times / 0.9), generator.normal(size=12))
    pixels[40:] = pixels[40]  # and then it rests
    pixels += 0.2 * generator.normal(size=pixels.shape)
    cycles = CycleRates(15)
    for pixels_P in pixels:
        cycles.add(pixels_P)
    rates = cycles.rates()
    assert rates == pytest.approx([plain_rate(pixels, index, 15) for index in range(60)])
    assert rates[20] > 0
    assert not rates[-5:].any()


@pytest.mark.parametrize("half", [2, 5, 15, 40])
def test_rates_of_a_growing_video_are_those_of_the_whole_bit_for_bit(half: int) -> None:
    generator = np.random.default_rng(half)
    pixels = np.outer(np.sin(2 * np.pi * np.arange(150) / 8.7), generator.normal(size=768))
    pixels[90:120] = pixels[90]  # it rests and goes on
    pixels += 0.2 * generator.normal(size=pixels.shape)
    growing = CycleRates(half)
    for frames, pixels_P in enumerate(pixels, 1):
        growing.add(pixels_P)
        if frames in (4, 5, 17, 30, 31, 32, 80, 81, 82, 149, 150):
            np.testing.assert_array_equal(
                growing.rates(), whole_cycle_rates(pixels[:frames], half), strict=True
            )
    assert growing.rates().any() == (half > 8.7)  # a longer period than the window's half is not seen


def test_rates_of_a_still_video_are_nought() -> None:
    still = CycleRates(5)
    for _ in range(30):
        still.add(np.full(12, 90.0))
    assert not still.rates().any()
