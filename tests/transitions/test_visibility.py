from hypothesis import given, settings
from hypothesis import strategies as st

from stamina_video.transitions.visibility import VisibleSet, turnover

visible_sets = st.builds(
    lambda identities, unresolved: VisibleSet(tuple(sorted(identities)), unresolved),
    st.frozensets(st.integers(0, 6)),
    st.integers(0, 4),
)


@settings(deadline=None)
@given(visible_sets, visible_sets)
def test_entries_less_exits_is_the_change_of_the_count(before: VisibleSet, after: VisibleSet) -> None:
    moved = turnover(before, after)
    entries = len(moved.entered) + moved.unresolved_entered
    exits = len(moved.left) + moved.unresolved_left
    assert entries - exits == len(after) - len(before)
    assert set(moved.entered) <= set(after.identities) - set(before.identities)
    assert set(moved.left) <= set(before.identities) - set(after.identities)
    assert moved.unresolved_entered <= after.unresolved
    assert moved.unresolved_left <= before.unresolved


@settings(deadline=None)
@given(visible_sets)
def test_the_same_set_moves_nobody(visible: VisibleSet) -> None:
    moved = turnover(visible, visible)
    assert (moved.entered, moved.left, moved.unresolved_entered, moved.unresolved_left) == ((), (), 0, 0)


def test_resolving_an_unresolved_candidate_is_no_entry() -> None:
    moved = turnover(VisibleSet((), 1), VisibleSet((0,), 0))
    assert (moved.entered, moved.unresolved_left) == ((), 0)


def test_losing_an_identity_to_doubt_is_no_exit() -> None:
    moved = turnover(VisibleSet((0,), 0), VisibleSet((), 1))
    assert (moved.left, moved.unresolved_entered) == ((), 0)


def test_one_identity_for_another_is_an_exit_and_an_entry() -> None:
    moved = turnover(VisibleSet((0, 1), 0), VisibleSet((0, 2), 0))
    assert (moved.entered, moved.left) == ((2,), (1,))


def test_unresolved_ones_come_and_go_by_number() -> None:
    assert turnover(VisibleSet((), 1), VisibleSet((), 3)).unresolved_entered == 2
    assert turnover(VisibleSet((), 3), VisibleSet((), 1)).unresolved_left == 2
