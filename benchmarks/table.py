"""A benchmark's result: one row of a table, with the bar it is held to."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    what: str
    figure: str
    bar: str
    met: bool


def markdown(rows: Iterable[Row]) -> str:
    lines = ["| what | measured | bar | met |", "|---|---|---|---|"]
    lines += [f"| {row.what} | {row.figure} | {row.bar} | {'yes' if row.met else '**no**'} |" for row in rows]
    return "\n".join(lines) + "\n"
