"""Puts the checks together over a pool's two tables."""

import math
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from stamina_video.data.checker.answers import answer_faults
from stamina_video.data.checker.media import media_faults
from stamina_video.data.checker.queries import query_faults
from stamina_video.data.checker.reachability import unreachable
from stamina_video.data.checker.report import Fault, Report
from stamina_video.data.checker.stability import stability_faults
from stamina_video.data.checker.trajectories import (
    ancestry_faults,
    duplicates,
    endpoints_of,
    trajectory_faults,
)
from stamina_video.semantics import InvalidInput, UnreadableFile

BATCH = 500_000  # queries checked at a time

TRAJECTORY_COLUMNS = (
    *("id", "parent", "scene", "media", "media_sha256", "target", "operator", "scope", "origin"),
    *("endpoints", "tracks", "marks", "stable", "masks", "provenance"),
)
QUERY_COLUMNS = (
    *("id", "group", "trajectory", "parent", "scene", "media", "media_sha256", "operator", "target"),
    *("time", "since", "scope_start", "scope_end", "answer", "identity", "boundary", "stable"),
)


def check_pool(folder: Path, videos: Path | None = None, fps: float = 1.0) -> Report:
    """Check a pool's files; with a folder of videos, their hashes too."""
    trajectories = _read(folder / "trajectories.parquet", TRAJECTORY_COLUMNS)
    queries = _read(folder / "queries.parquet", QUERY_COLUMNS)
    return check_tables(trajectories, queries, videos, fps)


def check_tables(
    trajectories: pl.DataFrame, queries: pl.DataFrame, videos: Path | None = None, fps: float = 1.0
) -> Report:
    if not 0 < fps < float("inf"):
        raise InvalidInput(f"expected a frame rate above zero, got {fps!r}")
    faults = [
        *duplicates(trajectories, "trajectory"),
        *duplicates(queries, "query"),
        *ancestry_faults(trajectories),
        *([] if videos is None else media_faults(trajectories, videos)),
    ]
    beyond: list[Fault] = []
    # A trajectory and its queries are checked together; a batch of them bounds the memory that takes.
    batches = max(math.ceil(queries.height / BATCH), 1)
    batch_of_trajectory = trajectories["id"].hash() % batches
    batch_of_query = queries["trajectory"].hash() % batches
    for number in range(batches):
        theirs = trajectories.filter(batch_of_trajectory == number)
        asked = _asked(theirs, queries.filter(batch_of_query == number))
        endpoints = endpoints_of(theirs)
        faults += [
            *trajectory_faults(theirs, endpoints),
            *query_faults(asked),
            *answer_faults(asked, endpoints),
            *stability_faults(asked, theirs, endpoints),
        ]
        beyond += unreachable(asked, fps)
    return Report(trajectories.height, queries.height, tuple(faults), tuple(beyond))


def _asked(trajectories: pl.DataFrame, queries: pl.DataFrame) -> pl.DataFrame:
    """Queries beside what their trajectory says of itself; `of` is null where there is none."""
    said = trajectories.select(
        pl.col("id").alias("trajectory"),
        pl.col("operator").alias("of"),
        pl.col("parent", "scene", "media", "media_sha256", "target").name.prefix("their_"),
        "scope",
        "origin",
        _verified("identity", "tracks"),
        _verified("boundary", "marks"),
    )
    # A double id is a fault of its own; joining on it would only multiply the others.
    once = said.unique("trajectory", keep="first", maintain_order=True)
    return queries.join(once, on="trajectory", how="left", maintain_order="left")


def _read(path: Path, columns: Sequence[str]) -> pl.DataFrame:
    try:
        return pl.read_parquet(path, columns=list(columns))
    except (OSError, pl.exceptions.PolarsError) as error:
        raise UnreadableFile(f"{path}: expected a pool's table, got {str(error).splitlines()[0]}") from None


def _verified(mask: str, evidence: str) -> pl.Expr:
    """Whether a trajectory has this evidence and its mask is set."""
    there = (pl.col(evidence).list.len() > 0) & pl.col("masks").list.contains(mask)
    return there.fill_null(False).alias(f"verified_{mask}")
