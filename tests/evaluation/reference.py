"""Plain loops that judge the vectorised scorers: one question, one point, one pair at a time."""

import math
from collections.abc import Sequence
from itertools import pairwise

from stamina_video.evaluation import Mark, Row
from stamina_video.semantics import Metric, Question


def gpa(answers: Sequence[float], truth: Sequence[int]) -> float:
    total = 0.0
    for answer, true in zip(answers, truth, strict=True):
        if not math.isnan(answer):
            sigma = 0.05 * max(true, 1)
            total += math.exp(-((answer - true) ** 2) / (2 * sigma**2))
    return total / len(truth)


def moc(answers: Sequence[float]) -> float:
    """How far it goes before the first step that falls or cannot be taken."""
    for step, (before, after) in enumerate(pairwise(answers)):
        if math.isnan(before) or math.isnan(after) or after < before:
            return step / (len(answers) - 1)
    return 1.0


def uda(answers: Sequence[float], truth: Sequence[int], only_changes: bool) -> float:
    agreed = taken = 0
    for i in range(len(truth) - 1):
        true_rise = truth[i + 1] - truth[i]
        if only_changes and true_rise == 0:
            continue
        taken += 1
        rise = answers[i + 1] - answers[i]
        agreed += not math.isnan(rise) and _sign(rise) == _sign(true_rise)
    return agreed / taken if taken else math.nan


def question_scores(question: Question, answers: Sequence[float]) -> dict[str, float]:
    several = len(question.counts) > 1
    has = question.operator.metrics
    return {
        "gpa": gpa(answers, question.counts),
        "moc": moc(answers) if several and Metric.MOC in has else math.nan,
        "uda": uda(answers, question.counts, False) if several and Metric.UDA in has else math.nan,
        "uda_changes": uda(answers, question.counts, True) if several and Metric.UDA in has else math.nan,
    }


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def matched(completions: Sequence[Mark], commits: Sequence[Mark]) -> tuple[list[float], int, int, int]:
    """Delays, duplicates, outside and misses, by looking at every completion for every commit."""
    taken: set[int] = set()
    delays: list[float] = []
    duplicates = outside = 0
    for commit in sorted(commits, key=lambda mark: mark.time):
        window = [
            (commit.time - completion.time, index)
            for index, completion in enumerate(completions)
            if completion.slot == commit.slot and 0 <= commit.time - completion.time <= 3
        ]
        free = [(distance, index) for distance, index in window if index not in taken]
        if free:
            distance, index = min(free)
            taken.add(index)
            delays.append(distance)
        elif window:
            duplicates += 1
        else:
            outside += 1
    return sorted(delays), duplicates, outside, len(completions) - len(taken)


def stable(
    observed: Sequence[float], completions: Sequence[Mark], commits: Sequence[Mark]
) -> tuple[int, int]:
    marked = eligible = 0
    for index, high in enumerate(observed):
        low = observed[index - 1] if index else high
        if any(low - 3 <= completion.time <= high + 3 for completion in completions):
            continue
        eligible += 1
        marked += any((not index or low < commit.time) and commit.time <= high for commit in commits)
    return marked, eligible


def resampled(rows: Sequence[Row], metric: str, draws: Sequence[Sequence[str]]) -> list[float]:
    """A ratio of sums over the rows of the drawn parents, one draw at a time."""
    figures = []
    for draw in draws:
        part = whole = 0.0
        for parent in draw:
            for row in rows:
                if row.parent == parent and metric in row.sums:
                    part += row.sums[metric][0]
                    whole += row.sums[metric][1]
        figures.append(part / whole if whole else math.nan)
    return figures
