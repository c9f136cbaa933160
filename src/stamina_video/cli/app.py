"""Puts the commands together, and turns what goes wrong into one line and an exit code."""

import logging
import sys
from collections.abc import Sequence
from typing import Annotated

import click
import typer

import stamina_video
from stamina_video.cli import capacity, demo, explain, ledger
from stamina_video.semantics import StaminaError

app = typer.Typer(
    name="stamina",
    help="Counts in a video while it plays, and can say why.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
app.command("demo")(demo.demo)
app.command("explain")(explain.explain)
app.command("capacity")(capacity.capacity)
app.add_typer(ledger.app, name="ledger")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"stamina {stamina_video.__version__}")
        raise typer.Exit


@app.callback()
def stamina(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and leave.", callback=_print_version, is_eager=True
        ),
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log what happens to standard error.")] = False,
) -> None:
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.INFO if verbose else logging.WARNING,
        format="%(levelname)s %(message)s",
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command. Bad input ends with exit code 2 and one line, never a traceback."""
    try:
        code = app(args=arguments, standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as help_text:
        print(help_text.format_message())
        code = 0
    except (click.ClickException, StaminaError) as error:
        code = _refuse(error)
    except click.Abort:
        print("stamina: stopped", file=sys.stderr)
        code = 130
    sys.exit(code or 0)


def _refuse(error: Exception) -> int:
    message = error.format_message() if isinstance(error, click.ClickException) else str(error)
    print(f"stamina: {' '.join(message.split())}", file=sys.stderr)
    return 2
