"""The page of two runs on the same questions, and what the second adds to the first."""

from pathlib import Path

from stamina_video.evaluation.bootstrap import CONFIDENCE, Comparison
from stamina_video.evaluation.pages.album import Album
from stamina_video.evaluation.pages.matrix import contrast_matrix
from stamina_video.evaluation.pages.page import render
from stamina_video.evaluation.pages.questions import shown_videos
from stamina_video.evaluation.pages.stories import Story, stories
from stamina_video.evaluation.report import beside_the_paper, settings_of
from stamina_video.evaluation.results import Result


def comparison_page(a: Result, b: Result, comparison: Comparison, videos: Path | None = None) -> str:
    """A self-contained HTML page; its questions are those the two runs answered differently."""
    told = stories([a, b])
    differing = [story for story in told if _differ(story)]
    album = Album(videos)
    return render(
        "comparison.html",
        title=f"{a.benchmark}: {b.name} against {a.name}",
        a=a,
        b=b,
        sections=beside_the_paper([a, b]),
        matrix=contrast_matrix(a, comparison.contrasts),
        comparison=comparison,
        confidence=CONFIDENCE,
        questions=len(told),
        differing=len(differing),
        better=sum(_gain(story) > 0 for story in differing),
        worse=sum(_gain(story) < 0 for story in differing),
        videos=shown_videos(differing, album),
        album=album,
        settings=[settings_of(a), settings_of(b)],
    )


def _differ(story: Story) -> bool:
    first, second = story.tellings
    return first.answers != second.answers


def _gain(story: Story) -> float:
    """What the second run adds to the question's first metric."""
    first, second = (next(iter(telling.scores.values())) for telling in story.tellings)
    return second - first
