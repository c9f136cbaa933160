"""Reads what counters told, whoever wrote the table, as runs to set beside the truth."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from stamina_video.evaluation.entries import Entry, Key, read_entries
from stamina_video.evaluation.trajectories import Birth, Mark, Run, Trajectory, counted
from stamina_video.semantics import InvalidInput

Pairs = list[tuple[Trajectory, Run]]


def read_runs(paths: Sequence[str | Path], truth: Mapping[Key, Trajectory]) -> tuple[Pairs, list[str]]:
    """Every trajectory with every seed's run, and notes on trajectories a seed says nothing about."""
    by_seed: dict[str, defaultdict[Key, list[Entry]]] = {}
    for file, path in enumerate(paths, start=1):
        entries = list(read_entries(Path(path)))
        # A table without a row is a counter that never committed, which is a run too.
        for seed in dict.fromkeys(_seed(entry, file) for entry in entries) or (str(file),):
            by_seed[seed] = defaultdict(list)
        for entry in entries:
            by_seed[_seed(entry, file)][_known(entry, truth)].append(entry)
    pairs: Pairs = []
    notes = []
    for seed, grouped in by_seed.items():
        for key, trajectory in truth.items():
            if key not in grouped:
                notes.append(f"seed {seed} says nothing about {trajectory.id}: taken as no commits")
            pairs.append((trajectory, _run(grouped.get(key, []), trajectory, seed)))
    return pairs, notes


def _seed(entry: Entry, file: int) -> str:
    given = entry.columns.get("seed")
    return f"{file}.{given}" if given else str(file)


def _known(entry: Entry, truth: Mapping[Key, Trajectory]) -> Key:
    if entry.key in truth:
        return entry.key
    of_video = [key for key in truth if key[0] == entry.video]
    if not entry.target and len(of_video) == 1:
        return of_video[0]  # nothing else can be meant
    raise InvalidInput(
        f"{entry.where}: expected a video and target of the truth, got {entry.video!r} and {entry.target!r}"
    )


def _run(entries: Sequence[Entry], trajectory: Trajectory, seed: str) -> Run:
    ordered = sorted(entries, key=lambda entry: entry.time)
    kinds = sorted({entry.kind for entry in ordered})
    if len(kinds) > 1:
        where = ordered[0].where
        raise InvalidInput(f"{where}: expected one kind of row per target, got {' and '.join(kinds)}")
    if not kinds:
        return Run(seed, hard=(0.0,) * len(trajectory.endpoints), births=())
    if kinds == ["count"]:
        return _counting_run(ordered, trajectory, seed)
    if kinds == ["identity"]:
        return _identity_run(ordered, trajectory, seed)
    commits = tuple(entry.mark() for entry in ordered)
    return Run(seed, counted([mark.time for mark in commits], trajectory.endpoints), commits)


def _counting_run(entries: Sequence[Entry], trajectory: Trajectory, seed: str) -> Run:
    """A running count: each rise is as many commits, and endpoints read the last number before them."""
    commits: list[Mark] = []
    before = 0
    for entry in entries:
        now = math.floor(entry.number("count"))
        commits += [entry.mark()] * max(now - before, 0)
        before = now
    has_soft = any(entry.columns.get("soft") for entry in entries)
    return Run(
        seed,
        hard=_read(entries, trajectory.endpoints, "count"),
        commits=tuple(commits),
        soft=_read(entries, trajectory.endpoints, "soft") if has_soft else None,
    )


def _read(entries: Sequence[Entry], endpoints: Sequence[float], column: str) -> tuple[float, ...]:
    given = [entry for entry in entries if entry.columns.get(column)]
    answers = []
    for endpoint in endpoints:
        passed = [entry for entry in given if entry.time <= endpoint]
        answers.append(passed[-1].number(column) if passed else 0.0)
    return tuple(answers)


def _identity_run(entries: Sequence[Entry], trajectory: Trajectory, seed: str) -> Run:
    """Rows per frame and id, or per id: an id is accepted where it first appears."""
    accepted: dict[str, Entry] = {}
    for entry in entries:
        accepted.setdefault(entry.value, entry)
    births = tuple(Birth(entry.time, entry.columns.get("matched") or None) for entry in accepted.values())
    times = [birth.time for birth in births]
    return Run(
        seed,
        hard=counted(times, trajectory.endpoints),
        commits=tuple(map(Mark, times)),
        births=births if "matched" in entries[0].columns else None,
    )
