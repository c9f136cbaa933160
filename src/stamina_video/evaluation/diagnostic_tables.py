"""The diagnostic tables of the paper with a measured row: event decisions, object errors, identities."""

from collections.abc import Sequence

from stamina_video.evaluation.published import (
    EVENT_COLUMNS,
    EVENTS,
    IDENTITIES,
    IDENTITY_COLUMNS,
    OBJECT_COLUMNS,
    OBJECTS,
)
from stamina_video.evaluation.results import OVERALL, Result
from stamina_video.evaluation.tables import MEASURED, PUBLISHED, Cells, Table, percent, plain

PLAIN = {"nll", "delay", "acceptance_delay", *OBJECT_COLUMNS}  # everything else is a rate


def diagnostic_tables(results: Sequence[Result]) -> list[Table]:
    """Those of the three tables for which any result has a figure."""
    parts = (
        ("Event decisions", "Phase input, objective", EVENT_COLUMNS, EVENTS, 2),
        ("Object counts", "Identity loss, stratum", OBJECT_COLUMNS, OBJECTS, 2),
        ("Identities", "Identity loss", IDENTITY_COLUMNS, IDENTITIES, 1),
    )
    tables = []
    for title, setting, columns, published, names in parts:
        measured = [row for result in results for row in _measured(result, columns)]
        if measured:
            reported = (_reported(row, columns, names) for row in published)
            header = ("Run", setting, "Source", *columns)
            tables.append(Table(header, (*reported, *measured), title=title))
    return tables


def _reported(row: Sequence[str | float], columns: Sequence[str], names: int) -> Cells:
    figures = zip(columns, row[names:], strict=True)
    shown = (f"{figure:.2f}" if column in PLAIN else f"{figure:.1f}" for column, figure in figures)
    setting = ", ".join(map(str, row[:names])).replace("$\\lambda_i=0$", "λᵢ = 0")
    return "paper, 8B", setting, PUBLISHED, *shown


def _measured(result: Result, columns: Sequence[str]) -> list[Cells]:
    found: list[Cells] = []
    for group, figures in result.figures().items():
        values = [figures[column] for column in columns]
        if any(value is not None for value in values) and (group != OVERALL or len(result.groups) > 1):
            shown = (
                plain(value) if column in PLAIN else percent(value)
                for column, value in zip(columns, values, strict=True)
            )
            found.append((result.name, group, MEASURED, *shown))
    return found
