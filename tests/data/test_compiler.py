from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.data.compiler import compile_queries
from stamina_video.data.frame_map import Span
from stamina_video.data.query import Query
from stamina_video.data.trajectory import Supported
from stamina_video.semantics import InvalidInput, read_question
from tests.data.making import cycling, make, tracked


def asked(operator: str, *trajectories: Any) -> list[Query]:
    return [query for query in compile_queries(trajectories) if query.operator == operator]


def test_gain_follows_from_two_unique_endpoints() -> None:
    gains = asked("O2-Gain", make())
    assert [(query.since, query.time, query.answer) for query in gains] == [(2.0, 6.0, 2), (6.0, 9.0, 0)]
    assert read_question(gains[0].question, "O2-Gain").window == 4.0


def test_delta_follows_from_two_visible_endpoints_and_may_be_negative() -> None:
    deltas = asked("O1-Delta", tracked())
    assert [query.answer for query in deltas] == [1, -1, 0, 1]
    assert read_question(deltas[2].question, "O1-Delta").window == 0.5


def test_events_have_no_derived_change() -> None:
    assert {query.operator for query in compile_queries([cycling([(1.0, 2.0)], 4.0)])} == {"E2-Periodic"}


def test_unsupported_observations_are_left_out() -> None:
    gap = make(points=((2.0, 1), (4.0, None), (6.0, 3)))
    assert [(query.time, query.answer) for query in asked("O2-Unique", gap)] == [(2.0, 1), (6.0, 3)]
    assert [(query.since, query.time) for query in asked("O2-Gain", gap)] == [(2.0, 6.0)]
    assert asked("O2-Unique", make(masks=frozenset())) == []


def test_only_the_past_may_be_looked_at() -> None:
    for query in compile_queries([make(origin=2.0)]):
        assert (query.scope_start, query.scope_end) == (2.0, query.time)


def test_equal_counts_are_stable_only_where_verified() -> None:
    steady = {(query.since, query.time): query.stable for query in asked("O1-Delta", tracked())}
    # 6 to 6.5 lies in one verified interval; 2 to 4 does not.
    assert steady == {(2.0, 4.0): False, (4.0, 6.0): False, (6.0, 6.5): True, (6.5, 8.0): False}
    unverified = make(points=((2.0, 1), (4.0, 1)), stable=(Span(1.0, 9.0),))
    assert not any(query.stable for query in compile_queries([unverified]))


def test_supervision_beyond_the_count_needs_its_mask() -> None:
    assert all(query.identity for query in compile_queries([tracked()]))
    assert not any(query.identity for query in compile_queries([make()]))
    assert all(query.boundary for query in compile_queries([cycling([(1.0, 2.0)], 4.0)]))


def test_interval_labels_are_asked_as_they_are() -> None:
    label = make(operator="O2-Gain", endpoints=(Supported(5.0, 2, ("seen",), 1.0),))
    (query,) = compile_queries([label])
    assert (query.operator, query.since, query.answer) == ("O2-Gain", 1.0, 2)


def test_a_double_id_is_refused() -> None:
    with pytest.raises(InvalidInput, match="trajectory t: expected each id once"):
        list(compile_queries([make(), make()]))


@given(st.lists(st.tuples(st.integers(1, 900), st.one_of(st.none(), st.integers(0, 3))), max_size=8))
def test_changes_add_up(steps: list[tuple[int, int | None]]) -> None:
    """The gains between supported endpoints sum to the difference of the last and the first."""
    time, count, points = 0.0, 0, []
    for step, gained in steps:
        time, count = round(time + step / 100, 2), count + (gained or 0)
        points.append((time, None if gained is None else count))
    queries = list(compile_queries([make(points=points, duration=100.0)]))
    counts = [query.answer for query in queries if query.operator == "O2-Unique"]
    gains = [query.answer for query in queries if query.operator == "O2-Gain"]
    assert counts == [value for _, value in points if value is not None]
    assert sum(gains) == (counts[-1] - counts[0] if counts else 0)
    assert len({query.id for query in queries}) == len(queries)
