import pytest
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.semantics import Operator, Target, ceiling
from stamina_video.semantics.pace import FASTEST, pace_for, pace_of
from stamina_video.semantics.schedule import ticks_until

targets = st.sampled_from(Operator).map(lambda operator: Target("something", operator))


@pytest.mark.parametrize(
    ("operator", "fps"),
    [
        ("O1-Snap", 2.0),
        ("O1-Delta", 2.0),
        ("O2-Unique", 2.0),
        ("O2-Gain", 2.0),
        ("E1-Action", 4.0),
        ("E1-Transit", 4.0),
        ("E2-Episode", 3.0),
        ("E2-Periodic", 6.0),
    ],
)
def test_each_operator_has_its_rate(operator: str, fps: float) -> None:
    pace = pace_of(Target("something", operator))
    assert pace.fps == fps
    assert operator in pace.reason
    assert "\n" not in pace.reason


@given(st.sampled_from(sorted(FASTEST)), st.integers(1, 600))
def test_the_rate_reaches_the_fastest_events(operator: Operator, seconds: int) -> None:
    fps = pace_of(Target("something", operator)).fps
    assert ceiling(operator, ticks_until(seconds, fps, 0.0)) >= FASTEST[operator] * seconds
    slower = ticks_until(seconds, fps / 2, 0.0)
    assert seconds < 3 or ceiling(operator, slower) < FASTEST[operator] * seconds


@given(st.lists(targets, min_size=1, max_size=4))
def test_several_targets_take_the_highest_rate(asked: list[Target]) -> None:
    assert pace_for(asked).fps == max(pace_of(target).fps for target in asked)
