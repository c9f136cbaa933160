from types import SimpleNamespace

import pytest
import torch

from benchmarks.measuring import State, fastest_ms, growth_rows
from tests.benchmarks.clocks import Clock


def test_the_fastest_call_of_each_counts_and_turns_are_taken() -> None:
    clock = Clock()
    slow, fast = clock.work([5, 3, 4]), clock.work([2, 1, 9])
    assert fastest_ms(slow, fast, repeats=3, clock=clock) == [3000, 1000]


def state(*sizes: int) -> State:
    return SimpleNamespace(tensors=lambda: {str(size): torch.zeros(size) for size in sizes})


@pytest.mark.parametrize(
    ("late_ms", "late", "said", "met"),
    [
        (10.4, state(100, 150), ["1.04", "1.000"], [True, True]),
        (10.6, state(100, 150), ["1.06", "1.000"], [False, True]),
        (10.0, state(100, 151), ["1.00", "1.004"], [True, False]),
        (10.0, state(100), ["1.00", "0.400"], [True, False]),
    ],
)
def test_a_step_may_hardly_slow_down_and_a_state_not_grow(
    late_ms: float, late: State, said: list[str], met: list[bool]
) -> None:
    rows = growth_rows(10.0, late_ms, state(100, 150), late)
    assert [row.figure for row in rows] == said
    assert [row.met for row in rows] == met
