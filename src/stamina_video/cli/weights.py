"""`stamina weights`: which pretrained files there are, whose they are, and bring them here."""

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TransferSpeedColumn

from stamina_video.backbone.weights import MANIFEST, Weight, fetch, kept_path, weight_of, weights_folder
from stamina_video.cli.output import Json, emit, say, show_table

app = typer.Typer(help="The pretrained files of the compact model.")


@app.command("list")
def list_weights(as_json: Json = False) -> None:
    """Show every pretrained file with its licence and origin, and whether it is here."""
    if as_json:
        emit({"folder": str(weights_folder()), "weights": [_described(weight) for weight in MANIFEST]})
        return
    show_table(
        f"Pretrained files in {weights_folder()}",
        ("Name", "Here", "MB", "Licence", "Origin", "For"),
        (
            (
                weight.name,
                "yes" if kept_path(weight).exists() else "no",
                f"{weight.size / 1e6:.1f}",
                weight.licence,
                weight.origin,
                weight.purpose,
            )
            for weight in MANIFEST
        ),
    )


@app.command("fetch")
def fetch_weights(
    names: Annotated[
        list[str] | None, typer.Argument(help="Which files; all of them if none is named.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Bring pretrained files into the cache, checked against their hashes."""
    wanted = [weight_of(name) for name in names] if names else list(MANIFEST)
    bring(wanted)
    if as_json:
        emit({"folder": str(weights_folder()), "weights": [_described(weight) for weight in wanted]})
        return
    for weight in wanted:
        say(f"{weight.name}: {kept_path(weight)}")


def bring(wanted: list[Weight]) -> None:
    """Fetch what is not here yet, with a progress bar on standard error."""
    missing = [weight for weight in wanted if not kept_path(weight).exists()]
    if not missing:
        return
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        tasks = {weight.name: progress.add_task(weight.name, total=None, start=False) for weight in missing}
        for weight in missing:
            progress.start_task(tasks[weight.name])
            fetch(weight.name, _shown_by(progress, tasks[weight.name]))
            progress.update(
                tasks[weight.name], total=weight.size, completed=weight.size, description=weight.name
            )


def _shown_by(progress: Progress, task: TaskID) -> Any:
    def report(weight: Weight, stage: str, done: int) -> None:
        total = weight.size if done else None  # a package manager does not tell how far it is
        progress.update(task, description=f"{weight.name} ({stage})", completed=done, total=total)

    return report


def _described(weight: Weight) -> dict[str, Any]:
    path = kept_path(weight)
    return {
        "name": weight.name,
        "version": weight.version,
        "purpose": weight.purpose,
        "file": weight.file,
        "sha256": weight.sha256,
        "size": weight.size,
        "licence": weight.licence,
        "origin": weight.origin,
        "official": weight.official,
        "carrier": {
            "registry": weight.carrier.registry,
            "package": weight.carrier.package,
            "version": weight.carrier.version,
            "member": weight.carrier.member,
        },
        "path": str(path) if path.exists() else None,
    }
