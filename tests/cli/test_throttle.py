import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.cli.throttle import MEASURED, WARM_UP, Throttle
from stamina_video.semantics import Observation


def played(fps: float, cost: float, seconds: int = 60) -> tuple[list[Observation], list[str], Throttle]:
    """A stream at `fps` whose every observation costs so many seconds."""
    lines: list[str] = []
    throttle, passed = Throttle(fps, lines.append), []
    for index in range(int(seconds * fps)):
        observation = throttle.admit(Observation("door", index, index / fps, None, index))
        if observation is not None:
            passed.append(observation)
            throttle.took(cost)
    return passed, lines, throttle


def test_a_fast_machine_sees_everything() -> None:
    passed, lines, _ = played(6, 0.1)
    assert len(passed) == 360
    assert lines == []


def test_a_slow_machine_looks_less_often_and_says_so() -> None:
    passed, lines, throttle = played(6, 0.5)
    assert len(lines) == 1
    assert "observing 1.8 frames a second instead of 6" in lines[0]
    after = [observation.time for observation in passed[WARM_UP + MEASURED :]]
    assert np.isclose(len(after) / (60 - after[0]), throttle.fps, rtol=0.05)


@given(st.floats(0.5, 30), st.floats(0.01, 2))
def test_numbers_have_no_holes_and_time_runs_forward(fps: float, cost: float) -> None:
    passed, _, _ = played(fps, cost)
    assert [observation.index for observation in passed] == list(range(len(passed)))
    times = [observation.time for observation in passed]
    assert times == sorted(set(times))
