from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from stamina_video.video.clock import Clock

MILLISECONDS = Fraction(1, 1000)


def clock() -> Clock:
    return Clock(MILLISECONDS, rate=Fraction(25))


def test_time_starts_at_the_first_frame() -> None:
    reading = clock()
    assert [reading.read(stamp) for stamp in (5000, 5040, 6000)] == [(0.0, None), (0.04, None), (1.0, None)]


def test_times_are_rounded_once() -> None:
    reading = Clock(Fraction(1, 90_000), rate=Fraction(30))
    first = 8_589_934_592
    assert [reading.read(first + 3003 * count)[0] for count in range(3)] == [
        0.0,
        3003 / 90_000,
        6006 / 90_000,
    ]


def test_without_timestamps_the_declared_rate_counts_and_says_so_once() -> None:
    reading = clock()
    times = [reading.read(None) for _ in range(3)]
    assert [time for time, _ in times] == [0.0, 0.04, 0.08]
    assert [doubt for _, doubt in times] == ["no timestamps: times assume 25 frames a second", None, None]


def test_a_missing_timestamp_among_others_is_filled_in() -> None:
    reading = clock()
    times = [reading.read(stamp) for stamp in (0, 40, None, 120)]
    assert [time for time, _ in times] == [0.0, 0.04, 0.08, 0.12]
    assert [bool(doubt) for _, doubt in times] == [False, False, True, False]


def test_timestamps_that_come_late_count_from_there() -> None:
    reading = clock()
    assert [reading.read(stamp)[0] for stamp in (None, None, 700, 740)] == [0.0, 0.04, 0.08, 0.12]


def test_a_recording_appended_to_another_continues_it() -> None:
    reading = clock()
    times = [reading.read(stamp) for stamp in (0, 1000, 0, 1000)]
    assert [time for time, _ in times] == [0.0, 1.0, 1.04, 2.04]
    assert times[2][1] == "timestamps went back by 1 s: times continue at the declared rate"


def test_the_stamp_that_runs_backwards_is_not_trusted() -> None:
    reading = clock()
    shown, decoded = [40, 160, 120, 200, 80], [80, 120, 160, 200, 240]
    times = [reading.read(pts, dts) for pts, dts in zip(shown, decoded, strict=True)]
    assert [doubt for _, doubt in times] == [None] * 5
    assert [time for time, _ in times] == sorted(time for time, _ in times)


def test_the_declared_end_is_read_on_the_same_clock() -> None:
    reading = clock()
    assert reading.at(9000) is None
    reading.read(5000)
    assert reading.at(9000) == 4.0


@given(st.lists(st.one_of(st.none(), st.integers(-(2**33), 2**33)), max_size=40))
def test_time_never_runs_backwards(stamps: list[int | None]) -> None:
    reading = clock()
    times = [reading.read(stamp)[0] for stamp in stamps]
    assert times == sorted(times)
    assert times[:1] == [0.0][: len(times)]
