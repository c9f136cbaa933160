import pytest

from benchmarks.world import _hour, _rendering, _total


def test_rates_of_the_cores_add_up() -> None:
    assert _total([(30.0, 28.0), (32.0, 31.0)]) == (62.0, 59.0)


@pytest.mark.parametrize(("busy", "clock", "met"), [(70, 60, True), (70, 59, False), (59, 70, False)])
def test_rendering_is_held_to_the_clock_and_to_processor_time(busy: float, clock: float, met: bool) -> None:
    assert _rendering("packing", busy, clock).met is met


def test_an_hour_of_two_observations_a_second() -> None:
    row = _hour("perception", busy=240.0, clock=120.0, bar=60)
    assert row.figure == "60.0 s by the clock, 30.0 s of processor time"
    assert row.met
    assert not _hour("perception", busy=110.0, clock=120.0, bar=60).met
