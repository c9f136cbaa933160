from pathlib import Path

import pytest
from matplotlib.image import imread

from stamina_video.cli.plot import COLOURS, Curve, plot_counts
from stamina_video.semantics import Commit


def commits(number: int) -> list[Commit]:
    return [Commit("s", "t", "event", 1, step, float(step), f"e{step}") for step in range(number)]


def test_steps_run_from_the_origin_to_the_end() -> None:
    assert Curve("t", commits(2)).steps(5.0) == ([0.0, 0.0, 1.0, 5.0], [0, 1, 2, 2])


@pytest.mark.parametrize("number", [1, 2, len(COLOURS) + 2])
def test_every_curve_gets_a_panel(number: int, tmp_path: Path) -> None:
    path = tmp_path / "counts.png"
    plot_counts(path, "t", [Curve(f"t{place}", commits(3)) for place in range(number)], [], 5.0)
    assert imread(path).shape[0] == pytest.approx(120 * (1.2 + 1.7 * number), abs=2)


@pytest.mark.parametrize("end", [0.0, 5.0])
def test_nothing_counted_is_drawn_too(end: float, tmp_path: Path) -> None:
    plot_counts(tmp_path / "counts.svg", "t", [Curve("t", [])], [], end)
    assert "<svg" in (tmp_path / "counts.svg").read_text()


def test_a_gap_without_length_is_drawn(tmp_path: Path) -> None:
    pictures = []
    for since in (2.0, 1.0, None):
        gaps = [] if since is None else [Commit("s", "", "gap", 0, 2, 2.0, "g", {"since": since})]
        plot_counts(tmp_path / "counts.png", "t", [Curve("t", commits(3))], gaps, 5.0)
        pictures.append(imread(tmp_path / "counts.png"))
    at_once, lasting, none = pictures
    assert (at_once != none).any()
    assert (lasting != at_once).any()
