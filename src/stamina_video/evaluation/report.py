"""A run on one Markdown page: beside the paper's rows, every figure with its interval, and the settings."""

from collections.abc import Sequence

from stamina_video.evaluation.bootstrap import Comparison, Figure, intervals
from stamina_video.evaluation.diagnostic_tables import diagnostic_tables
from stamina_video.evaluation.published import READOUT
from stamina_video.evaluation.results import OVERALL, Result
from stamina_video.evaluation.tables import (
    MEASURED,
    NOTHING,
    PUBLISHED,
    comparison_table,
    markdown,
    percent,
)

RATED = "95 % interval over videos"


def report(results: Sequence[Result], comparison: Comparison | None = None) -> str:
    """The page of a run, or of two runs and what the second adds to the first."""
    title = " and ".join(result.name for result in results)
    diagnosed = results[0].benchmark == "diagnosis"
    beside = diagnostic_tables(results) if diagnosed else comparison_table(results)
    parts = [f"# {results[0].benchmark}: {title}\n", f"## Beside the paper\n\n{beside}"]
    controlled = [result for result in results if "control" in result.settings]
    if controlled:
        parts.append(f"## Readout controls\n\n{_controls(controlled)}")
    if comparison is not None:
        parts.append(f"## {results[1].name} against {results[0].name}\n\n{_contrasts(comparison)}")
    for result in results:
        parts.append(f"## Figures of {result.name}\n\n{_figures(intervals(result))}")
        parts.append(f"## Settings of {result.name}\n\n{_settings(result)}")
    return "\n".join(parts)


def _figures(figures: Sequence[Figure]) -> str:
    rows = (
        (figure.name, figure.metric, f"{figure.value:.4f}", f"{figure.low:.4f} to {figure.high:.4f}")
        for figure in figures
        if figure.value is not None
    )
    return markdown(("Group", "Metric", "Figure", RATED), rows, words=2)


def _contrasts(comparison: Comparison) -> str:
    rows = (
        (
            one.name,
            one.metric,
            f"{one.a:.4f}",
            f"{one.b:.4f}",
            f"{one.difference:+.4f}",
            _span(one.low, one.high),
        )
        for one in comparison.contrasts
        if one.difference is not None
    )
    return markdown(("Group", "Metric", "A", "B", "B − A", RATED), rows, words=2)


def _controls(results: Sequence[Result]) -> str:
    published = (
        ("StaMina-8B", control, PUBLISHED, f"{full:.1f} in Full, {stream:.1f} in Stream")
        for control, (full, stream) in READOUT.items()
    )
    measured = (
        (result.name, str(result.settings["control"]), MEASURED, percent(result.figures()[OVERALL]["gpa"]))
        for result in results
    )
    return markdown(("Run", "Control", "Source", "GPA"), (*published, *measured))


def _span(low: float | None, high: float | None) -> str:
    return NOTHING if low is None or high is None else f"{low:+.4f} to {high:+.4f}"


def _settings(result: Result) -> str:
    rows = ((name, f"`{value}`") for name, value in result.settings.items())
    return markdown(("Setting", "Value"), rows)
