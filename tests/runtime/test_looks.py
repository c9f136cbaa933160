import pytest

from stamina_video.runtime.looks import Looks
from stamina_video.semantics import Operator, Target, ceiling

SWING, MUGS = Target("swing", "E2-Periodic"), Target("mugs", "O2-Unique")


def looked(fps: float, number: int = 30, first: int = 0) -> Looks:
    looks = Looks(first)
    for index in range(number):
        looks.add(first + index, index / fps)
    return looks


def test_the_rate_needs_an_interval() -> None:
    assert Looks().rate is None
    assert looked(6, 1).rate is None
    assert looked(6).rate == pytest.approx(6)


@pytest.mark.parametrize(
    ("target", "fps", "enough"), [(SWING, 1, False), (SWING, 6, True), (MUGS, 1, False), (MUGS, 2, True)]
)
def test_a_target_says_what_it_needs(target: Target, fps: float, enough: bool) -> None:
    lines = looked(fps).warnings(target, completed=0)
    assert lines == [] if enough else lines[0].startswith(f"rate: looked {fps} times a second")


def test_a_count_at_its_ceiling_is_said() -> None:
    looks = looked(6, 10)
    most = ceiling(Operator.E2_PERIODIC, 10)
    assert looks.capacity(SWING) == most
    assert looks.warnings(SWING, most - 1) == []
    assert looks.warnings(SWING, most) == [
        f"capacity: {most} is all that 10 observations can count; looking more often may count more"
    ]
    assert looks.capacity(MUGS) is None


def test_a_stream_that_goes_on_counts_what_came_before() -> None:
    looks = looked(6, 10, first=90)
    assert looks.number == 100
    assert looks.rate == pytest.approx(6)
