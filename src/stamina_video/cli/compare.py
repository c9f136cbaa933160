"""`stamina compare A B`: what the second run adds, with an interval over videos."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from stamina_video.cli.destinations import check_writable
from stamina_video.cli.output import Json, emit, say, show_table
from stamina_video.cli.report import PAGES, Videos, videos_of
from stamina_video.evaluation import Contrast, compare_results, read_result, report


def compare(
    a: Annotated[Path, typer.Argument(help="Result file or run directory of the first run.")],
    b: Annotated[Path, typer.Argument(help="Result file or run directory of the second run.")],
    resamples: Annotated[int, typer.Option(help="How often the videos are drawn anew.", min=1)] = 10_000,
    seed: Annotated[int, typer.Option(help="Seed of the draws.")] = 0,
    markdown: Annotated[
        Path | None, typer.Option(help="Write a Markdown report here: both runs beside the paper's rows.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write an HTML page here: differences, and both runs' trajectories.")
    ] = None,
    videos: Videos = None,
    as_json: Json = False,
) -> None:
    """Compare two runs on the same questions: differences with paired 95 % intervals over videos."""
    first, second = read_result(a), read_result(b)
    if out is not None:
        check_writable("--out", out, PAGES)
    found = compare_results(first, second, resamples, seed)
    if markdown is not None:
        markdown.write_text(report([first, second], found))
        say(f"report written to {markdown}")
    if out is not None:
        # Imported here: the table needs no template engine or video decoder.
        from stamina_video.evaluation.pages import comparison_page  # noqa: PLC0415

        out.write_text(comparison_page(first, second, found, videos_of(first, videos)), "utf-8")
        say(f"page: {out}")
    if as_json:
        emit(
            {
                "a": {"name": first.name, "result": str(a)},
                "b": {"name": second.name, "result": str(b)},
                "benchmark": first.benchmark,
                "parents": found.parents,
                "resamples": found.resamples,
                "contrasts": [asdict(contrast) for contrast in found.contrasts],
            }
        )
        return
    show_table(
        f"{second.name} against {first.name}: {found.parents} videos drawn {found.resamples} times",
        ("Group", "Metric", "A", "B", "B − A", "95 % interval"),
        (_cells(contrast) for contrast in found.contrasts if contrast.difference is not None),
    )


def _cells(contrast: Contrast) -> tuple[str, ...]:
    figures = (contrast.a, contrast.b)
    return (
        contrast.name,
        contrast.metric,
        *(f"{value:.4f}" for value in figures if value is not None),
        f"{contrast.difference:+.4f}",
        f"{contrast.low:+.4f} to {contrast.high:+.4f}",
    )
