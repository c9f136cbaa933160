"""The page of one run."""

from pathlib import Path

from stamina_video.evaluation.bootstrap import CONFIDENCE, RESAMPLES, intervals
from stamina_video.evaluation.pages.album import Album
from stamina_video.evaluation.pages.matrix import figure_matrix
from stamina_video.evaluation.pages.page import render
from stamina_video.evaluation.pages.questions import shown_videos
from stamina_video.evaluation.pages.stories import stories
from stamina_video.evaluation.report import beside_the_paper, report, settings_of, title_of
from stamina_video.evaluation.results import Result


def run_page(result: Result, videos: Path | None = None) -> str:
    """A self-contained HTML page: tables, intervals, every question's plot, frames out of `videos`."""
    album = Album(videos)
    shown = shown_videos(stories([result]), album)
    return render(
        "run.html",
        title=title_of([result]),
        result=result,
        sections=beside_the_paper([result]),
        matrix=figure_matrix(result, intervals(result)),
        resamples=RESAMPLES,
        confidence=CONFIDENCE,
        videos=shown,
        album=album,
        settings=[settings_of(result)],
    )


def write_run(result: Result, page: Path, videos: Path | None = None) -> Path:
    """The page, and its tables as Markdown beside it; returns where the Markdown is."""
    tables = page.with_suffix(".md")
    page.write_text(run_page(result, videos), "utf-8")
    tables.write_text(report([result]), "utf-8")
    return tables
