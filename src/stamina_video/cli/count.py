"""`stamina count`: count in a video, and say when the count changed and why."""

from pathlib import Path
from typing import Annotated

import typer

from stamina_video.cli.destinations import PICTURES, check_distinct, check_writable
from stamina_video.cli.output import Json
from stamina_video.cli.request import Access, Request, asked_pace, asked_targets
from stamina_video.ledger import Ledger
from stamina_video.semantics import InvalidInput
from stamina_video.video import Recording, Video

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
    # Imported here: torch takes seconds to load, which other commands and refusals need not wait for.
    from stamina_video.cli.run import Outputs, run  # noqa: PLC0415

    if not run(request, pace, preview, model, Outputs(annotate, plot, as_json)):
        raise typer.Exit(STOPPED)


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
