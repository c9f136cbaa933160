import pytest
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.data.world.motion import Path, Track, cosine, crossings, eased, sine, still, uneased


def test_a_track_passes_through_its_keys_and_stays_outside_them() -> None:
    track = Path(1.0, (0.0, 5.0)).to((2.0, 5.0), 2.0).wait(1.0).to((0.0, 5.0), 1.0).track()
    assert track.at(-10) == track.at(1.0) == (0.0, 5.0)
    assert track.at(3.0) == track.at(3.5) == (2.0, 5.0)
    assert track.at(2.0) == (1.0, 5.0)
    assert track.at(99) == (0.0, 5.0)


def test_a_jump_has_no_way_between() -> None:
    track = Path(0.0, (0.0,)).wait(2.0).jump((10.0,)).wait(1.0).track()
    assert track.at(1.999) == (0.0,)
    assert track.at(2.0) == (10.0,)


def test_waiting_until_the_past_changes_nothing() -> None:
    assert Path(5.0, (1.0,)).wait_until(3.0).now == 5.0


@given(st.floats(0, 1))
def test_easing_inverts(share: float) -> None:
    assert eased(uneased(eased(share))) == pytest.approx(eased(share), abs=1e-6)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=6), st.floats(-0.9, 0.9))
def test_crossings_are_where_a_fine_walk_finds_them(values: list[float], level: float) -> None:
    track = Track(tuple(float(k) for k in range(len(values))), tuple((value,) for value in values))
    above = [track.at(k / 1000)[0] >= level for k in range(1000 * (len(values) - 1) + 1)]
    walked = [(k / 1000, above[k]) for k in range(1, len(above)) if above[k] != above[k - 1]]
    found = crossings(track, 0, level)
    assert [rising for _, rising in found] == [rising for _, rising in walked]
    for (time, _), (brute, _) in zip(found, walked, strict=True):
        assert time == pytest.approx(brute, abs=0.0021)


def test_sines_are_rounded_the_same_way_everywhere() -> None:
    assert (sine(0.25), cosine(0.5), sine(1.25)) == (1.0, -1.0, 1.0)
    assert (sine(1 / 12) * 2**30).is_integer()
    assert still(1.0, 2.0).at(17) == (1.0, 2.0)
