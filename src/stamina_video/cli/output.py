"""How results reach people and programs: a table to read, or one JSON document."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON document on standard output and nothing else there.")
]


def emit(document: Any) -> None:
    """One JSON document on standard output."""
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def show_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table for reading; columns of numbers align right."""
    cells = [[str(cell) for cell in row] for row in rows]
    table = Table(title=Text(title), title_justify="left")
    for index, column in enumerate(columns):
        numeric = bool(cells) and all(row[index][:1] in "+-–0123456789" for row in cells)
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))  # as it is written: a name in brackets is not markup
    Console().print(table)


def say(line: str) -> None:
    """Progress and remarks, on standard error."""
    print(line, file=sys.stderr)
