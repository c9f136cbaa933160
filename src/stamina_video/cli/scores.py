"""The table of a run on SVCBench, and the control it may be scored under: for `score` and `evaluate`."""

from typing import Annotated

import typer

from stamina_video.cli.output import say, show_table
from stamina_video.evaluation import Control, Result, percent, score_document

Controlled = Annotated[
    Control | None,
    typer.Option(help="Score what would be read if the counts were cleared, delayed or swapped."),
]


def show_scores(result: Result) -> None:
    """Figures per operator and overall; other ways of reading an answer stand below them."""
    document = score_document(result)
    groups = document["by_operator"] | {"Overall": document["overall"]}
    seeds = document["overall"]["seeds"]
    show_table(
        f"SVCBench: {result.name}, {seeds} {'seed' if seeds == 1 else 'seeds'} (%)",
        ("Operator", "Questions", "Invalid", "GPA", "MoC", "UDA", "UDA, changes"),
        (
            (group, row["questions"], row["invalid"], *(percent(row[metric]) for metric in result.metrics))
            for group, row in groups.items()
        ),
    )
    for operator, row in document["by_operator"].items():
        for way, gpa in row.get("gpa_by_read", {}).items():
            say(f"{operator} read as {way}: GPA {percent(gpa)}")
