from collections.abc import Sequence
from typing import cast

import av
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.semantics import InvalidInput, full_indices, stream_indices
from stamina_video.video import Frame, Gap
from stamina_video.video.frame import Items
from stamina_video.video.schedule import at_positions, latest_at_ticks, up_to

PICTURE = cast(av.VideoFrame, None)  # schedules look at times and positions only

steps = st.one_of(
    st.floats(0.0, 3.0),
    st.sampled_from([0.0, 0.04, 1 / 30, 0.1, 0.5, 1.0, 2.0]),
)
tables = st.lists(steps, max_size=60).map(
    lambda spans: [sum(spans[: count + 1]) - spans[0] for count in range(len(spans))]
)
rates = st.one_of(st.floats(0.1, 60.0), st.sampled_from([1.0, 2.0, 5.0, 10.0, 25.0, 30.0]))


def source(times: Sequence[float], gaps: Sequence[int] = ()) -> Items:
    for index, time in enumerate(times):
        if index in gaps:
            yield Gap(times[index - 1] if index else time, time, f"before {index}")
        yield Frame(time, index, PICTURE)


def positions(items: Items) -> list[int]:
    return [item.index for item in items if isinstance(item, Frame)]


@given(tables, rates)
def test_stream_picks_what_semantics_picks(times: list[float], fps: float) -> None:
    assert positions(latest_at_ticks(source(times), fps)) == stream_indices(times, fps)


@given(tables, st.integers(1, 80), st.floats(0.0, 40.0))
def test_full_picks_what_semantics_picks_of_a_prefix(times: list[float], budget: int, until: float) -> None:
    reached = sum(time <= until for time in times)
    wanted = full_indices(reached, budget)
    assert positions(up_to(at_positions(source(times), wanted), until)) == wanted


@given(tables, rates, st.data())
def test_gaps_keep_their_place_and_change_no_choice(
    times: list[float], fps: float, data: st.DataObject
) -> None:
    gaps = data.draw(st.sets(st.integers(0, max(len(times) - 1, 0)), max_size=5))
    items = list(latest_at_ticks(source(times, sorted(gaps)), fps))
    assert positions(item for item in items) == stream_indices(times, fps)
    told = [item for item in items if isinstance(item, Gap)]
    assert [gap.reason for gap in told] == [f"before {index}" for index in sorted(gaps) if index < len(times)]
    moments = [item.end if isinstance(item, Gap) else item.time for item in items]
    assert moments == sorted(moments)


def test_a_frame_is_told_as_soon_as_the_next_one_is_known() -> None:
    pulled: list[float] = []

    def live() -> Items:
        for index, time in enumerate([0.0, 0.4, 0.9, 1.3, 1.8]):
            pulled.append(time)
            yield Frame(time, index, PICTURE)

    chosen = latest_at_ticks(live(), 1.0)
    first, second = next(chosen), next(chosen)
    assert isinstance(first, Frame)
    assert isinstance(second, Frame)
    assert (first.time, second.time, pulled[-1]) == (0.0, 0.9, 1.3)


def test_where_damage_took_a_position_the_next_frame_stands_in() -> None:
    def damaged() -> Items:
        yield Frame(0.0, 0, PICTURE)
        yield Gap(0.0, 4.0, "damaged data", 3)
        yield Frame(4.0, 4, PICTURE)
        yield Frame(5.0, 5, PICTURE)
        yield Gap(5.0, 9.0, "the end is missing")

    items = list(at_positions(damaged(), [0, 2, 3, 5]))
    assert [item if isinstance(item, Gap) else item.index for item in items] == [
        0,
        Gap(0.0, 4.0, "damaged data", 3),
        4,
        5,
        Gap(5.0, 9.0, "the end is missing"),
    ]


def test_frames_past_the_last_position_are_not_decoded() -> None:
    pulled: list[int] = []

    def long() -> Items:
        for index in range(100):
            pulled.append(index)
            yield Frame(float(index), index, PICTURE)

    assert positions(at_positions(long(), [0, 2])) == [0, 2]
    assert pulled[-1] == 3


def test_a_gap_after_the_prefix_is_not_part_of_it() -> None:
    items = list(up_to(source([0.0, 1.0, 2.0, 3.0], gaps=[1, 3]), 1.5))
    assert [type(item).__name__ for item in items] == ["Frame", "Gap", "Frame"]


@pytest.mark.parametrize("fps", [0, -1, float("nan"), True])
def test_a_rate_is_above_zero(fps: float) -> None:
    with pytest.raises(InvalidInput, match="frame rate above zero"):
        next(latest_at_ticks(source([0.0]), fps))
