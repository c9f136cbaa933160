import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stamina_video.evaluation.bootstrap import compare_results, drawn
from stamina_video.evaluation.results import Result, Row
from stamina_video.semantics import InvalidInput
from tests.evaluation import reference


def result(rows: list[Row], averages: dict[str, tuple[str, ...]] | None = None) -> Result:
    return Result("diagnosis", "run", tuple(rows), ("exact", "misses"), averages or {})


def row(index: int, parent: str, exact: float, misses: tuple[float, float], group: str = "g") -> Row:
    return Row(f"t{index}", parent, group, {"exact": (exact, 1.0), "misses": misses})


def test_all_rows_of_a_parent_are_drawn_together() -> None:
    # B is right exactly where parent p1 is: a resample sees 0, half or all of it, never one row of it.
    rows_a = [row(i, "p1" if i < 3 else "p2", 0.0, (0, 1)) for i in range(6)]
    rows_b = [row(i, "p1" if i < 3 else "p2", float(i < 3), (0, 1)) for i in range(6)]
    exact = compare_results(result(rows_a), result(rows_b), 500).contrasts[0]
    assert exact.difference == 0.5
    assert (exact.low, exact.high) == (0.0, 1.0)


def test_equal_runs_differ_by_nothing() -> None:
    rows = [row(i, f"p{i}", i / 7, (i, 9)) for i in range(7)]
    for contrast in compare_results(result(rows), result(rows), 200).contrasts:
        assert (contrast.difference, contrast.low, contrast.high) == (0.0, 0.0, 0.0)


def test_rates_pool_numerators_and_denominators() -> None:
    rows = [row(0, "p", 1, (1, 1)), row(1, "q", 1, (0, 9))]
    pooled = {
        contrast.metric: contrast for contrast in compare_results(result(rows), result(rows), 10).contrasts
    }
    assert pooled["misses"].a == 0.1


def test_averages_weigh_groups_alike() -> None:
    rows = [row(0, "p", 1, (0, 1), "x"), row(1, "p", 0, (0, 1), "y"), row(2, "p", 0, (0, 1), "y")]
    found = compare_results(result(rows, {"mean": ("x", "y")}), result(rows, {"mean": ("x", "y")}), 10)
    figures = {(contrast.name, contrast.metric): contrast.a for contrast in found.contrasts}
    assert figures["mean", "exact"] == 0.5
    assert figures["overall", "exact"] == pytest.approx(1 / 3)


def test_a_metric_without_eligible_units_has_no_interval() -> None:
    rows = [row(0, "p", 1, (0, 0))]
    contrast = compare_results(result(rows), result(rows), 10).contrasts[1]
    assert (contrast.a, contrast.difference, contrast.low) == (None, None, None)


def test_other_units_are_refused() -> None:
    a, b = result([row(0, "p", 1, (0, 1))]), result([row(1, "p", 1, (0, 1))])
    with pytest.raises(
        InvalidInput, match="same scored units in both results, got 2 in one only, the first 't0'"
    ):
        compare_results(a, b)


def test_other_benchmarks_are_refused() -> None:
    a = result([row(0, "p", 1, (0, 1))])
    b = Result("svcbench", "run", a.rows, a.metrics)
    with pytest.raises(InvalidInput, match="got diagnosis and svcbench"):
        compare_results(a, b)


def test_the_order_of_rows_does_not_matter() -> None:
    rows = [row(i, f"p{i % 3}", i / 7, (i, 9), "xy"[i % 2]) for i in range(6)]
    a, b = result(rows), result(rows[::-1])
    assert all(contrast.difference == pytest.approx(0) for contrast in compare_results(a, b, 50).contrasts)


CELL = st.tuples(st.integers(0, 3).map(float), st.integers(0, 3).map(float))


@settings(max_examples=30)
@given(st.lists(st.tuples(st.sampled_from("pqr"), CELL, CELL), min_size=1, max_size=6), st.integers(0, 99))
def test_intervals_as_a_plain_resampling_loop_says(
    cells: list[tuple[str, tuple[float, float], tuple[float, float]]], seed: int
) -> None:
    a = result([row(i, parent, 1, first) for i, (parent, first, _) in enumerate(cells)])
    b = result([row(i, parent, 1, second) for i, (parent, _, second) in enumerate(cells)])
    found = compare_results(a, b, 40, seed).contrasts[1]
    draws = [
        [parent for parent, times in zip(a.parents, counts, strict=True) for _ in range(int(times))]
        for counts in drawn(len(a.parents), 40, seed)
    ]
    pairs = zip(
        reference.resampled(a.rows, "misses", draws),
        reference.resampled(b.rows, "misses", draws),
        strict=True,
    )
    differences = [second - first for first, second in pairs]
    kept = [difference for difference in differences if not math.isnan(difference)]
    if kept:
        low, high = np.quantile(kept, [0.025, 0.975])
        assert [found.low, found.high] == pytest.approx([low, high])
    else:
        assert found.low is None


def test_every_resample_draws_as_many_parents_as_there_are() -> None:
    times = drawn(5, 100, 1)
    assert times.sum(1).tolist() == [5.0] * 100
    assert (times == drawn(5, 100, 1)).all()
