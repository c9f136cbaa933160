"""Plain loops that judge the vectorised scorers: one question, one point, one pair at a time."""

import math
from collections.abc import Sequence
from itertools import pairwise

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
