import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stamina_video.semantics import (
    Endpoint,
    EventGraph,
    InvalidInput,
    JointGraph,
    Operator,
    Role,
    Target,
    ceiling,
    first_unreachable,
    graph_for,
    lowest_rate,
    most_completions,
    most_completions_at,
    observations_needed,
    slots_of,
)
from stamina_video.semantics.capacity import NEVER, Search, observations_between
from stamina_video.semantics.schedule import ticks_until

EVENTS = [operator for operator in Operator if operator.is_event]
events = st.sampled_from(EVENTS)


@pytest.mark.parametrize(
    ("operator", "closed_form"),
    [
        ("E1-Action", lambda t: math.ceil(t / 2)),
        ("E1-Transit", lambda t: math.ceil(t / 2)),
        ("E2-Episode", lambda t: (t + 1) // 3),
        ("E2-Periodic", lambda t: t // 2),
    ],
)
def test_the_ceiling_is_the_closed_form_of_the_paper(operator: str, closed_form: object) -> None:
    assert callable(closed_form)
    for observations in range(200):
        assert ceiling(Operator(operator), observations) == closed_form(observations)
        assert ceiling(Operator(operator), observations, slots=4) == 4 * closed_form(observations)


@settings(deadline=None)
@given(events, st.integers(1, 12), st.integers(1, 4))
def test_the_closed_form_agrees_with_the_exact_search(
    operator: Operator, observations: int, slots: int
) -> None:
    found = most_completions(graph_for(operator), [[True] * slots] * observations)
    assert found == [ceiling(operator, n, slots) for n in range(1, observations + 1)]


presences = st.integers(1, 3).flatmap(
    lambda slots: st.lists(st.lists(st.booleans(), min_size=slots, max_size=slots), min_size=1, max_size=5)
)


def every_path(operator: Operator, present: list[list[bool]]) -> list[list[int]]:
    """All legal paths, written out: the running count after each observation."""
    joint = JointGraph(graph_for(operator), len(present[0]))
    paths = [(joint.initial, [0])]
    for row in present:
        paths = [
            (edge.target, [*counts, counts[-1] + edge.increment])
            for phases, counts in paths
            for edge in joint.outgoing(phases, tuple(row))
        ]
    return [counts for _, counts in paths]


@settings(deadline=None, max_examples=60)
@given(events, presences)
def test_absence_is_searched_exactly(operator: Operator, present: list[list[bool]]) -> None:
    paths = every_path(operator, present)
    expected = [max(path[step] for path in paths) for step in range(1, len(present) + 1)]
    assert most_completions(graph_for(operator), present) == expected


@settings(deadline=None, max_examples=60)
@given(events, presences, st.data())
def test_joint_endpoints_are_searched_exactly(
    operator: Operator, present: list[list[bool]], data: st.DataObject
) -> None:
    steps = data.draw(st.lists(st.integers(0, len(present)), max_size=3).map(sorted))
    endpoints = [Endpoint(step, data.draw(st.integers(0, 4))) for step in steps]
    paths = every_path(operator, present)
    expected = next(
        (
            index
            for index in range(len(endpoints))
            if not any(all(p[e.observations] == e.count for e in endpoints[: index + 1]) for p in paths)
        ),
        None,
    )
    assert first_unreachable(graph_for(operator), present, endpoints) == expected


def test_observation_times_decide_what_a_query_can_read() -> None:
    graph = graph_for("E2-Periodic")
    times, present = [0.0, 1.0, 2.5, 4.0], [[True]] * 4
    assert [most_completions_at(graph, times, at, present) for at in (0.9, 1.0, 3.0, 4.0)] == [0, 1, 1, 2]
    assert most_completions_at(graph, [5.0], 1.0, [[True]]) == 0


@given(events, st.integers(0, 500), st.sampled_from([1, 4]))
def test_needed_observations_invert_the_ceiling(operator: Operator, count: int, slots: int) -> None:
    needed = observations_needed(operator, count, slots)
    assert ceiling(operator, needed, slots) >= count
    assert needed == 0 or ceiling(operator, needed - 1, slots) < count


@given(events, st.integers(1, 300), st.integers(1, 100_000), st.sampled_from([1, 4]))
def test_the_lowest_rate_is_just_enough(operator: Operator, count: int, centis: int, slots: int) -> None:
    at = centis / 100
    fps = lowest_rate(operator, count, at, slots)
    assert fps is not None
    if fps == 0:
        assert ceiling(operator, 1, slots) >= count
    else:
        assert ceiling(operator, ticks_until(at, fps, 0.0), slots) >= count
        assert ceiling(operator, ticks_until(at, fps * 0.999, 0.0), slots) < count


def test_no_rate_reaches_a_cycle_at_time_zero() -> None:
    assert lowest_rate(Operator.E2_PERIODIC, 1, at=0.0) is None


def test_an_endpoint_outside_the_observations_is_refused() -> None:
    with pytest.raises(
        InvalidInput, match="trajectory: expected endpoint 0 after 0 to 1 observations, got 2"
    ):
        first_unreachable(graph_for("E1-Action"), [[True]], [Endpoint(2, 1)])


def test_every_endpoint_is_checked_before_any_is_searched() -> None:
    with pytest.raises(InvalidInput, match="expected endpoint 1 after 1 to 1 observations, got 0"):
        first_unreachable(graph_for("E1-Action"), [[True]], [Endpoint(1, 9), Endpoint(0, 0)])


@pytest.mark.parametrize(("operator", "fewest"), [("E1-Action", 2), ("E2-Episode", 3), ("E2-Periodic", 2)])
def test_completions_of_a_slot_keep_their_distance(operator: str, fewest: int) -> None:
    assert observations_between(graph_for(operator)) == fewest


def test_a_graph_that_completes_once_never_completes_again() -> None:
    episode = graph_for("E2-Episode")
    once = EventGraph(episode.phases, tuple(edge for edge in episode.edges if edge.role is not Role.RESET))
    assert observations_between(once) == NEVER
    assert most_completions(once, [[True, True]] * 9)[-1] == 2


@settings(deadline=None, max_examples=60)
@given(events, presences, st.data())
def test_forgotten_counts_start_again_and_phases_stay(
    operator: Operator, present: list[list[bool]], data: st.DataObject
) -> None:
    left = data.draw(st.integers(0, len(present)))
    right = data.draw(st.integers(left, len(present)))
    count = data.draw(st.integers(0, 4))
    search = Search(graph_for(operator), present)
    search.advance(left)
    search.forget()
    search.advance(right)
    gains = {path[right] - path[left] for path in every_path(operator, present)}
    assert search.most == max(gains)
    assert search.keep(count) == (count in gains)


@pytest.mark.parametrize("slots", [0, -1, 5])
def test_a_ceiling_needs_one_to_four_slots(slots: int) -> None:
    with pytest.raises(InvalidInput, match=f"expected 1 to 4 slots, got {slots}"):
        observations_needed(Operator.E1_ACTION, 3, slots)
    with pytest.raises(InvalidInput, match=f"expected 1 to 4 slots, got {slots}"):
        ceiling(Operator.E1_ACTION, 3, slots)


def test_slots_follow_the_scope() -> None:
    assert slots_of(Target("mugs placed", "E1-Action", "entity")) == 4
    assert slots_of(Target("cuts", "E1-Transit")) == 1
