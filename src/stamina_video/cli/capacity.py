"""`stamina capacity`: what can be reached at this observation budget."""

import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from stamina_video.cli.output import Json, emit, show_table
from stamina_video.semantics import EndpointCapacity, capacity_table, endpoint_capacities, read_questions

SHOWN = 10


def capacity(
    annotations: Annotated[Path, typer.Option(help="Questions in SVCBench's format (JSON Lines).")],
    fps: Annotated[float, typer.Option(help="Observations per second in Stream access.")] = 1.0,
    frames: Annotated[int, typer.Option(help="Most observations in Full access.")] = 64,
    as_json: Json = False,
) -> None:
    """Say how many event endpoints an observation budget could reach at best, before any model looks."""
    endpoints = endpoint_capacities(read_questions(annotations), fps, frames)
    rows = capacity_table(endpoints)
    missed = [endpoint for endpoint in endpoints if not (endpoint.in_stream and endpoint.in_full)]
    if as_json:
        emit(
            {
                "settings": {"annotations": str(annotations), "fps": fps, "frames": frames},
                "by_operator": {row.operator: asdict(row) for row in rows},
                "unreachable": [asdict(endpoint) for endpoint in missed],
            }
        )
        return
    show_table(
        "Upper bound on reachable endpoints (%)",
        ("Operator", "Endpoints", f"Full, {frames} frames", f"Stream, {fps:g} fps", "Lowest fps for all"),
        (
            (row.operator, row.endpoints, f"{row.full:.1%}", f"{row.stream:.1%}", _rate(row.lowest_fps))
            for row in rows
        ),
    )
    if missed:
        _show_missed(missed)


def _show_missed(missed: list[EndpointCapacity]) -> None:
    hardest = sorted(missed, key=lambda endpoint: endpoint.lowest_fps or float("inf"), reverse=True)
    show_table(
        f"Out of reach: {len(missed)} endpoints; the {min(SHOWN, len(missed))} that need the highest rate",
        ("Question", "Operator", "At (s)", "Count", "Full", "Stream", "Frames", "fps"),
        (
            (
                endpoint.question,
                endpoint.operator,
                f"{endpoint.at:g}",
                endpoint.count,
                endpoint.full_ceiling,
                endpoint.stream_ceiling,
                endpoint.frames_needed,
                _rate(endpoint.lowest_fps),
            )
            for endpoint in hardest[:SHOWN]
        ),
    )


def _rate(fps: float | None) -> str:
    if fps is None:
        return "none"
    # Rounded up: the rate shown must be enough.
    return "any" if fps == 0 else f"{math.ceil(fps * 1000) / 1000:.3f}"
