"""How `score` and `evaluate` show a scored run, and the control they may score it under."""

from typing import Annotated

import typer

from stamina_video.cli.output import emit, say, show_table
from stamina_video.evaluation import OVERALL, Control, Result, percent, score_document

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


def show_answers(title: str, result: Result, as_json: bool) -> None:
    """Accuracy by task with the averages over them, as a table or one JSON document."""
    figures = result.figures()
    sizes = {group: sum(row.group == group for row in result.rows) for group in result.groups}
    if as_json:
        emit(
            {
                "overall": figures[OVERALL] | {"decisions": len(result.rows)},
                "averages": {average: figures[average] for average in result.averages},
                "by_task": {group: figures[group] | {"decisions": sizes[group]} for group in sizes},
                "settings": dict(result.settings),
            }
        )
        return
    names = (*sizes, *result.averages, OVERALL)
    show_table(
        f"{title}: {result.name} (%)",
        ("Task", "Decisions", *(metric.capitalize() for metric in result.metrics)),
        (
            (
                "all decisions pooled" if name == OVERALL else name,
                sizes.get(name, len(result.rows) if name == OVERALL else ""),
                *(percent(figures[name][metric], 2) for metric in result.metrics),
            )
            for name in names
        ),
    )
