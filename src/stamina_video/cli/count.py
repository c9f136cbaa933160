"""`stamina count`: count in a video, and say when the count changed and why."""

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stamina_video.cli.destinations import check_distinct, check_writable
from stamina_video.cli.output import Json, emit, say, show_table
from stamina_video.cli.plot import PICTURES
from stamina_video.cli.request import Access, Request, asked_pace, asked_targets
from stamina_video.ledger import Ledger
from stamina_video.semantics import InvalidInput
from stamina_video.video import Recording, Video

if TYPE_CHECKING:
    from stamina_video.cli.counting import Counted, Reading, TargetCount
    from stamina_video.runtime import Model

MOVIES = (".mp4", ".mkv", ".mov", ".avi")
STOPPED = 130


def count(
    video: Annotated[
        str, typer.Argument(help="A file, a directory of images, a camera number, an rtsp or http address.")
    ],
    target: Annotated[list[str], typer.Option(help='What to count, in words: "red mugs". Repeatable.')],
    operator: Annotated[list[str], typer.Option(help="How to count it: one for each --target, in order.")],
    scope: Annotated[
        list[str] | None, typer.Option(help="Whose events: global or entity, one for each --target.")
    ] = None,
    at: Annotated[
        list[float] | None, typer.Option(help="Answer as of this second. Repeatable; the end if left out.")
    ] = None,
    since: Annotated[
        float | None, typer.Option(help="Start of the window of O1-Delta and O2-Gain, for every --at.")
    ] = None,
    access: Annotated[
        Access, typer.Option(help="stream: look while it plays. full: look back afresh for every --at.")
    ] = Access.STREAM,
    fps: Annotated[
        str, typer.Option(help="Observations a second in stream access; auto: what the operators need.")
    ] = "auto",
    frames: Annotated[int, typer.Option(help="Most observations a query in full access.", min=1)] = 64,
    model: Annotated[str, typer.Option(help="A shipped model's name, or the folder of one.")] = "nano",
    ledger: Annotated[
        str, typer.Option(help="Keep every commit here (a file or postgresql://) and resume from it.")
    ] = ":memory:",
    annotate: Annotated[
        Path | None, typer.Option(help="Write the video with boxes, phases and counts here.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the counts over time here.")] = None,
    as_json: Json = False,
) -> None:
    """Count in a video while it plays; every change of a count is kept with its evidence."""
    targets = asked_targets(target, operator, scope or ())
    pace = asked_pace(fps, targets)
    request = Request(
        video, targets, tuple(at or ()), since, access, pace.fps, pace.automatic, frames, ledger
    )
    _check_destinations(video, ledger, annotate, plot)
    with request.open(request.at) as preview:
        _check_fits(request, preview, annotate)
    name = video if isinstance(preview.source, Recording) else preview.stream

    # Imported here: torch takes seconds to load, which other commands and refusals need not wait for.
    from stamina_video.cli.annotate import annotate_video  # noqa: PLC0415
    from stamina_video.cli.counting import run_count  # noqa: PLC0415
    from stamina_video.cli.curves import plot_counted  # noqa: PLC0415
    from stamina_video.cli.meter import Meter, clock_bar  # noqa: PLC0415
    from stamina_video.cli.overlay import Recorder  # noqa: PLC0415
    from stamina_video.runtime import load  # noqa: PLC0415
    from stamina_video.runtime.state import check_targets  # noqa: PLC0415

    check_targets(targets)
    loaded = load(model)
    say(_looks(request, pace.reason, preview.rate))
    recorder = Recorder()
    end = _end(request, preview)
    with Meter(targets, end) as meter:
        counted = run_count(loaded, request, [meter, recorder])
    if as_json:
        emit(_document(name, loaded, request, counted))
    else:
        _show(name, counted)
    if plot is not None:
        plot_counted(plot, preview.stream, counted, request.at)
        say(f"picture: {plot}")
    if counted.interrupted:
        say(f"stopped at {counted.end:g} s; what was counted until then is kept")
        raise typer.Exit(STOPPED)
    if annotate is not None:
        with clock_bar("annotating", end) as progress:
            until = max(request.at, default=None)
            annotate_video(preview.source, annotate, recorder.overlay(counted), until, progress)
        say(f"annotated video: {annotate}")


def _check_destinations(video: str, ledger: str, annotate: Path | None, plot: Path | None) -> None:
    named = {"VIDEO": Path(video)}
    if annotate is not None:
        check_writable("--annotate", annotate, MOVIES)
        named["--annotate"] = annotate
    if plot is not None:
        check_writable("--plot", plot, PICTURES)
        named["--plot"] = plot
    if ledger != ":memory:" and "://" not in ledger:
        path = named["--ledger"] = Path(ledger)
        check_writable("--ledger", path)
        if path.exists():
            Ledger.open(path, readonly=True).close()  # refuses what is not a ledger
    check_distinct(named)


def _check_fits(request: Request, video: Video, annotate: Path | None) -> None:
    """What can only be told once the video is open."""
    if annotate is not None and not isinstance(video.source, Recording):
        raise InvalidInput(f"expected a file or a directory for --annotate, got the live {video.stream!r}")
    end = video.duration
    if request.since is not None and not request.at and end is not None and end < request.since:
        raise InvalidInput(f"expected --since before the video's end at {end:g} s, got {request.since:g}")


def _looks(request: Request, reason: str, rate: float | None) -> str:
    """Which rate, and why."""
    if request.access is Access.FULL:
        return f"observing at most {request.frames} frames for each query, spread over all before it"
    said = f"observing {request.fps:g} frames a second: {reason}"
    if rate is not None and rate < request.fps:
        return f"{said}; the video itself has {rate:g}"
    return said


def _end(request: Request, video: Video) -> float | None:
    """Where counting will stop, where that is known."""
    ends = [end for end in (max(request.at, default=None), video.duration) if end is not None]
    return min(ends, default=None)


def _show(name: str, counted: "Counted") -> None:
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


def _cells(reading: "Reading", windowed: bool) -> list[str]:
    since = [] if not windowed else ["" if reading.since is None else f"{reading.since:g}"]
    shown = str(reading.count) if reading.since is None else f"{reading.count:+d}"
    if reading.entries is not None:
        shown += f" ({reading.entries} came)"
    return [*since, f"{reading.at:g}", shown]


def _by_warning(rows: "Sequence[TargetCount]") -> dict[str, list[str]]:
    """Each warning once, with whom it concerns: a gap concerns all."""
    concerned: dict[str, list[str]] = {}
    for row in rows:
        for warning in row.warnings:
            concerned.setdefault(warning, []).append(row.target.description)
    return concerned


def _document(name: str, model: "Model", request: Request, counted: "Counted") -> dict[str, Any]:
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


def _target_document(row: "TargetCount") -> dict[str, Any]:
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
        "capacity": row.capacity,
        "warnings": list(row.warnings),
    }


def _reading_document(reading: "Reading") -> dict[str, Any]:
    document = {"at": reading.at, "since": reading.since, "count": reading.count, "entries": reading.entries}
    return {name: value for name, value in document.items() if value is not None}
