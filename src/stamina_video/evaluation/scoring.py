"""Scores SVCBench runs into a result: one row per question, its scores averaged over seeds."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from stamina_video.evaluation.predictions import Predictions
from stamina_video.evaluation.results import OVERALL, Result, Row
from stamina_video.evaluation.svcbench import METRICS, mean_scores, score_questions
from stamina_video.semantics import InvalidInput, Operator, Question

SCORER = "svcbench-1"  # changes whenever a score could


def score_runs(
    questions: Sequence[Question],
    runs: Sequence[Predictions],
    name: str = "run",
    settings: Mapping[str, Any] | None = None,
) -> Result:
    """Every run is a seed of one model; scores are means of unrounded question scores."""
    if not runs:
        raise InvalidInput("expected at least one prediction file, got none")
    scores = mean_scores([score_questions(questions, run.answers) for run in runs]).named()
    columns = {metric: values.tolist() for metric, values in scores.items()}
    rows = tuple(
        Row(
            id=question.id,
            parent=question.video,
            group=question.operator,
            sums={
                metric: (columns[metric][index], 1.0)
                for metric in METRICS
                if not math.isnan(columns[metric][index])
            },
            detail=_detail(question, [run.answers[index] for run in runs]),
        )
        for index, question in enumerate(questions)
    )
    own = {
        "scorer": SCORER,
        "seeds": len(runs),
        "invalid": sum(len(run.invalid) for run in runs),
        "predictions": [run.path for run in runs],
    }
    return Result("svcbench", name, rows, METRICS, settings=dict(settings or {}) | own)


def score_document(result: Result) -> dict[str, Any]:
    """What `score --json` and `evaluate --json` print: rates as fractions of one."""
    figures = result.figures()
    sizes: dict[str, list[int]] = {}
    for row in result.rows:
        for group in (OVERALL, row.group):
            size = sizes.setdefault(group, [0, 0, 0])
            size[0] += 1
            size[1] += len(row.detail["times"])
            size[2] += sum(value is None for answers in row.detail["answers"] for value in answers)
    described = {
        group: figures[group] | dict(zip(("questions", "points", "invalid"), size, strict=True))
        for group, size in sizes.items()
    }
    return {
        "overall": described.pop(OVERALL) | {"seeds": result.settings["seeds"]},
        "by_operator": {operator: described[operator] for operator in Operator if operator in described},
        "settings": dict(result.settings),
    }


def _detail(question: Question, answers: Sequence[Sequence[float]]) -> dict[str, Any]:
    return {
        "times": list(question.times),
        "truth": list(question.counts),
        "answers": [[None if math.isnan(value) else value for value in seed] for seed in answers],
    }
