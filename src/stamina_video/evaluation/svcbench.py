"""SVCBench's metrics for every question at once. Knows nothing of files or models.

GPA is the paper's equation. MoC and UDA follow the released scorer (`eval/compute_metrics.py` of
buaa-colalab/VCBench): MoC is how far a question gets before its first downward step, UDA the share of
steps whose direction agrees with the truth; `uda_changes` keeps the steps where the truth changes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from stamina_video.semantics import InvalidInput, Metric, Operator, Question

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.bool_ | np.number]

METRICS = ("gpa", "moc", "uda", "uda_changes")
RELATIVE_SIGMA = 0.05


@dataclass(frozen=True, slots=True)
class QuestionScores:
    """One score per question and metric; NaN where a metric does not apply to the question."""

    gpa_Q: Floats
    moc_Q: Floats
    uda_Q: Floats
    uda_changes_Q: Floats

    def named(self) -> dict[str, Floats]:
        return {
            "gpa": self.gpa_Q,
            "moc": self.moc_Q,
            "uda": self.uda_Q,
            "uda_changes": self.uda_changes_Q,
        }


def answer(value: object, operator: Operator) -> float:
    """A prediction as a number; NaN where it is not an answer to this operator's question."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    try:
        number = float(value)
    except OverflowError:
        return math.nan
    # Only a change over a window can be below zero.
    legal = math.isfinite(number) and (number >= 0 or operator.windowed)
    return number if legal else math.nan


def gaussian_precision(answers_P: Floats, truth_P: Floats) -> Floats:
    """exp(-(ŷ-y)²/2σ²) with σ = 0.05·max(y, 1); an invalid answer scores 0."""
    sigma_P = RELATIVE_SIGMA * np.maximum(truth_P, 1.0)
    with np.errstate(over="ignore"):  # an absurdly large answer is infinitely wrong, and scores 0
        score_P = np.exp(-(((answers_P - truth_P) / sigma_P) ** 2) / 2)
    return np.where(np.isnan(answers_P), 0.0, score_P)


def score_questions(questions: Sequence[Question], answers: Sequence[Sequence[float]]) -> QuestionScores:
    """Score one run; `answers` holds a number (or NaN) per query point, in the questions' order."""
    # Q questions, P query points, S steps between neighbouring points of one question
    sizes_Q = np.array([len(question.times) for question in questions])
    if not sizes_Q.all():
        empty = questions[int(np.argmin(sizes_Q))].id
        raise InvalidInput(f"expected a query point in every question, got none in {empty!r}")
    assert [len(row) for row in answers] == sizes_Q.tolist(), "an answer, valid or not, per query point"
    answers_P = np.array([value for row in answers for value in row], float)
    truth_P = np.array([count for question in questions for count in question.counts], float)
    question_P = np.repeat(np.arange(len(questions)), sizes_Q)

    within = question_P[1:] == question_P[:-1]
    question_S = question_P[1:][within]
    rise_S = np.diff(answers_P)[within]  # NaN where either end is invalid, so the step is broken
    true_rise_S = np.diff(truth_P)[within]
    steps_Q = sizes_Q - 1

    first_P = np.cumsum(sizes_Q) - sizes_Q
    position_S = np.flatnonzero(within) - first_P[question_S]
    intact_Q = steps_Q.copy()
    broken = ~(rise_S >= 0)
    np.minimum.at(intact_Q, question_S[broken], position_S[broken])

    agrees_S = np.sign(rise_S) == np.sign(true_rise_S)
    changes_S = true_rise_S != 0

    sums = partial(_summed, size=len(questions))
    has_uda = _has(questions, Metric.UDA)
    return QuestionScores(
        gpa_Q=sums(question_P, gaussian_precision(answers_P, truth_P)) / sizes_Q,
        moc_Q=_share(intact_Q, np.where(_has(questions, Metric.MOC), steps_Q, 0)),
        uda_Q=_share(sums(question_S, agrees_S), np.where(has_uda, steps_Q, 0)),
        uda_changes_Q=_share(
            sums(question_S, agrees_S & changes_S), np.where(has_uda, sums(question_S, changes_S), 0)
        ),
    )


def mean_scores(runs: Sequence[QuestionScores]) -> QuestionScores:
    """The mean over seeds of unrounded question scores."""
    stacked = [np.mean([run.named()[name] for run in runs], axis=0) for name in METRICS]
    return QuestionScores(*stacked)


def _has(questions: Sequence[Question], metric: Metric) -> npt.NDArray[np.bool_]:
    return np.array([metric in question.operator.metrics for question in questions])


def _summed(index: npt.NDArray[np.intp], values: Numbers, size: int) -> Floats:
    return np.bincount(index, values, minlength=size).astype(float)  # an empty input counts in integers


def _share(part_Q: Numbers, whole_Q: Numbers) -> Floats:
    share_Q = np.full(len(whole_Q), np.nan)
    np.divide(part_Q, whole_Q, out=share_Q, where=whole_Q > 0)
    return share_Q
