"""`stamina experiment`: the paper's experiments and what nano is made of, one page each."""

from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from stamina_video.cli.extras import extras
from stamina_video.cli.output import Json, emit, say
from stamina_video.semantics import InvalidInput


class Name(StrEnum):
    MECHANISM = "mechanism"
    IDENTITY = "identity"
    ACCESS = "access"
    READOUT = "readout"
    DATA = "data"
    COMPONENTS = "components"
    PREDICATES = "predicates"
    SCALE = "scale"
    TOKENS = "tokens"
    FOLDS = "folds"
    PARTS = "parts"


LEARNED_ANEW = {Name.FOLDS, Name.PARTS}  # their events, by a model that has learned


def experiment(
    name: Annotated[Name, typer.Argument(help="Which experiment.")],
    out: Annotated[Path, typer.Option(help="Folder for report.md and report.json.")],
    model: Annotated[
        str | None,
        typer.Option(help="Trained compact model whose features are frozen; its untrained start by default."),
    ] = None,
    cache: Annotated[
        Path | None, typer.Option(help="Folder for what the eyes saw; the user's cache by default.")
    ] = None,
    data: Annotated[
        list[Path] | None, typer.Option(help="Folder that the model learned from, for folds and parts.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A few short scenes: that it runs, not what it finds.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Train heads on frozen features of simulated scenes, and compare what comes out with the paper."""
    # Imported here: torch and the renderer take seconds to load, which other commands need not wait for.
    with extras("for experiments"):
        from stamina_video.cli.experiments.opening import opened  # noqa: PLC0415

        chosen = import_module(f"stamina_video.cli.experiments.{name}")
    if name in LEARNED_ANEW and model is None:
        raise InvalidInput(f"expected --model with a trained compact model for {name}, got none")
    ground = opened(model, cache, quick, say, data or [])
    page = chosen.run(ground)
    page.write(out)
    if as_json:
        emit(page.document())
        return
    for finding in page.findings:
        say(f"{'agrees' if finding.agrees else 'differs'}: {finding.ours} Paper: {finding.paper}")
    say(f"the report is in {out / 'report.md'}")
