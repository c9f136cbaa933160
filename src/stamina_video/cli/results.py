"""What was counted, as a table for people and a document for programs."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from stamina_video.cli.counting import Counted, Reading, TargetCount
from stamina_video.cli.output import say, show_table
from stamina_video.cli.request import Access, Request
from stamina_video.runtime import Model


def show_counted(name: str, counted: Counted) -> None:
    windowed = any(reading.since is not None for row in counted.targets for reading in row.readings)
    show_table(
        name,
        ("Target", "Operator", *(["Since (s)"] if windowed else []), "At (s)", "Count"),
        (
            (row.target.description, row.target.operator, *_cells(reading, windowed))
            for row in counted.targets
            for reading in row.readings
        ),
    )
    for warning, concerned in _by_warning(counted.targets).items():
        whose = "" if len(concerned) == len(counted.targets) else f"{', '.join(concerned)}: "
        say(f"warning: {whose}{warning}")


def _cells(reading: Reading, windowed: bool) -> list[str]:
    since = [] if not windowed else ["" if reading.since is None else f"{reading.since:g}"]
    shown = str(reading.count) if reading.since is None else f"{reading.count:+d}"
    if reading.entries is not None:
        shown += f" ({reading.entries} came)"
    return [*since, f"{reading.at:g}", shown]


def _by_warning(rows: Sequence[TargetCount]) -> dict[str, list[str]]:
    """Each warning once, with whom it concerns: a gap concerns all."""
    concerned: dict[str, list[str]] = {}
    for row in rows:
        for warning in row.warnings:
            concerned.setdefault(warning, []).append(row.target.description)
    return concerned


def counted_document(name: str, model: Model, request: Request, counted: Counted) -> dict[str, Any]:
    rate = {"frames": request.frames} if request.access is Access.FULL else {"fps": request.fps}
    return {
        "video": name,
        "model": model.name,
        "fingerprint": model.fingerprint,
        "access": request.access,
        **rate,
        "observations": counted.observations,
        "end": counted.end,
        "interrupted": counted.interrupted,
        "targets": [_target_document(row) for row in counted.targets],
    }


def _target_document(row: TargetCount) -> dict[str, Any]:
    running = accumulate(commit.delta for commit in row.commits)
    return {
        "target": row.target.description,
        "operator": row.target.operator,
        "scope": row.target.scope,
        "answers": [_reading_document(reading) for reading in row.readings],
        "commits": [
            {
                "time": commit.time,
                "kind": commit.kind,
                "delta": commit.delta,
                "count": count,
                "observation": commit.observation,
                "evidence": commit.evidence,
            }
            for commit, count in zip(row.commits, running, strict=True)
        ],
        "facts": [
            {"time": fact.time, "kind": fact.kind, "observation": fact.observation, "evidence": fact.evidence}
            for fact in row.facts
        ],
        "capacity": row.capacity,
        "warnings": list(row.warnings),
    }


def _reading_document(reading: Reading) -> dict[str, Any]:
    document = {"at": reading.at, "since": reading.since, "count": reading.count, "entries": reading.entries}
    return {name: value for name, value in document.items() if value is not None}
