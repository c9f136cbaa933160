from dataclasses import replace
from typing import Any

import pytest

from stamina_video.data.perception import fit as fitting
from stamina_video.data.perception import fit_statistics, shipped_statistics, simulate
from stamina_video.semantics import InvalidInput
from tests.data.perception.streams import things


def test_a_detector_with_known_habits_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "ROUNDS", 5)
    quirks: dict[str, Any] = {
        "jitter": 0.05,
        "jitter_tail": 1.0,
        "clutter": 0.5,
        "duplicate": 0.05,
        "blink": 0.01,
    }
    shaky = replace(shipped_statistics(), **quirks)
    said: list[str] = []
    found = fit_statistics([simulate(things(), shaky, seed) for seed in range(6)], said.append)
    assert len(said) == 5
    assert found.observations == 6 * len(things().times_T)
    assert found.statistics.jitter > 2 * shipped_statistics().jitter
    assert found.statistics.clutter < shipped_statistics().clutter / 2
    assert found.statistics.apart <= shaky.apart + 1e-4
    rows = {row.name: row for row in found.agreements}
    row = rows["jitter of a sure box, share of its size"]
    assert row.difference == row.simulated - row.measured
    assert abs(row.difference) < 0.5 * row.measured


def test_too_little_says_nothing() -> None:
    quiet = replace(shipped_statistics(), clutter=0.0, duplicate=0.0)
    with pytest.raises(InvalidInput, match="expected at least 20 tracks"):
        fit_statistics([simulate(things(), quiet, 0)])
