from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from stamina_video.data.cycles import cropped, cycles, paused, repeated, reversed_, sped
from stamina_video.data.frame_map import Span
from stamina_video.data.trajectory import Mask, PhaseMark, Trajectory
from stamina_video.semantics import InvalidInput, Role
from tests.data.making import cycling, edge, make

FPS = 10
SHORTEST = 1e-3  # seconds of a phase: no film is watched more finely
THREE = cycling([(1.0, 2.0), (3.0, 4.0), (5.0, 7.0)], duration=8.0)


@st.composite
def filmed(draw: st.DrawFn) -> tuple[list[bool], Trajectory]:
    """A film as one flag a frame (away from rest or not), and its annotation."""
    away: list[bool] = [False] * draw(st.integers(3, 6))
    spans = []
    for _ in range(draw(st.integers(0, 4))):
        start = len(away)
        away += [True] * draw(st.integers(4, 9))
        spans.append((start / FPS, len(away) / FPS))
        away += [False] * draw(st.integers(4, 9))
    return away, cycling(spans, len(away) / FPS, every=0.5)


@st.composite
def edited(draw: st.DrawFn) -> tuple[list[bool], Trajectory]:
    """A film and its annotation after up to three edits."""
    away, trajectory = draw(filmed())
    for _ in range(draw(st.integers(1, 3))):
        trajectory = draw(st.sampled_from(EDITS))(draw, trajectory)
    return away, trajectory


def _sped(draw: st.DrawFn, trajectory: Trajectory) -> Trajectory:
    # At most 1.25 three times in a row: every phase still lasts two frames.
    return sped(trajectory, draw(st.sampled_from((0.5, 0.8, 1.25))))


def _paused(draw: st.DrawFn, trajectory: Trajectory) -> Trajectory:
    at = draw(st.floats(0.05, 0.95)) * trajectory.frame_map.duration
    assume(all(abs(mark.time - at) > 1e-6 for mark in trajectory.marks))
    return paused(trajectory, at, draw(st.sampled_from((0.3, 1.0))))


def _repeated(draw: st.DrawFn, trajectory: Trajectory) -> Trajectory:
    found = cycles(trajectory)
    if not found:
        return trajectory
    return repeated(trajectory, draw(st.integers(0, len(found) - 1)), draw(st.integers(1, 2)))


def _reversed(draw: st.DrawFn, trajectory: Trajectory) -> Trajectory:
    return reversed_(trajectory)


def _cropped(draw: st.DrawFn, trajectory: Trajectory) -> Trajectory:
    whole = trajectory.frame_map.duration
    start = draw(st.floats(0, 0.4)) * whole
    return cropped(trajectory, start, start + draw(st.floats(0.4, 0.6)) * whole)


EDITS: list[Callable[[st.DrawFn, Trajectory], Trajectory]] = [_sped, _paused, _repeated, _reversed, _cropped]


def fine_enough(trajectory: Trajectory) -> float:
    """A rate at which no phase falls between two frames, however short a crop left it."""
    boundaries = (0.0, *(mark.time for mark in trajectory.marks), trajectory.frame_map.duration)
    shortest = min(later - sooner for sooner, later in pairwise(boundaries))
    assume(shortest > SHORTEST)
    return max(4 * FPS, 3 / shortest)


def replayed(away: list[bool], trajectory: Trajectory, rate: float) -> list[tuple[float, int]]:
    """Watch the edited film frame by frame: a cycle is done when the figure is back at rest."""
    count, was_away, seen = 0, False, []
    for index, frame in enumerate(trajectory.frame_map.source_frames(rate, FPS)):
        now = away[min(frame, len(away) - 1)]
        count += was_away and not now
        was_away = now
        seen.append(((index + 0.5) / rate, count))
    return seen


@settings(max_examples=150, deadline=None)
@given(edited())
def test_every_edit_says_what_its_film_shows(made: tuple[list[bool], Trajectory]) -> None:
    away, trajectory = made
    rate = fine_enough(trajectory)
    done, slack = trajectory.completions, 1 / rate + 1e-6
    for at, count in replayed(away, trajectory, rate):
        # A boundary between two frames is seen on the later one.
        if all(abs(at - end) > slack for end in done):
            assert sum(end <= at for end in done) == count, f"at {at}"
    for endpoint in trajectory.endpoints:
        assert endpoint.count == sum(end <= endpoint.time + 1e-6 for end in done)
    assert len(trajectory.endpoints) == len(trajectory.supported)


@settings(max_examples=50, deadline=None)
@given(edited())
def test_marks_alternate_between_start_and_completion(made: tuple[list[bool], Trajectory]) -> None:
    roles = [mark.edge.role for mark in made[1].marks]
    assert all(first is not second for first, second in pairwise(roles))
    assert roles[:1] in ([], [Role.START])


def test_speed_and_pause_keep_the_count_and_move_the_boundaries() -> None:
    assert sped(THREE, 2.0).completions == (1.0, 2.0, 3.5)
    waited = paused(THREE, 1.5, 10.0)
    assert waited.completions == (12.0, 14.0, 17.0)
    assert Span(1.5, 11.5) in waited.stable
    assert waited.endpoints[-1].count == 3


def test_a_whole_action_shown_again_counts_again() -> None:
    assert cycles(THREE) == [Span(0.0, 2.0), Span(2.0, 4.0), Span(4.0, 7.0)]
    again = repeated(THREE, 1, 2)
    assert again.completions == (2.0, 4.0, 6.0, 8.0, 11.0)
    assert again.endpoints[-1].count == 5
    assert again.frame_map.source_time(5.0) == 3.0


def test_a_crop_starts_counting_anew_even_in_mid_cycle() -> None:
    part = cropped(THREE, 3.5, 8.0)
    assert part.completions == (0.5, 3.5)
    assert part.marks[0] == PhaseMark("0", 0.0, edge("E2-Periodic", Role.START))
    assert part.frame_map.shows == Span(3.5, 8.0)


def test_backwards_a_start_becomes_a_completion() -> None:
    assert reversed_(THREE).completions == (3.0, 5.0, 7.0)


def test_resets_travel_with_their_action() -> None:
    marks = [
        PhaseMark("0", at, edge("E1-Action", role))
        for at, role in ((2.0, Role.COMPLETE), (3.0, Role.RESET), (5.0, Role.COMPLETE), (6.0, Role.RESET))
    ]
    packed = make(
        "packed",
        "mugs put down",
        "E1-Action",
        ((4.0, 1), (7.0, 2)),
        marks=tuple(marks),
        masks=frozenset({Mask.COUNT, Mask.BOUNDARY}),
    )
    again = repeated(packed, 0, 1)
    roles = [(mark.time, mark.edge.role) for mark in again.marks]
    assert roles == [
        (2.0, Role.COMPLETE),
        (3.0, Role.RESET),
        (5.0, Role.COMPLETE),
        (6.0, Role.RESET),
        (8.0, Role.COMPLETE),
        (9.0, Role.RESET),
    ]
    # The reset of an action that was completed before the crop has nothing to reset.
    assert [mark.edge.role for mark in cropped(packed, 2.5, 10.0).marks] == [Role.COMPLETE, Role.RESET]


def test_ancestry_is_kept() -> None:
    twice = sped(cropped(THREE, 1.0, 8.0), 2.0)
    assert twice.provenance.steps == ("crop 1 to 8", "speed 2")
    assert twice.provenance.derived_from == "cycles/crop-1-to-8"
    assert twice.parent == THREE.parent
    assert twice.frame_map.source_time(1.0) == 3.0


COUNTED_ONLY = make("counted", "squats", "E2-Periodic", ((3.0, 1),))
UNSTARTED = make(
    "unstarted",
    "squats",
    "E2-Periodic",
    ((3.0, 1),),
    marks=(PhaseMark("0", 2.0, edge("E2-Periodic", Role.COMPLETE)),),
    masks=frozenset({Mask.COUNT, Mask.BOUNDARY}),
)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda: sped(COUNTED_ONLY, 2.0), "trajectory counted: expected verified completion boundaries"),
        (lambda: sped(make(), 2.0), "expected verified completion boundaries"),
        (lambda: sped(replace(THREE, origin=2.0), 2.0), "expected a count from the segment's start"),
        (lambda: reversed_(UNSTARTED), "expected a verified start for every cycle"),
        (lambda: reversed_(make(operator="E1-Action")), "expected E2-Periodic to play backwards"),
        (lambda: sped(THREE, 0.0), "expected a speed above zero"),
        (lambda: paused(THREE, 9.0, 1.0), "expected a pause above zero within 8 s"),
        (lambda: paused(THREE, 2.0, 1.0), "expected a pause clear of every phase change"),
        (lambda: repeated(THREE, 3, 1), "expected one of 3 cycles"),
        (lambda: cropped(THREE, 5.0, 4.0), "expected a crop within 8 s"),
    ],
)
def test_what_is_not_authorized_is_refused(edit: Callable[[], Trajectory], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        edit()
