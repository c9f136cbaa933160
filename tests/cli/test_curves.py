from pathlib import Path

import pytest
from matplotlib.image import imread

from stamina_video.cli import curves
from stamina_video.cli.counting import Counted, Reading, TargetCount
from stamina_video.cli.curves import plot_counted
from stamina_video.cli.plot import Curve
from stamina_video.semantics import Commit, Target

SWING = Target("swing", "E2-Periodic")
COMMITS = tuple(Commit("s", "swing", "event", 1, step, float(step), f"e{step}") for step in (1, 3))
GAP = Commit("s", "", "gap", 0, 2, 2.0, "g", {"since": 1.5, "reason": "reconnected"})
CROWD = Commit("s", "swing", "overflow", 0, 3, 3.0, "o", {"slots": 4})


def counted(capacity: int, *facts: Commit) -> Counted:
    readings = (Reading(2.0, 1), Reading(9.0, 2))
    rows = (TargetCount(SWING, readings, COMMITS, facts, capacity, ()),) * 2
    return Counted(rows, observations=5, end=4.0)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[Curve], list[Commit]]]:
    calls: list[tuple[list[Curve], list[Commit]]] = []

    def keep(path: Path, title: str, curves: list[Curve], gaps: list[Commit], end: float) -> None:
        calls.append((curves, gaps))

    monkeypatch.setattr(curves, "plot_counts", keep)
    return calls


def test_a_curve_says_what_limits_it(drawn: list[tuple[list[Curve], list[Commit]]]) -> None:
    plot_counted(Path("p.png"), "t", counted(2, GAP, CROWD), asked=(2.0, 9.0))
    (curve, _), gaps = drawn[0]
    assert curve.label == "swing: completed so far (E2-Periodic)"
    assert curve.note == "1 gap · 1 × overflow · at its ceiling of 2"
    assert curve.doubts == [3.0]
    assert gaps == [GAP], "a gap of the whole stream is drawn once"


def test_answers_are_marked_where_they_were_asked_for(
    drawn: list[tuple[list[Curve], list[Commit]]],
) -> None:
    plot_counted(Path("p.png"), "t", counted(7), asked=(2.0, 9.0))
    plot_counted(Path("p.png"), "t", counted(7), asked=())
    (asked, _), _ = drawn[0]
    (unasked, _), _ = drawn[1]
    assert asked.readings == [(2.0, "1")], "what lies beyond the end has no place"
    assert unasked.readings == []
    assert asked.note == ""


def test_gaps_and_overflows_are_visible(tmp_path: Path) -> None:
    plain, marked = tmp_path / "plain.png", tmp_path / "marked.png"
    plot_counted(plain, "t", counted(7), asked=())
    plot_counted(marked, "t", counted(7, GAP, CROWD), asked=())
    orange = [
        (abs(imread(path)[..., :3] - (208 / 255, 135 / 255, 0)).sum(axis=-1) < 0.05)
        for path in (plain, marked)
    ]
    assert not orange[0].any()
    assert orange[1].sum() > 20
