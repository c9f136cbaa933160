"""Scores OVO-Bench and OVO-S responses into results, released reading and strict reading side by side."""

from collections.abc import Mapping, Sequence
from typing import Any

from stamina_video.evaluation import extraction, ovobench, ovos
from stamina_video.evaluation.ovobench import Decision
from stamina_video.evaluation.ovos import Query
from stamina_video.evaluation.responses import Responses
from stamina_video.evaluation.results import Result, Row

METRICS = ("official", "strict")


def score_ovobench(
    decisions: Sequence[Decision],
    responses: Responses,
    name: str = "run",
    settings: Mapping[str, Any] | None = None,
) -> Result:
    """Accuracy within each task, then the mean over a track's tasks, then over the three tracks."""
    rows = tuple(
        Row(
            id=decision.id,
            parent=decision.video,
            group=decision.task,
            sums=_judged(extraction.official(decision, text), extraction.strict(decision, text)),
            detail={"time": decision.time, "truth": decision.truth, "response": text},
        )
        for decision, text in zip(decisions, responses.texts, strict=True)
    )
    averages = _averages_of({row.group for row in rows})
    return Result("ovobench", name, rows, METRICS, averages, _settings("ovobench-1", responses, settings))


def score_ovos(
    queries: Sequence[Query],
    responses: Responses,
    name: str = "run",
    settings: Mapping[str, Any] | None = None,
) -> Result:
    """Accuracy within each family, then over a level's families, then over levels; failures stay in."""
    rows = tuple(
        Row(
            id=query.id,
            parent=query.video,
            group=query.family,
            sums=_judged(
                extraction.stated_last(text or "", query.labels) == query.truth,
                extraction.stated_label(text or "", query.labels) == query.truth,
            ),
            detail={"time": query.time, "truth": query.truth, "response": text},
        )
        for query, text in zip(queries, responses.texts, strict=True)
    )
    averages = ovos.averages(queries)
    return Result("ovos", name, rows, METRICS, averages, _settings("ovos-1", responses, settings))


def _judged(official: bool, strict: bool) -> dict[str, tuple[float, float]]:
    return {"official": (float(official), 1.0), "strict": (float(strict), 1.0)}


def _settings(scorer: str, responses: Responses, given: Mapping[str, Any] | None) -> dict[str, Any]:
    return dict(given or {}) | {"scorer": scorer, "responses": list(responses.paths)}


def _averages_of(groups: set[str]) -> dict[str, tuple[str, ...]]:
    """The averages whose children all occur: a subset of tasks has no total."""
    known = set(groups)
    averages: dict[str, tuple[str, ...]] = {}
    for name, children in ovobench.AVERAGES.items():
        if known.issuperset(children):
            averages[name] = children
            known.add(name)
    return averages
