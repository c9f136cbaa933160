"""The page of one counted video: each target's count against the truth, and the frames it changed at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from stamina_video.evaluation.pages.page import render
from stamina_video.evaluation.pages.plot import Curve, Plot, Point
from stamina_video.evaluation.pages.stories import Box, Mark


@dataclass(frozen=True, slots=True)
class Track:
    """One target: its name, its true count as steps, and what was committed."""

    name: str
    operator: str
    truth: Sequence[Point]  # the count after each change, from the origin on
    commits: Sequence[Mark]
    warnings: Sequence[str] = ()

    @property
    def count(self) -> int:
        return sum(mark.delta for mark in self.commits)

    @property
    def true_count(self) -> int:
        return int(self.truth[-1][1])

    def drawing(self, end: float, unseen: Sequence[tuple[float, float]]) -> Markup:
        counted: list[Point] = [(0.0, 0.0)]
        for mark in self.commits:
            counted.append((mark.time, counted[-1][1] + mark.delta))
        curves = [
            Curve("truth", [*self.truth, (end, self.truth[-1][1])], stepped=True, dotted=False),
            Curve("a", [*counted, (end, counted[-1][1])], stepped=True, dotted=False),
        ]
        commits = [("a", mark.time, mark.delta) for mark in self.commits]
        return Plot(curves, end, (), commits, unseen, f"{self.name}: counted and true").svg()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A frame at which a count changed: the picture, and whose change it was with where."""

    time: float
    picture: str | None  # a data address
    changes: Sequence[tuple[str, Mark]]


@dataclass(frozen=True, slots=True)
class CountedVideo:
    """Everything the page shows. `end` is how far it was counted."""

    title: str
    end: float
    tracks: Sequence[Track]
    evidence: Sequence[Evidence]
    settings: Mapping[str, object]
    unseen: Sequence[tuple[float, float]] = ()
    note: str = ""

    def boxes(self, evidence: Evidence) -> list[Box]:
        return list(dict.fromkeys(mark.box for _, mark in evidence.changes if mark.box is not None))

    def words(self, evidence: Evidence) -> list[str]:
        return [f"{name} {mark.delta:+d}" for name, mark in evidence.changes]


def counted_page(video: CountedVideo) -> str:
    """A self-contained HTML page."""
    drawn = [(track, track.drawing(video.end, video.unseen)) for track in video.tracks]
    return render("counted.html", title=video.title, video=video, drawn=drawn)
