"""Draws counts over time: steps, the commits that made them, and the stretches nobody saw."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from stamina_video.cli.destinations import written_whole
from stamina_video.semantics import Commit

COLOURS = ("#1f6f8b", "#c8553d", "#588157", "#7b2d8b")  # told apart in print and by most eyes
WARNING = "#d08700"


@dataclass(frozen=True, slots=True)
class Curve:
    """One running count: a label and its changes in order of time."""

    label: str
    commits: Sequence[Commit]
    doubts: Sequence[float] = ()  # when something found no place
    note: str = ""  # what limits the count, in a few words
    readings: Sequence[tuple[float, str]] = ()  # moments that were asked for, and the answers

    def steps(self, end: float) -> tuple[list[float], list[int]]:
        times, counts = [0.0], [0]
        for commit in self.commits:
            times.append(commit.time)
            counts.append(counts[-1] + commit.delta)
        return [*times, end], [*counts, counts[-1]]


def plot_counts(path: Path, title: str, curves: Sequence[Curve], gaps: Sequence[Commit], end: float) -> None:
    """Write the curves as a picture, one panel each over a shared clock."""
    figure = Figure(figsize=(9, 1.2 + 1.7 * len(curves)), layout="constrained")
    panels = figure.subplots(len(curves), 1, sharex=True, squeeze=False)[:, 0]
    for panel, curve, colour in zip(panels, curves, cycle(COLOURS), strict=False):
        _draw(panel, curve, colour, end)
        for gap in gaps:
            _shade(panel, gap)
    legend = ["grey: not observed"] if gaps else []
    legend += ["▲: overflow"] if any(curve.doubts for curve in curves) else []
    panels[-1].set_xlabel("seconds" + (f" ({', '.join(legend)})" if legend else ""))
    panels[-1].set_xlim(0, end or 1.0)
    figure.suptitle(title, x=0.01, ha="left", fontsize=12)
    with written_whole(path) as draft:
        figure.savefig(draft, dpi=120)


def _draw(panel: Any, curve: Curve, colour: str, end: float) -> None:
    times, counts = curve.steps(end)
    highest = max(counts)
    panel.step(times, counts, where="post", color=colour, linewidth=1.8)
    panel.plot(times[1:-1], counts[1:-1], "o", color=colour, markersize=4)
    if curve.doubts:
        panel.plot(curve.doubts, [0] * len(curve.doubts), "^", color=WARNING, markersize=6, clip_on=False)
    for at, answer in curve.readings:
        panel.axvline(at, color="#555555", linewidth=0.8, linestyle=":")
        _say_beside(panel, at, answer)
    panel.set_title(curve.label, loc="left", fontsize=10)
    panel.set_title(curve.note, loc="right", fontsize=9, color=WARNING)
    panel.set_ylim(-0.06 * (highest + 1), 1.15 * (highest + 1) - 0.3)
    panel.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True, min_n_ticks=1))
    panel.spines[["top", "right"]].set_visible(False)
    panel.grid(axis="y", alpha=0.3)


def _say_beside(panel: Any, at: float, answer: str) -> None:
    said = panel.annotate(
        answer,
        (at, 1),
        (-3, -2),
        ("data", "axes fraction"),
        "offset points",
        va="top",
        ha="right",
        fontsize=10,
        color="#333333",
    )
    said.set_in_layout(False)  # it stands inside the panel


def _shade(panel: Any, gap: Commit) -> None:
    start = gap.evidence.get("since", gap.time)
    if start == gap.time:
        panel.axvline(gap.time, color="#999999", alpha=0.5, linewidth=2)
    else:
        panel.axvspan(start, gap.time, color="#999999", alpha=0.25)
