import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stamina_video.data.reach import observations_until, reachable, reachable_queries
from stamina_video.semantics import Endpoint, Operator, first_unreachable, graph_for, schedule
from stamina_video.semantics.coverage import EVENT_OPERATORS

STEPS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=4)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(EVENT_OPERATORS), st.integers(1, 2), STEPS)
def test_the_greedy_schedule_agrees_with_the_search_of_every_path(
    operator: Operator, slots: int, steps: list[tuple[int, int]]
) -> None:
    seen, count, endpoints = 0, 0, []
    for passed, gained in steps:
        seen, count = seen + passed, count + gained
        endpoints.append(Endpoint(seen, count))
    found = reachable(
        operator, slots, [end.observations for end in endpoints], [end.count for end in endpoints]
    )
    first = first_unreachable(graph_for(operator), [[True] * slots] * seen, endpoints) if seen else None
    if seen:
        assert (found.index(False) if False in found else None) == first


def test_what_was_not_reached_does_not_spoil_what_follows() -> None:
    assert reachable(Operator.E2_PERIODIC, 1, [2, 4, 12], [1, 5, 6]) == [True, False, True]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(EVENT_OPERATORS), st.booleans(), STEPS), min_size=1, max_size=5))
def test_the_table_agrees_with_each_group(groups: list[tuple[Operator, bool, list[tuple[int, int]]]]) -> None:
    rows, expected = [], []
    for number, (operator, alone, steps) in enumerate(groups):
        seen, count, observed, counts = 0, 0, [], []
        for passed, gained in steps:
            seen, count = seen + passed + 1, count + gained
            observed.append(seen)
            counts.append(count)
            scope = "global" if alone else "entity"
            rows.append((str(number), str(operator), scope, 3.0, 3.0 + (seen - 1) / 2, count))
        expected += reachable(operator, 1 if alone else 4, observed, counts)
    columns = ["group", "operator", "scope", "origin", "time", "answer"]
    table = pl.DataFrame(rows, columns, orient="row")
    assert reachable_queries(table, fps=2.0).to_list() == expected


def test_objects_are_always_reachable() -> None:
    row = {"group": "g", "operator": "O2-Unique", "scope": "entity", "origin": 0.0, "time": 0.0, "answer": 99}
    assert reachable_queries(pl.DataFrame([row]), 1.0).to_list() == [True]


@given(st.integers(0, 100_000), st.sampled_from((0.5, 1.0, 2.0, 25.0, 29.97, 100.0)))
def test_ticks_agree_with_the_schedule(hundredths: int, fps: float) -> None:
    time = hundredths / 100
    (ticks,) = observations_until(pl.Series([time]).to_numpy(), fps)
    assert ticks == schedule.ticks_until(time, fps, 0.0)


@pytest.mark.parametrize(("elapsed", "ticks"), [(-0.5, 0), (0.0, 1), (0.29, 30)])
def test_edges_of_the_grid(elapsed: float, ticks: int) -> None:
    assert observations_until(pl.Series([elapsed]).to_numpy(), 100.0 if elapsed == 0.29 else 1.0)[0] == ticks
