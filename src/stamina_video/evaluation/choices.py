"""Scores OVO-Bench and OVO-S responses into results, released reading and strict reading side by side."""

from collections.abc import Mapping, Sequence
from typing import Any

from stamina_video.evaluation.extraction import official, strict
from stamina_video.evaluation.ovobench import AVERAGES, Decision
from stamina_video.evaluation.responses import Responses
from stamina_video.evaluation.results import Result, Row

SCORER = "ovobench-1"
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
            sums={
                "official": (float(official(decision, text)), 1.0),
                "strict": (float(strict(decision, text)), 1.0),
            },
            detail={"time": decision.time, "truth": decision.truth, "response": text},
        )
        for decision, text in zip(decisions, responses.texts, strict=True)
    )
    own = {"scorer": SCORER, "responses": list(responses.paths)}
    present = {row.group for row in rows}
    averages = _averages_of(present)
    return Result("ovobench", name, rows, METRICS, averages, dict(settings or {}) | own)


def _averages_of(groups: set[str]) -> dict[str, tuple[str, ...]]:
    """The averages whose children all occur: a subset of tasks has no total."""
    known = set(groups)
    averages: dict[str, tuple[str, ...]] = {}
    for name, children in AVERAGES.items():
        if known.issuperset(children):
            averages[name] = children
            known.add(name)
    return averages
