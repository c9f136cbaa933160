"""From what was counted to the curves of a picture."""

from collections.abc import Sequence
from pathlib import Path

from stamina_video.cli.counting import Counted, TargetCount
from stamina_video.cli.plot import Curve, plot_counts
from stamina_video.cli.wording import in_full
from stamina_video.semantics import Commit, Kind


def plot_counted(path: Path, title: str, counted: Counted, asked: Sequence[float]) -> None:
    """Write the counts over time as a picture, with the answers marked where they were asked for."""
    gaps = {fact.evidence_id: fact for row in counted.targets for fact in row.facts if fact.kind is Kind.GAP}
    plot_counts(
        path,
        title,
        [_curve(row, counted.end, asked) for row in counted.targets],
        list(gaps.values()),
        counted.end,
    )


def _curve(row: TargetCount, end: float, asked: Sequence[float]) -> Curve:
    marked = [
        (reading.at, str(reading.count) if reading.since is None else f"{reading.count:+d}")
        for reading in row.readings
        if reading.at in asked and reading.at <= end
    ]
    doubts = [fact.time for fact in row.facts if fact.kind is not Kind.GAP]
    note = _note(row.facts, row.commits, row.capacity)
    return Curve(in_full(row.target), row.commits, doubts, note, marked)


def _note(facts: Sequence[Commit], commits: Sequence[Commit], capacity: int | None) -> str:
    """What limits the count; the full sentences are printed beside the picture."""
    gaps = sum(fact.kind is Kind.GAP for fact in facts)
    notes = [f"{gaps} {'gap' if gaps == 1 else 'gaps'}"] if gaps else []
    for kind in (Kind.OVERFLOW, Kind.RETRIEVAL_MISS):
        if times := sum(fact.kind is kind for fact in facts):
            notes.append(f"{times} × {kind}")
    if capacity is not None and len(commits) >= capacity:
        notes.append(f"at its ceiling of {capacity}")
    return " · ".join(notes)
