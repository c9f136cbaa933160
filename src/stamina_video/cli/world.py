"""`stamina world`: simulated videos with exact truth."""

import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from stamina_video.cli.output import Json, emit, say, show_table

app = typer.Typer(help="Simulated videos with exact truth.")

COMPARED = 240  # rows of compressed pictures that are compared with real ones
SECONDS, PICTURES = 12.0, 4  # of every scene whose distance from real video is measured


@app.callback()
def world() -> None:
    """Simulated videos with exact truth."""


@app.command()
def make(
    out: Annotated[Path, typer.Option(help="Folder for annotations.jsonl and videos/.")],
    seed: Annotated[int, typer.Option(help="The same seed makes the same videos.")] = 0,
    videos: Annotated[int, typer.Option(help="How many videos the folder shall hold.")] = 40,
    split: Annotated[
        str,
        typer.Option(
            help="train, varied (any colour), assorted (more kinds of things), "
            "or unseen: held-out nouns, colours and families."
        ),
    ] = "train",
    seconds: Annotated[float | None, typer.Option(help="Length of every video; 15 to 45 by default.")] = None,
    lines: Annotated[int | None, typer.Option(help="Height of every video; 480 pixels by default.")] = None,
    workers: Annotated[int, typer.Option(help="Videos made at the same time.")] = 2,
    as_json: Json = False,
) -> None:
    """Render scenes and write their questions in SVCBench's format; what is already there is kept."""
    # Imported here: the renderer's compiler takes a second to load, which other commands need not wait for.
    from stamina_video.data.world.maker import Recipe, make_world, plans  # noqa: PLC0415

    recipe = Recipe(seed, split, seconds) if lines is None else Recipe(seed, split, seconds, lines)
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


@app.command()
def fit(
    clips: Annotated[Path, typer.Option(help="Folder with real videos, at any depth.")],
    out: Annotated[Path | None, typer.Option(help="Write the fitted statistics here (JSON).")] = None,
    as_json: Json = False,
) -> None:
    """Fit simulated perception to the frozen detector's reports of real clips, and print how well it fits."""
    from stamina_video.cli.clips import clips_in, watched  # noqa: PLC0415
    from stamina_video.data.perception import RATE, fit_statistics  # noqa: PLC0415

    found = fit_statistics(list(watched(clips_in(clips), RATE)), say)
    if out is not None:
        found.statistics.write(out)
        say(f"the statistics are in {out}")
    if as_json:
        emit(
            {
                "streams": found.streams,
                "observations": found.observations,
                "tracks": found.tracks,
                "agreements": [asdict(agreement) for agreement in found.agreements],
            }
        )
        return
    show_table(
        f"{found.tracks} tracks in {found.observations} observations of {found.streams} clips",
        ("Statistic", "Measured", "Simulated", "Difference"),
        (
            (a.name, f"{a.measured:.3f}", f"{a.simulated:.3f}", f"{a.difference:+.3f}")
            for a in found.agreements
        ),
    )


@app.command()
def distance(
    clips: Annotated[Path, typer.Option(help="Folder with real videos, at any depth.")],
    scenes: Annotated[int, typer.Option(help="Scenes rendered of every family.")] = 5,
    seed: Annotated[int, typer.Option(help="The same seed renders the same scenes.")] = 0,
    as_json: Json = False,
) -> None:
    """Measure how far rendered pictures lie from real ones to the pretrained encoder."""
    from stamina_video.cli.clips import clips_in, featured, pictures  # noqa: PLC0415
    from stamina_video.data.likeness import distance as apart  # noqa: PLC0415
    from stamina_video.data.likeness import halves  # noqa: PLC0415
    from stamina_video.data.world import family_names, make_scene  # noqa: PLC0415
    from stamina_video.data.world.videos import delivered  # noqa: PLC0415

    real = [(clip.name, picture) for clip in clips_in(clips) for picture in pictures(clip, PICTURES)]
    times = [SECONDS * (k + 0.5) / PICTURES for k in range(PICTURES)]
    names, rendered, compressed = [], [], []
    for family in family_names("train"):
        for number in range(scenes):
            scene = make_scene(family, seed + number, "train", SECONDS)
            names += [f"{family}-{number}"] * PICTURES
            rendered += [scene.frame(time, scene.size(224)) for time in times]
            compressed += list(delivered(scene, times, COMPARED))
        say(f"rendered {family}")
    real_names, real_images = zip(*real, strict=True)
    real_N = featured(real_images)
    rows = {
        "rendered against real": apart(featured(rendered), names, real_N, real_names),
        "rendered and compressed against real": apart(featured(compressed), names, real_N, real_names),
        "real against real (halves)": halves(real_N, real_names),
    }
    if as_json:
        emit({name: asdict(row) for name, row in rows.items()})
        return
    show_table(
        f"{len(rendered)} rendered and {len(real)} real pictures",
        ("Sets", "Fréchet", "Means", "Told apart"),
        ((name, f"{r.frechet:.3f}", f"{r.means:.3f}", f"{r.told_apart:.1%}") for name, r in rows.items()),
    )


@app.command()
def sheet(
    out: Annotated[Path, typer.Option(help="Picture to write (PNG).")],
    families: Annotated[list[str] | None, typer.Option("--family", help="Which families; all.")] = None,
    scenes: Annotated[int, typer.Option(help="Scenes of every family, one a row.")] = 1,
    moments: Annotated[int, typer.Option(help="Moments of every scene, from left to right.")] = 5,
    seed: Annotated[int, typer.Option(help="The same seed draws the same sheet.")] = 0,
) -> None:
    """Draw a sample sheet: scenes as rows, moments as columns."""
    from stamina_video.data.world.sheets import write_sheet  # noqa: PLC0415

    write_sheet(out, families, scenes, moments, seed)
    say(f"the sheet is in {out}")
