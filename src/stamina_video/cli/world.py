"""`stamina world`: simulated videos with exact truth."""

import time
from pathlib import Path
from typing import Annotated

import typer

from stamina_video.cli.output import Json, emit, say

app = typer.Typer(help="Simulated videos with exact truth.")


@app.callback()
def world() -> None:
    """Simulated videos with exact truth."""


@app.command()
def make(
    out: Annotated[Path, typer.Option(help="Folder for annotations.jsonl and videos/.")],
    seed: Annotated[int, typer.Option(help="The same seed makes the same videos.")] = 0,
    videos: Annotated[int, typer.Option(help="How many videos the folder shall hold.")] = 40,
    split: Annotated[
        str, typer.Option(help="train, or unseen: held-out nouns, colours and families.")
    ] = "train",
    seconds: Annotated[float | None, typer.Option(help="Length of every video; 15 to 45 by default.")] = None,
    workers: Annotated[int, typer.Option(help="Videos made at the same time.")] = 2,
    as_json: Json = False,
) -> None:
    """Render scenes and write their questions in SVCBench's format; what is already there is kept."""
    # Imported here: the renderer's compiler takes a second to load, which other commands need not wait for.
    from stamina_video.data.world.maker import Recipe, make_world, plans  # noqa: PLC0415

    recipe = Recipe(seed, split, seconds)
    wanted = plans(recipe, videos, out)
    kept, started = sum(plan.done for plan in wanted), time.monotonic()
    if kept:
        say(f"{kept} of {videos} videos are there already")
    for made, name in enumerate(make_world(recipe, videos, out, workers), start=1):
        left = (videos - kept - made) * (time.monotonic() - started) / made
        say(f"{kept + made} of {videos}: {name} (about {left:.0f} s left)")
    document = {
        "annotations": str(out / "annotations.jsonl"),
        "videos": videos,
        "kept": kept,
        "split": split,
        "seed": seed,
    }
    if as_json:
        emit(document)
    else:
        say(f"{videos} videos and their questions are in {out}")
