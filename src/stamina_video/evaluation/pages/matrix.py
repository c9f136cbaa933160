"""Figures with their intervals as a matrix: a row per group, a cell per metric, each with a small drawing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from stamina_video.evaluation.bootstrap import Contrast, Figure
from stamina_video.evaluation.diagnostic_tables import PLAIN
from stamina_video.evaluation.results import OVERALL, Result
from stamina_video.evaluation.tables import NOTHING

WIDTH, HEIGHT = 110, 12


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure in words; `look` says whether an interval lies above or below zero."""

    value: str
    interval: str = ""
    drawing: Markup | str = ""
    look: str = ""
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One group's cells and how many rows are in it."""

    group: str
    size: str
    cells: tuple[Cell, ...]


def figure_matrix(result: Result, figures: Sequence[Figure]) -> list[Line]:
    """Rates in percent on a scale from 0 to 100; other figures on one to the largest of their column."""
    cells = {}
    for figure in figures:
        if figure.value is None or figure.low is None or figure.high is None:
            cells[figure.name, figure.metric] = Cell(NOTHING)
            continue
        top = _largest(figures, figure.metric) if figure.metric in PLAIN else 1.0
        cells[figure.name, figure.metric] = Cell(
            shown(figure.value, figure.metric),
            f"{shown(figure.low, figure.metric)} – {shown(figure.high, figure.metric)}",
            drawn(figure.low, figure.value, figure.high, (0.0, top)),
        )
    return _lines(result, cells)


def contrast_matrix(result: Result, contrasts: Sequence[Contrast]) -> list[Line]:
    """What B adds, on a scale around zero that all of a metric's groups share."""
    cells = {}
    for one in contrasts:
        if one.difference is None or one.low is None or one.high is None:
            cells[one.name, one.metric] = Cell(NOTHING)
            continue
        reach = _reach(contrasts, one.metric)
        cells[one.name, one.metric] = Cell(
            shown(one.difference, one.metric, "+"),
            f"{shown(one.low, one.metric, '+')} to {shown(one.high, one.metric, '+')}",
            drawn(one.low, one.difference, one.high, (-reach, reach)),
            "above" if one.low > 0 else "below" if one.high < 0 else "",
            f"{shown(one.a or 0.0, one.metric)} → {shown(one.b or 0.0, one.metric)}",
        )
    return _lines(result, cells)


def shown(value: float, metric: str, sign: str = "") -> str:
    return f"{value:{sign}.2f}" if metric in PLAIN else f"{100 * value:{sign}.1f}"


def drawn(low: float, value: float, high: float, bounds: tuple[float, float]) -> Markup:
    """A dot and its interval between bounds, with a line at zero."""

    def x(number: float) -> float:
        share = (number - bounds[0]) / ((bounds[1] - bounds[0]) or 1.0)
        return round(4 + min(max(share, 0.0), 1.0) * (WIDTH - 8), 1)

    middle, right = HEIGHT / 2, WIDTH - 4
    return Markup(
        f'<svg class="interval" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'aria-hidden="true"><path class="scale" d="M4 {middle}H{right}M{x(0.0)} 1V{HEIGHT - 1}"/>'
        f'<path class="reach" d="M{x(low)} {middle}H{x(high)}"/>'
        f'<circle cx="{x(value)}" cy="{middle}" r="3.2"/></svg>'
    )


def _lines(result: Result, cells: Mapping[tuple[str, str], Cell]) -> list[Line]:
    sizes = {OVERALL: len(result.rows)}
    for row in result.rows:
        sizes[row.group] = sizes.get(row.group, 0) + 1
    names = dict.fromkeys(name for name, _ in cells)
    return [
        Line(name, str(sizes.get(name, "")), tuple(cells[name, metric] for metric in result.metrics))
        for name in names
    ]


def _largest(figures: Sequence[Figure], metric: str) -> float:
    return max((figure.high or 0.0 for figure in figures if figure.metric == metric), default=1.0)


def _reach(contrasts: Sequence[Contrast], metric: str) -> float:
    ends = (abs(end or 0.0) for one in contrasts if one.metric == metric for end in (one.low, one.high))
    return max(ends, default=0.0) or 1.0
