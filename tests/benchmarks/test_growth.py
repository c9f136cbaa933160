from types import SimpleNamespace

import pytest

from benchmarks import growth
from benchmarks.growth import Pass

PAPER = Pass(queries=1_000, seconds=2.0, peak=1e9)


@pytest.mark.parametrize(
    ("grown", "said", "met"),
    [
        (Pass(10_000, 20.0, 1e9 + 9e6), ["20 s, ×1.00", "1.00 kB, 1.0 GB"], [True, True]),
        (Pass(10_000, 32.0, 1e9 + 9e6), ["32 s, ×1.60", "1.00 kB, 1.0 GB"], [False, True]),
        (Pass(10_000, 20.0, 1e9 + 54e6), ["20 s, ×1.00", "6.00 kB, 1.1 GB"], [True, False]),
    ],
)
def test_growth_is_told_per_query(grown: Pass, said: list[str], met: list[bool]) -> None:
    rows = growth._growth(PAPER, grown)
    assert [row.figure for row in rows] == said
    assert [row.met for row in rows] == met


def test_too_little_memory_is_said_and_nothing_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    little = SimpleNamespace(available=3e9)
    monkeypatch.setattr(growth, "psutil", SimpleNamespace(virtual_memory=lambda: little))
    monkeypatch.setattr(growth, "_measured", lambda times: pytest.fail("measured"))
    (row,) = growth.rows()
    assert row.figure == "not measured: expected 14 GB of free memory, got 3"
    assert not row.met
