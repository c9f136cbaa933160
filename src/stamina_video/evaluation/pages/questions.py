"""Questions as a page shows them: a plot each, and the frames where an account leaves the truth."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from stamina_video.evaluation.pages.album import Album
from stamina_video.evaluation.pages.partings import Parting, partings
from stamina_video.evaluation.pages.plot import Curve, Miss, Plot
from stamina_video.evaluation.pages.stories import Story, Telling
from stamina_video.evaluation.tables import metric_name, percent

LOOKS = ("a", "b")  # the first run and the second


@dataclass(frozen=True, slots=True)
class Shown:
    """One question: its story, its drawing, and for each run its score and partings."""

    story: Story
    drawing: Markup
    scores: tuple[str, ...]
    partings: tuple[tuple[Telling, tuple[Parting, ...]], ...]


@dataclass(frozen=True, slots=True)
class ShownVideo:
    """A video and its questions, those that went worst first."""

    name: str
    questions: tuple[Shown, ...]
    wrong: int
    metric: str
    score: str  # the mean over its questions


def shown_videos(told: Sequence[Story], album: Album) -> list[ShownVideo]:
    """The videos that went worst first; their pictures are developed in this order as far as room is."""
    by_video: dict[str, list[Story]] = {}
    for story in sorted(told, key=_score):
        by_video.setdefault(story.video, []).append(story)
    videos = [
        _video(name, questions)
        for name, questions in sorted(by_video.items(), key=lambda item: _mean(item[1]))
    ]
    for video in videos:
        for question in video.questions:
            _ask(album, question)
    album.develop()
    return videos


def _video(name: str, told: Sequence[Story]) -> ShownVideo:
    return ShownVideo(
        name,
        tuple(map(_shown, told)),
        sum(not story.is_right for story in told),
        next(iter(told[0].tellings[0].scores)),
        percent(_mean(told)),
    )


def _shown(story: Story) -> Shown:
    scores = tuple(
        " · ".join(f"{metric_name(metric)} {percent(score)}" for metric, score in telling.scores.items())
        for telling in story.tellings
    )
    apart = tuple((telling, tuple(partings(story, telling))) for telling in story.tellings)
    return Shown(story, _drawing(story), scores, apart)


def _drawing(story: Story) -> Markup:
    truth = list(zip(story.times, story.truth, strict=True))
    curves = [Curve("truth", truth)]
    misses, commits = [], []
    for look, telling in zip(LOOKS, story.tellings, strict=False):
        for answers in telling.answers:
            given = zip(story.times, answers, strict=True)
            curves.append(Curve(look, [(time, answer) for time, answer in given if answer is not None]))
            misses += [
                Miss(time, true, answer)
                for (time, true), answer in zip(truth, answers, strict=True)
                if answer != true
            ]
        commits += [(look, mark.time, mark.delta) for mark in telling.commits]
    ends = [*story.times, *(time for _, time, _ in commits)]
    return Plot(curves, max(ends), misses, commits, label=f"counts over time: {story.id}").svg()


def _ask(album: Album, question: Shown) -> None:
    for _, apart in question.partings:
        for parting in apart:
            for moment in parting.moments:
                album.ask(question.story.video, moment.time)


def _score(story: Story) -> float:
    """How well the last run did by the benchmark's first metric, which every question has."""
    return next(iter(story.tellings[-1].scores.values()))


def _mean(told: Sequence[Story]) -> float:
    return sum(map(_score, told)) / len(told)
