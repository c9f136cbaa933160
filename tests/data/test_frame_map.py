import pytest
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.data.frame_map import FrameMap, Piece, Span
from stamina_video.semantics import InvalidInput

SLOW_PAUSE_BACK = FrameMap(
    (Piece(0.0, 4.0, 0.0, 2.0), Piece(4.0, 5.0, 2.0, 2.0), Piece(5.0, 7.0, 2.0, 0.0)),
)


@pytest.mark.parametrize(("at", "shown"), [(0.0, 0.0), (2.0, 1.0), (4.5, 2.0), (6.0, 1.0), (7.0, 0.0)])
def test_every_time_shows_a_moment_of_the_source(at: float, shown: float) -> None:
    assert SLOW_PAUSE_BACK.source_time(at) == pytest.approx(shown)


def test_frames_are_named_by_the_source_frame_they_show() -> None:
    shown = SLOW_PAUSE_BACK.source_frames(rate=2, source_rate=4)
    assert shown == [0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 5, 3, 1]


def test_the_whole_is_itself() -> None:
    assert FrameMap.whole(9.0).is_whole
    assert not SLOW_PAUSE_BACK.is_whole
    assert SLOW_PAUSE_BACK.shows == Span(0.0, 2.0)


@given(st.floats(0, 1), st.floats(0.3, 3), st.floats(0, 1))
def test_edits_in_a_row_read_in_a_row(at: float, speed: float, where: float) -> None:
    whole = SLOW_PAUSE_BACK.duration
    faster = FrameMap((Piece(0.0, whole / speed, 0.0, whole),))
    once = SLOW_PAUSE_BACK.then(faster)
    time = at * whole / speed
    assert once.source_time(time) == pytest.approx(SLOW_PAUSE_BACK.source_time(time * speed), abs=1e-6)
    start = 0.9 * where * whole
    crop = FrameMap((Piece(0.0, whole - start, start, whole),))
    inside = at * (whole - start)
    assert SLOW_PAUSE_BACK.then(crop).source_time(inside) == pytest.approx(
        SLOW_PAUSE_BACK.source_time(start + inside), abs=1e-6
    )


def test_backwards_twice_is_forwards() -> None:
    back = FrameMap((Piece(0.0, 7.0, 7.0, 0.0),))
    twice = SLOW_PAUSE_BACK.then(back).then(back)
    for at in (0.5, 3.0, 4.5, 6.5):
        assert twice.source_time(at) == pytest.approx(SLOW_PAUSE_BACK.source_time(at))


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        ((), "at least one piece"),
        ((Piece(0.0, 0.0, 0.0, 1.0),), "pieces that last"),
        ((Piece(1.0, 2.0, 0.0, 1.0),), "adjoin from zero"),
        ((Piece(0.0, 1.0, 0.0, 1.0), Piece(2.0, 3.0, 1.0, 2.0)), "adjoin from zero"),
        ((Piece(0.0, float("nan"), 0.0, 1.0),), "finite"),
    ],
)
def test_a_map_with_holes_is_refused(pieces: tuple[Piece, ...], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        FrameMap(pieces)


def test_a_time_outside_is_refused() -> None:
    with pytest.raises(InvalidInput, match="expected a time from 0 to 7 s, got 8"):
        SLOW_PAUSE_BACK.source_time(8.0)
    with pytest.raises(InvalidInput, match="ends after it starts"):
        Span(2.0, 1.0)
