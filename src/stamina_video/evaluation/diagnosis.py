"""Diagnoses hard decisions, trajectory by trajectory and seed by seed, into a result to pool and compare.

Accuracies and errors average within a trajectory, then over trajectories and seeds; rates and delays pool
their numerators and denominators (appendix, "Paired reporting").
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from stamina_video.evaluation.events import match, stable_intervals
from stamina_video.evaluation.identities import tally_identities
from stamina_video.evaluation.results import Result, Row
from stamina_video.evaluation.svcbench import gaussian_precision
from stamina_video.evaluation.trajectories import Run, Trajectory

DIAGNOSER = "diagnosis-1"

ENDPOINT_METRICS = ("gpa", "exact", "hard_mae", "hard_gain_mae", "soft_mae", "soft_gain_mae", "nll")
EVENT_METRICS = ("false_updates", "duplicates", "misses", "outside", "delay")
IDENTITY_METRICS = (
    "new_precision",
    "new_recall",
    "reentry_double_counts",
    "unresolved",
    "acceptance_delay",
    "retrieval_misses",
)
METRICS = ENDPOINT_METRICS + EVENT_METRICS + IDENTITY_METRICS

Sums = dict[str, tuple[float, float]]


def diagnose(
    pairs: Iterable[tuple[Trajectory, Run]], name: str = "run", settings: Mapping[str, Any] | None = None
) -> Result:
    """One row per trajectory and seed; every rate and interval follows from the rows."""
    rows = tuple(
        Row(
            id=f"{trajectory.id} seed {run.seed}",
            parent=trajectory.parent,
            group=trajectory.stratum,
            sums=endpoint_sums(trajectory, run)
            | event_sums(trajectory, run)
            | identity_sums(trajectory, run),
        )
        for trajectory, run in pairs
    )
    own = {"diagnoser": DIAGNOSER, "trajectories": len({row.id.rpartition(" seed ")[0] for row in rows})}
    return Result("diagnosis", name, rows, METRICS, settings=dict(settings or {}) | own)


def endpoint_sums(trajectory: Trajectory, run: Run) -> Sums:
    """GPA, exact match and errors of the counts read at the endpoints."""
    if not trajectory.endpoints:
        return {}
    truth = np.array(trajectory.counts, float)
    hard = np.array(run.hard, float)
    sums = {
        "gpa": (float(gaussian_precision(hard, truth).mean()), 1.0),
        "exact": (float((hard == truth).mean()), 1.0),
        **_errors("hard", run.hard, trajectory.counts),
    }
    if run.soft is not None:
        sums |= _errors("soft", run.soft, trajectory.counts)
    if run.nll is not None:
        sums["nll"] = (run.nll / len(truth), 1.0)
    return sums


def _errors(kind: str, answers: Sequence[float], counts: Sequence[int]) -> Sums:
    """Mean absolute errors of the counts, and of their gains since the endpoint before or the origin."""
    # No answer reads as the empty state, so that it stays an error with a size.
    missed = np.nan_to_num(np.array(answers, float)) - np.array(counts, float)
    gains = np.diff(missed, prepend=0.0)
    return {
        f"{kind}_mae": (float(np.abs(missed).mean()), 1.0),
        f"{kind}_gain_mae": (float(np.abs(gains).mean()), 1.0),
    }


def event_sums(trajectory: Trajectory, run: Run) -> Sums:
    if trajectory.completions is None:
        return {}
    found = match(trajectory.completions, run.commits)
    events = float(len(trajectory.completions))
    marked, eligible = stable_intervals(
        trajectory.observed, trajectory.completions, run.commits, trajectory.verified
    )
    return {
        "false_updates": (float(marked), float(eligible)),
        "duplicates": (float(len(found.duplicates)), events),
        "misses": (float(len(found.misses)), events),
        "outside": (float(len(found.outside)), float(len(run.commits))),
        "delay": (math.fsum(found.delays), float(len(found.matches))),
    }


def identity_sums(trajectory: Trajectory, run: Run) -> Sums:
    sums: Sums = {}
    if run.retrieval_misses is not None:
        sums["retrieval_misses"] = (float(run.retrieval_misses), 1.0)
    if trajectory.identities is None or run.births is None:
        return sums
    tally = tally_identities(trajectory.identities, run.births, trajectory.endpoints)
    return sums | {
        "new_precision": (float(tally.accepted), float(tally.births)),
        "new_recall": (float(tally.accepted), float(tally.identities)),
        "reentry_double_counts": (float(tally.double_counts), float(tally.reentries)),
        "unresolved": (float(tally.unresolved), float(tally.exposures)),
        "acceptance_delay": (tally.delay, float(tally.accepted)),
    }
