"""What heads told about tracks, as results that can be pooled, compared and resampled."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from stamina_video.cli.experiments.page import Finding
from stamina_video.evaluation import (
    OVERALL,
    Contrast,
    Mark,
    Result,
    Run,
    Trajectory,
    compare_results,
    diagnose,
    percent,
)
from stamina_video.evaluation.tables import NOTHING, Table, plain
from stamina_video.training.experiments.event_heads import Told, told
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.experiments.tracks import Track

Runs = Sequence[Sequence[Told]]  # by seed, in the tracks' order

SECONDS_AND_NLL = {"nll", "delay"}  # everything else is a rate
COLUMNS = ("gpa", "exact", "nll", "false_updates", "duplicates", "misses", "delay")
HEADINGS = ("GPA", "Exact", "NLL", "False updates", "Duplicates", "Misses", "Delay (s)")


def by_stratum(track: Track) -> str:
    return track.trial.stratum


def by_operator(track: Track) -> str:
    return track.operator


def result_of(
    name: str, tracks: Sequence[Track], runs: Runs, group: Callable[[Track], str] = by_stratum
) -> Result:
    """Every trajectory under every seed; all diagnostic endpoints count, reachable or not."""
    pairs = [
        (_trajectory(track, group(track)), _run(one, seed, len(track.endpoints)))
        for seed, run in enumerate(runs)
        for track, one in zip(tracks, run, strict=True)
    ]
    return diagnose(pairs, name)


def _trajectory(track: Track, group: str) -> Trajectory:
    stretch = track.trial.stretch
    times = stretch.times
    return Trajectory(
        track.trial.name,
        stretch.parent,
        group,
        tuple(times[end.observations - 1] for end in track.endpoints),
        tuple(end.count for end in track.endpoints),
        times,
        tuple(map(Mark, stretch.completions(track.trial.aim))),
    )


def _run(one: Told, seed: int, endpoints: int) -> Run:
    # `nll` is asked for as a joint figure over all endpoints; the head knows it per reachable one.
    joint = None if one.nll is None else one.nll * endpoints
    return Run(str(seed), tuple(map(float, one.hard)), tuple(map(Mark, one.commits)), nll=joint)


def silent(tracks: Sequence[Track]) -> list[Told]:
    """The floor: a head that never commits."""
    return [told(track, ()) for track in tracks]


def setting(ground: Ground, training: Sequence[Track], diagnostic: Sequence[Track]) -> dict[str, Any]:
    """What every page on tracks says about itself."""
    reached = sum(len(track.kept) for track in diagnostic)
    asked = sum(len(track.endpoints) for track in diagnostic)
    return {
        "model": ground.model.name,
        "training": _sized(training),
        "diagnostic": _sized(diagnostic),
        "endpoints": f"{asked} scored, {reached} of them within reach of a legal path",
        "seeds": ground.extent.seeds,
        "intervals": "95 %, percentile bootstrap over parents",
    } | asdict(ground.extent.settings)


def _sized(tracks: Sequence[Track]) -> str:
    parents = {track.trial.stretch.parent for track in tracks}
    return f"{len(tracks)} trajectories of {len(parents)} parents"


def shown(figures: Mapping[str, float | None], columns: Sequence[str] = COLUMNS) -> tuple[str, ...]:
    return tuple(
        plain(figures[column]) if column in SECONDS_AND_NLL else percent(figures[column])
        for column in columns
    )


def contrast(a: Result, b: Result, metric: str = "gpa") -> Contrast:
    """What B adds to A overall, with its interval over parents."""
    return next(one for one in compare_results(a, b).contrasts if (one.name, one.metric) == (OVERALL, metric))


def points(one: Contrast) -> str:
    """A difference of rates in points with its interval."""
    if one.difference is None or one.low is None or one.high is None:
        return NOTHING
    return f"{100 * one.difference:+.1f} ({100 * one.low:+.1f} to {100 * one.high:+.1f})"


def rises(paper: str, what: str, one: Contrast) -> Finding:
    """A finding that holds where the whole interval lies above zero."""
    return Finding(paper, f"{what} {points(one)} points.", one.low is not None and one.low > 0)


def group_table(title: str, heading: str, results: Mapping[str, Result], metric: str = "gpa") -> Table:
    """One metric by condition and group."""
    groups = next(iter(results.values())).groups
    rows = []
    for name, result in results.items():
        figures = result.figures()
        rows.append((name, *(percent(figures[group][metric]) for group in (OVERALL, *groups))))
    return Table((heading, "Overall", *groups), tuple(rows), words=1, title=title)
