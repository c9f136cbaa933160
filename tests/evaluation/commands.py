"""Runs one command the way the program does: an exit code, and one line where it refuses."""

import sys

import typer

from stamina_video.semantics import StaminaError


def run(app: typer.Typer, *arguments: str) -> int:
    try:
        app(args=list(arguments), standalone_mode=False)
    except (StaminaError, typer.TyperException) as error:
        sys.stderr.write(f"stamina: {error}\n")
        return 2
    return 0
