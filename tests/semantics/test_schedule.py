import math
from bisect import bisect_right
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.semantics import InvalidInput, full_indices, reading_step, stream_indices


@pytest.mark.parametrize(
    ("frames", "budget", "expected"),
    [
        (0, 64, []),
        (1, 64, [0]),
        (5, 1, [0]),
        (5, 5, [0, 1, 2, 3, 4]),
        (5, 64, [0, 1, 2, 3, 4]),
        (10, 4, [0, 3, 6, 9]),
        (8, 3, [0, 3, 7]),
    ],
)
def test_full_spreads_its_budget_over_the_prefix(frames: int, budget: int, expected: list[int]) -> None:
    assert full_indices(frames, budget) == expected


@given(st.integers(1, 5000), st.integers(2, 128))
def test_full_follows_the_paper_formula(frames: int, budget: int) -> None:
    m = min(frames, budget)
    expected = [0] if m == 1 else [math.floor(Fraction(r * (frames - 1), m - 1)) for r in range(m)]
    assert full_indices(frames, budget) == expected
    assert expected[-1] == (frames - 1 if m > 1 else 0)


def test_stream_takes_one_frame_a_second() -> None:
    assert stream_indices([i / 30 for i in range(300)]) == list(range(0, 300, 30))


def test_a_non_zero_start_moves_the_grid_with_it() -> None:
    assert stream_indices([5 + i / 30 for i in range(90)], fps=2) == [0, 15, 30, 45, 60, 75]


def test_an_origin_before_the_first_frame_waits_for_it() -> None:
    assert stream_indices([0.5, 1.2, 2.4], fps=1, origin=0.0) == [0, 1]


def test_a_slow_source_is_not_repeated() -> None:
    assert stream_indices([0.0, 3.5, 7.0], fps=1) == [0, 1, 2]


def test_variable_rates_take_the_latest_frame_at_each_tick() -> None:
    assert stream_indices([0.0, 0.1, 0.2, 0.9, 1.6, 1.7, 3.0]) == [0, 3, 5, 6]


def test_ticks_survive_the_rounding_of_rational_timestamps() -> None:
    times = [0.29 + i / 100 for i in range(200)]
    assert stream_indices(times, fps=100) == list(range(200))


@given(
    st.lists(st.integers(0, 4000), min_size=1, max_size=60).map(sorted),
    st.integers(1, 40),
    st.integers(0, 4000),
)
def test_stream_is_the_plain_walk_over_the_grid(ticks: list[int], fps: int, start: int) -> None:
    times = [start + tick / 1000 for tick in ticks]
    exact = [Fraction(start) + Fraction(tick, 1000) for tick in ticks]
    expected: list[int] = []
    step = 0
    while exact[0] + Fraction(step, fps) <= exact[-1]:
        index = bisect_right(exact, exact[0] + Fraction(step, fps)) - 1
        if not expected or expected[-1] != index:
            expected.append(index)
        step += 1
    assert stream_indices(times, fps) == expected


def test_a_query_reads_the_latest_observation_at_or_before_it() -> None:
    times = [1.0, 2.0, 4.0]
    assert [reading_step(times, at) for at in (0.5, 1.0, 3.9, 4.0, 99.0)] == [None, 0, 1, 2, 2]
    assert reading_step([], 1.0) is None


@pytest.mark.parametrize("fps", [0, -1, math.nan, math.inf, 1e308, True])
def test_a_rate_must_be_above_zero(fps: float) -> None:
    with pytest.raises(InvalidInput, match="expected a frame rate above zero"):
        stream_indices([0.0], fps)


@pytest.mark.parametrize(
    ("times", "said"),
    [([0.0, math.nan], "frame 1"), ([1.0, 0.5], "ascending"), (["a"], "got 'a' at frame 0")],
)
def test_frame_times_must_ascend(times: list[float], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        stream_indices(times)


def test_a_query_time_must_be_a_number() -> None:
    with pytest.raises(InvalidInput, match="expected a time to read at, got nan"):
        reading_step([0.0], math.nan)


def test_an_origin_must_be_a_number() -> None:
    with pytest.raises(InvalidInput, match="expected a finite frame time, got nan"):
        stream_indices([0.0], origin=math.nan)


def test_frames_are_whole() -> None:
    with pytest.raises(InvalidInput, match=r"got 10\.5 and 3"):
        full_indices(10.5, 3)  # type: ignore[arg-type]  # the point of the test


def test_a_budget_must_be_positive() -> None:
    with pytest.raises(InvalidInput, match="budget from 1"):
        full_indices(5, 0)
