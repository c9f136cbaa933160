"""A run as sections of tables: beside the paper's rows, every figure with its interval, and the settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stamina_video.evaluation.bootstrap import Comparison, Figure, intervals
from stamina_video.evaluation.diagnostic_tables import diagnostic_tables
from stamina_video.evaluation.published import READOUT
from stamina_video.evaluation.results import OVERALL, Result
from stamina_video.evaluation.tables import (
    MEASURED,
    NOTHING,
    PUBLISHED,
    Table,
    as_text,
    comparison_table,
    percent,
)

RATED = "95 % interval over videos"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the tables under it."""

    title: str
    tables: tuple[Table, ...]

    def markdown(self) -> str:
        return f"## {as_text(self.title)}\n\n" + "\n".join(table.markdown() for table in self.tables)


def report(results: Sequence[Result], comparison: Comparison | None = None) -> str:
    """The Markdown page of a run, or of two runs and what the second adds to the first."""
    sections = beside_the_paper(results)
    if comparison is not None:
        sections.append(Section(f"{results[1].name} against {results[0].name}", (_contrasts(comparison),)))
    for result in results:
        sections.append(Section(f"Figures of {result.name}", (_figures(intervals(result)),)))
        sections.append(settings_of(result))
    return "\n".join((f"# {as_text(title_of(results))}\n", *(section.markdown() for section in sections)))


def title_of(results: Sequence[Result]) -> str:
    return f"{results[0].benchmark}: {' and '.join(result.name for result in results)}"


def beside_the_paper(results: Sequence[Result]) -> list[Section]:
    """The paper's tables with these results in them."""
    diagnosed = results[0].benchmark == "diagnosis"
    tables = diagnostic_tables(results) if diagnosed else [comparison_table(results)]
    sections = [Section("Beside the paper", tuple(tables))]
    controlled = [result for result in results if "control" in result.settings]
    if controlled:
        sections.append(Section("Readout controls", (_controls(controlled),)))
    return sections


def settings_of(result: Result) -> Section:
    rows = tuple((name, _value(value)) for name, value in result.settings.items())
    return Section(f"Settings of {result.name}", (Table(("Setting", "Value"), rows),))


def span(low: float | None, high: float | None) -> str:
    return NOTHING if low is None or high is None else f"{low:+.4f} to {high:+.4f}"


def _figures(figures: Sequence[Figure]) -> Table:
    rows = tuple(
        (figure.name, figure.metric, f"{figure.value:.4f}", f"{figure.low:.4f} to {figure.high:.4f}")
        for figure in figures
        if figure.value is not None
    )
    return Table(("Group", "Metric", "Figure", RATED), rows, words=2)


def _contrasts(comparison: Comparison) -> Table:
    rows = tuple(
        (
            one.name,
            one.metric,
            f"{one.a:.4f}",
            f"{one.b:.4f}",
            f"{one.difference:+.4f}",
            span(one.low, one.high),
        )
        for one in comparison.contrasts
        if one.difference is not None
    )
    return Table(("Group", "Metric", "A", "B", "B − A", RATED), rows, words=2)


def _controls(results: Sequence[Result]) -> Table:
    published = (
        ("StaMina-8B", control, PUBLISHED, f"{full:.1f} in Full, {stream:.1f} in Stream")
        for control, (full, stream) in READOUT.items()
    )
    measured = (
        (result.name, str(result.settings["control"]), MEASURED, percent(result.figures()[OVERALL]["gpa"]))
        for result in results
    )
    return Table(("Run", "Control", "Source", "GPA"), (*published, *measured))


def _value(value: Any) -> str:
    """A setting in words; nested ones in the order they were given."""
    match value:
        case Mapping():
            return ", ".join(f"{name}: {_value(inner)}" for name, inner in value.items())
        case list() | tuple():
            return ", ".join(map(_value, value))
    return str(value)
