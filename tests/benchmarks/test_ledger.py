import pytest

from benchmarks import ledger
from stamina_video.ledger import Ledger
from tests.benchmarks.clocks import Clock


def test_a_ratio_is_that_of_the_medians_whatever_disturbs_one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr("benchmarks.ledger.time.perf_counter", clock)
    first = clock.work([6.0] * 14 + [600.0])
    assert ledger.alternate(first, clock.work([100.0] + [4.0] * 14)) == 1.5


def test_moments_lie_within_the_ledger_and_follow_from_the_seed() -> None:
    asked = ledger.moments(800, seed=1)
    assert len(asked) == ledger.READS
    assert 0 <= min(asked) <= max(asked) <= 100
    assert asked == ledger.moments(800, seed=1) != ledger.moments(800, seed=2)


def test_a_filled_ledger_counts_what_was_filled_in() -> None:
    with Ledger.open(":memory:") as filled:
        ledger.fill(filled, 2_000)
        assert filled.count(ledger.STREAM, ledger.TARGET, 1e9) == 2_000
        assert filled.count(ledger.STREAM, ledger.TARGET, 100.0) == 801  # eight a second, from nought


def test_the_commits_of_an_observation_are_all_new() -> None:
    with Ledger.open(":memory:") as filled:
        assert sum(filled.append_all(ledger.observation(0, size=3))) == 3
        assert sum(filled.append_all(ledger.observation(1, size=3))) == 3
        assert sum(filled.append_all(ledger.observation(1, size=3))) == 0


def test_a_moved_row_differs_in_its_time_and_evidence_alone() -> None:
    record = ("stream", 1, 2.0, b"evidence")
    moved = ledger.moved(record, index=16, slot=1)
    assert moved[:-1] == ("stream", 1, 2.0)
    assert len({moved[-1], ledger.moved(record, 16, 2)[-1], ledger.moved(record, 17, 1)[-1]}) == 3
