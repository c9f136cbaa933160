import pytest
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.evaluation.events import match, stable_intervals
from stamina_video.evaluation.trajectories import Mark
from tests.evaluation import reference


def marks(*times: float, slot: str = "") -> list[Mark]:
    return [Mark(time, slot) for time in times]


def test_a_commit_takes_the_nearest_free_completion_before_it() -> None:
    found = match(marks(1, 2), marks(2.5, 3))
    assert [(done.time, commit.time) for done, commit in found.matches] == [(2, 2.5), (1, 3)]
    assert found.delays == (0.5, 2)


def test_one_more_commit_in_the_window_is_a_duplicate() -> None:
    found = match(marks(5), marks(5.5, 6, 9))
    assert found.duplicates == (Mark(6),)
    assert found.outside == (Mark(9),)
    assert found.misses == ()


def test_a_commit_before_its_completion_is_outside_and_the_completion_missed() -> None:
    found = match(marks(5), marks(4.9))
    assert found.outside == (Mark(4.9),)
    assert found.misses == (Mark(5),)


def test_the_window_is_three_seconds_with_both_ends() -> None:
    assert len(match(marks(4.3), marks(7.3)).matches) == 1
    assert len(match(marks(4.3), marks(4.3)).matches) == 1
    assert match(marks(4.3), marks(7.31)).matches == ()


def test_slots_do_not_help_each_other() -> None:
    found = match(marks(1, slot="left"), marks(1.5, slot="right"))
    assert (len(found.matches), len(found.misses), len(found.outside)) == (0, 1, 1)


def test_slots_count_only_where_both_sides_name_them() -> None:
    assert len(match(marks(1, slot="left"), marks(1.5)).matches) == 1


TIMES = st.integers(0, 24).map(lambda half: half / 2)  # exact in binary, so both agree on window edges
MARKS = st.lists(st.builds(Mark, TIMES, st.sampled_from(["a", "b"])), max_size=8)


@given(MARKS, MARKS)
def test_every_commit_is_judged_as_a_plain_search_says(completions: list[Mark], commits: list[Mark]) -> None:
    found = match(completions, commits)
    if not (completions and commits):
        return
    delays, duplicates, outside, misses = reference.matched(completions, commits)
    assert sorted(found.delays) == delays
    assert (len(found.duplicates), len(found.outside), len(found.misses)) == (duplicates, outside, misses)


def test_intervals_near_a_completion_are_not_eligible() -> None:
    # Eligible: {0}, (0,1], (9,10], (10,11] and (11,12]; (8,9] still touches 5 + 3.
    observed = tuple(map(float, range(13)))
    assert stable_intervals(observed, marks(5), []) == (0, 5)
    assert stable_intervals(observed, marks(5), marks(8.5, 9.5, 9.7, 12)) == (2, 5)


def test_the_first_observation_closes_an_interval_of_its_own() -> None:
    assert stable_intervals((0.0, 1.0), [], marks(0)) == (1, 2)


def test_only_verified_stretches_count() -> None:
    observed = tuple(map(float, range(11)))
    assert stable_intervals(observed, [], marks(2, 8), verified=[(5, 9)]) == (1, 4)


def test_nothing_observed_is_nothing_eligible() -> None:
    assert stable_intervals((), marks(1), marks(2)) == (0, 0)


@given(st.lists(TIMES, unique=True, max_size=12).map(sorted), MARKS, MARKS)
def test_stable_intervals_as_a_plain_loop_says(
    observed: list[float], completions: list[Mark], commits: list[Mark]
) -> None:
    assert stable_intervals(observed, completions, commits) == reference.stable(
        observed, completions, commits
    )


@pytest.mark.parametrize("commits", [[], marks(1.5)])
def test_nothing_happened_means_nothing_is_missed(commits: list[Mark]) -> None:
    found = match([], commits)
    assert found.misses == ()
    assert list(found.outside) == commits
