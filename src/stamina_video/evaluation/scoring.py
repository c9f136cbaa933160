"""Scores SVCBench runs into a result: one row per question, its scores averaged over seeds."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from stamina_video.evaluation.predictions import Predictions
from stamina_video.evaluation.results import OVERALL, Result, Row
from stamina_video.evaluation.svcbench import METRICS, gaussian_precision, mean_scores, score_questions
from stamina_video.semantics import Commit, InvalidInput, Operator, Question

SCORER = "svcbench-1"  # changes whenever a score could


def score_runs(
    questions: Sequence[Question],
    runs: Sequence[Predictions],
    name: str = "run",
    settings: Mapping[str, Any] | None = None,
    commits: Mapping[str, Sequence[Commit]] | None = None,
) -> Result:
    """Every run is a seed of one model; scores are means of unrounded question scores.

    `commits`, by question, are kept beside the answers that were read from them.
    """
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
            detail=_detail(question, index, runs) | _committed((commits or {}).get(question.id)),
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
    described: dict[str, dict[str, Any]] = {
        group: figures[group] | dict(zip(("questions", "points", "invalid"), size, strict=True))
        for group, size in sizes.items()
    }
    for group, found in described.items():
        ways = _other_reads(row for row in result.rows if row.group == group)
        if ways:
            found["gpa_by_read"] = ways
    return {
        "overall": described.pop(OVERALL) | {"seeds": result.settings["seeds"]},
        "by_operator": {operator: described[operator] for operator in Operator if operator in described},
        "settings": dict(result.settings),
    }


def _detail(question: Question, index: int, runs: Sequence[Predictions]) -> dict[str, Any]:
    target, window = _asked(question)
    detail: dict[str, Any] = {
        "question": question.text,
        "target": target,
        "window": window,
        "times": list(question.times),
        "truth": list(question.counts),
        "answers": [_numbers(run.answers[index]) for run in runs],
    }
    ways = dict.fromkeys(way for run in runs for way in run.reads.get(question.id, {}))
    if ways and all(question.id in run.reads for run in runs):
        detail["reads"] = {way: [_numbers(run.reads[question.id][way]) for run in runs] for way in ways}
    return detail


def _asked(question: Question) -> tuple[str, float | None]:
    """Target and window in the question's words; scores need neither, so odd wording is no error here."""
    try:
        reading = question.read()
    except InvalidInput:
        return question.target or question.text, None
    return question.target or reading.target, reading.window


def _committed(commits: Sequence[Commit] | None) -> dict[str, Any]:
    if commits is None:
        return {}
    shown = [
        {"time": commit.time, "kind": commit.kind.value, "delta": commit.delta}
        | {name: commit.evidence[name] for name in ("box",) if name in commit.evidence}
        for commit in commits
    ]
    return {"commits": shown}


def _numbers(values: Sequence[float]) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values]


def _other_reads(rows: Iterable[Row]) -> dict[str, float]:
    """GPA of every way the answers can be read, for operators with more than one (O1-Delta)."""
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for row in rows:
        truth = np.array(row.detail["truth"], float)
        for way, seeds in row.detail.get("reads", {}).items():
            answers = np.array(seeds, float)  # None becomes NaN, which scores 0
            scores[way].append(
                float(gaussian_precision(answers, np.broadcast_to(truth, answers.shape)).mean())
            )
    return {way: sum(found) / len(found) for way, found in scores.items()}
