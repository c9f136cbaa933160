import pytest

from stamina_video.evaluation.assay import AssayVideo, Reading, assay
from stamina_video.semantics import InvalidInput

STEADY = AssayVideo("a", (1.0, 2.0, 3.0), (1, 2, 3), (1, 2, 3))
WAVERING = AssayVideo("b", (1.0, 2.0, 4.0), (2, 2, 4), (2, 1, 4))


def shares(reading: Reading) -> tuple[float, float]:
    return reading.exact, reading.mae


def test_the_ledger_takes_nothing_back() -> None:
    found = assay([STEADY, WAVERING])
    assert shares(found["direct"]) == pytest.approx((5 / 6, 1 / 6))
    assert shares(found["ledger"]) == (1.0, 0.0)


def test_cleared_and_delayed_and_swapped_reads_go_wrong() -> None:
    found = assay([STEADY, WAVERING])
    assert shares(found["cleared"]) == pytest.approx((0, 14 / 6))
    # 0 1 2 for 1 2 3, and 0 2 2 for 2 2 4: the count that stood still is right by luck.
    assert shares(found["delayed"]) == pytest.approx((1 / 6, 7 / 6))
    # a reads b (2 2 2 for 1 2 3), b reads a (1 2 3 for 2 2 4)
    assert shares(found["swapped"]) == pytest.approx((2 / 6, 4 / 6))


def test_a_sensor_that_sees_nothing_commits_nothing() -> None:
    blind = AssayVideo("c", (1.0,), (3,), (0,))
    assert assay([blind, STEADY])["ledger"].mae == pytest.approx(3 / 4)


def test_one_video_cannot_be_swapped() -> None:
    with pytest.raises(InvalidInput, match="expected at least two videos"):
        assay([STEADY])


def test_queries_come_in_order_and_complete() -> None:
    with pytest.raises(InvalidInput, match="ascending"):
        AssayVideo("d", (2.0, 1.0), (1, 1), (1, 1))
    with pytest.raises(InvalidInput, match="expected a true count and an estimate"):
        AssayVideo("d", (2.0,), (1, 1), (1,))
