"""Tables in the paper's shape: published rows and measured ones, each marked as what it is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stamina_video.evaluation.published import OPERATORS, SVCBENCH, TRANSFER
from stamina_video.evaluation.results import OVERALL, Result
from stamina_video.semantics import InvalidInput

PUBLISHED = "published"
MEASURED = "measured"
NOTHING = "–"
METRIC_NAMES = {"gpa": "GPA", "moc": "MoC", "uda": "UDA", "uda_changes": "UDA, changes"}

Cells = Sequence[str]


@dataclass(frozen=True, slots=True)
class Table:
    """A header and rows of words; columns after the first few, which hold words, align right."""

    header: Cells
    rows: tuple[Cells, ...]
    words: int = 3
    title: str = ""

    def markdown(self) -> str:
        marks = [":--" if index < self.words else "--:" for index in range(len(self.header))]
        title = f"### {self.title}\n\n" if self.title else ""
        lines = (_line(self.header), f"| {' | '.join(marks)} |\n", *map(_line, self.rows))
        return title + "".join(lines)


def as_text(words: str) -> str:
    """Words as Markdown shows them: none of them becomes a cell, a tag, a link or code."""
    escaped = " ".join(words.split()).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{letter}" if letter in "\\|[`" else letter for letter in escaped)


def comparison_table(results: Sequence[Result]) -> Table:
    """The paper's rows of these results' benchmark, then a measured row per result."""
    layout = _LAYOUTS.get(results[0].benchmark)
    if layout is None:
        raise InvalidInput(
            f"expected results of {', '.join(_LAYOUTS)} for a table, got {results[0].benchmark}"
        )
    header, published, measured = layout
    return Table(header, (*published(), *map(measured, results)))


def percent(value: float | None, decimals: int = 1) -> str:
    """A fraction of one as a percentage, rounded for display only."""
    return NOTHING if value is None else f"{100 * value:.{decimals}f}"


def plain(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2f}"


def metric_name(metric: str) -> str:
    """How a metric is headed in tables."""
    return METRIC_NAMES.get(metric, metric.replace("_", " "))


def _line(cells: Cells) -> str:
    return f"| {' | '.join(map(as_text, cells))} |\n"


def _svcbench_published() -> Iterable[Cells]:
    for row in SVCBENCH:
        yield (
            row.model,
            row.access,
            PUBLISHED,
            *(f"{cell:.1f}" for cell in (*row.by_operator, row.gpa, row.moc, row.uda)),
        )


def _svcbench_measured(result: Result) -> Cells:
    figures = result.figures()
    by_operator = (figures.get(operator, {}).get("gpa") for operator in OPERATORS)
    overall = (figures[OVERALL][metric] for metric in ("gpa", "moc", "uda"))
    return *_name(result), *map(percent, (*by_operator, *overall))


def _ovobench_published() -> Iterable[Cells]:
    for row in TRANSFER:
        yield row.model, row.access, PUBLISHED, *map(plain, (*row.ovobench, row.ovobench_average))


def _ovobench_measured(result: Result) -> Cells:
    figures = result.figures()
    names = ("realtime", "backward", "forward", "total")
    return *_name(result), *(percent(figures.get(name, {}).get("official"), 2) for name in names)


def _ovos_published() -> Iterable[Cells]:
    for row in TRANSFER:
        yield row.model, row.access, PUBLISHED, *map(plain, (*row.ovos, row.ovos_average))


def _ovos_measured(result: Result) -> Cells:
    figures = result.figures()
    names = ("L1", "L2", "L3", "L4", "L-Avg")
    return *_name(result), *(percent(figures.get(name, {}).get("official"), 2) for name in names)


def _name(result: Result) -> tuple[str, str, str]:
    access = str(result.settings.get("access", NOTHING))
    return result.name, access.capitalize(), MEASURED


_MODEL = ("Model", "Access", "Source")
_LAYOUTS = {
    "svcbench": ((*_MODEL, *OPERATORS, "GPA", "MoC", "UDA"), _svcbench_published, _svcbench_measured),
    "ovobench": ((*_MODEL, "RT", "BT", "FA", "Avg."), _ovobench_published, _ovobench_measured),
    "ovos": ((*_MODEL, "L1", "L2", "L3", "L4", "L-Avg."), _ovos_published, _ovos_measured),
}
