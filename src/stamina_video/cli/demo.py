"""`stamina demo`: a rendered packing scene, counted live, with the truth beside it."""

from pathlib import Path
from typing import Annotated

import typer

from stamina_video.cli.output import Json

STOPPED = 130


def demo(
    out: Annotated[Path, typer.Option(help="Folder for the video, the ledger and the page.")] = Path(
        "stamina-demo"
    ),
    model: Annotated[str, typer.Option(help="A shipped model's name, or the folder of one.")] = "nano",
    as_json: Json = False,
) -> None:
    """Render a packing scene, count it live beside its truth, and write a page with the evidence."""
    out.mkdir(parents=True, exist_ok=True)
    # Imported here: torch takes seconds to load, which other commands need not wait for.
    from stamina_video.cli.demonstration import demonstrate  # noqa: PLC0415

    if not demonstrate(out, model, as_json):
        raise typer.Exit(STOPPED)
