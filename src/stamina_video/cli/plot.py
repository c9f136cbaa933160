"""Draws counts over time: steps, the commits that made them, and the stretches nobody saw."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure

from stamina_video.semantics import Commit

COLOURS = ("#1f6f8b", "#c8553d", "#588157", "#7b2d8b")  # told apart in print and by most eyes


@dataclass(frozen=True, slots=True)
class Curve:
    """One running count: a label and its changes in order of time."""

    label: str
    commits: Sequence[Commit]

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
    for panel, curve, colour in zip(panels, curves, COLOURS, strict=False):
        times, counts = curve.steps(end)
        panel.step(times, counts, where="post", color=colour, linewidth=1.8)
        panel.plot(times[1:-1], counts[1:-1], "o", color=colour, markersize=4)
        for gap in gaps:
            panel.axvspan(gap.evidence.get("since", gap.time), gap.time, color="#999999", alpha=0.25)
        panel.set_title(curve.label, loc="left", fontsize=10)
        panel.set_ylim(-0.3, max(counts) + 0.8)
        panel.yaxis.get_major_locator().set_params(integer=True)
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(axis="y", alpha=0.3)
    panels[-1].set_xlabel("seconds" + (" (grey: not observed)" if gaps else ""))
    panels[-1].set_xlim(0, end)
    figure.suptitle(title, x=0.01, ha="left", fontsize=12)
    figure.savefig(path, dpi=120)
