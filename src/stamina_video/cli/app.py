"""Puts the commands together, and turns what goes wrong into one line and an exit code."""

import logging
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

import stamina_video
from stamina_video.cli import (
    ask,
    capacity,
    compare,
    count,
    data,
    demo,
    diagnose,
    evaluate,
    experiment,
    explain,
    ledger,
    model,
    report,
    score,
    train,
    weights,
    world,
)
from stamina_video.semantics import StaminaError

app = typer.Typer(
    name="stamina",
    help="Counts in a video while it plays, and can say why.",
    add_completion=False,
    rich_markup_mode=None,
)
app.command("count")(count.count)
app.command("ask")(ask.ask)
app.command("demo")(demo.demo)
app.command("experiment")(experiment.experiment)
app.command("explain")(explain.explain)
app.command("capacity")(capacity.capacity)
app.command("diagnose")(diagnose.diagnose)
app.command("compare")(compare.compare)
app.command("report")(report.report)
app.command("train")(train.train)
app.add_typer(data.app, name="data")
app.add_typer(evaluate.app, name="evaluate")
app.add_typer(ledger.app, name="ledger")
app.add_typer(model.app, name="model")
app.add_typer(score.app, name="score")
app.add_typer(weights.app, name="weights")
app.add_typer(world.app, name="world")


@app.callback(invoke_without_command=True)
def stamina(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log what happens to standard error.")] = False,
) -> None:
    if version:
        print(f"stamina {stamina_video.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.INFO if verbose else logging.WARNING,
        format="%(levelname)s %(message)s",
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command. Bad input ends with exit code 2 and one line, never a traceback."""
    try:
        code = app(args=arguments, standalone_mode=False)
    except (typer.TyperException, StaminaError) as error:
        code = _refuse(error)
    except OSError as error:
        code = _refuse(_in_words(error))
    except (typer.Abort, KeyboardInterrupt):
        print("stamina: stopped", file=sys.stderr)
        code = 130
    sys.exit(code or 0)


def _in_words(error: OSError) -> StaminaError:
    where = f"{error.filename}: " if error.filename else ""
    return StaminaError(f"{where}expected to read or write it, got {error.strerror or error}")


def _refuse(error: Exception) -> int:
    message = error.format_message() if isinstance(error, typer.TyperException) else str(error)
    print(f"stamina: {' '.join(message.split())}", file=sys.stderr)
    return 2
