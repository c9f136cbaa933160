"""`stamina report RUN`: a scored run as a page to look at."""

from pathlib import Path
from typing import Annotated

import typer

from stamina_video.cli.destinations import check_writable
from stamina_video.cli.output import say
from stamina_video.evaluation import Result, read_result
from stamina_video.semantics import InvalidInput

PAGES = (".html", ".htm")

Videos = Annotated[
    Path | None,
    typer.Option(help="Folder of the videos, for pictures; where the run says it is if left out."),
]


def report(
    run: Annotated[Path, typer.Argument(help="Run directory or result file.")],
    out: Annotated[Path, typer.Option(help="The HTML page; its tables go beside it as Markdown.")] = Path(
        "report.html"
    ),
    videos: Videos = None,
) -> None:
    """Write a run as one HTML page: tables, intervals, trajectories, and the frames where it errs."""
    result = read_result(run)
    check_writable("--out", out, PAGES)
    # Imported here: other commands start without a template engine or a video decoder.
    from stamina_video.evaluation.pages import write_run  # noqa: PLC0415

    tables = write_run(result, out, videos_of(result, videos))
    say(f"page: {out}, tables: {tables}")


def videos_of(result: Result, given: Path | None) -> Path | None:
    """The folder to take pictures from: the given one, or the run's own if it is still there."""
    if given is not None:
        if not given.is_dir():
            raise InvalidInput(f"expected a folder of videos, got {str(given)!r}")
        return given
    named = result.settings.get("videos")
    return Path(named) if isinstance(named, str) and Path(named).is_dir() else None
