"""A pool on disk: a folder with trajectories, their compiled queries, and questions in SVCBench's format."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from stamina_video.data.compiler import compile_queries
from stamina_video.data.export import Exported, write_annotations
from stamina_video.data.query import query_table, read_queries, read_table
from stamina_video.data.storage import SCHEMA, write_trajectories
from stamina_video.data.trajectory import Trajectory
from stamina_video.semantics import InvalidInput

TRAJECTORIES, QUERIES, ANNOTATIONS = "trajectories.parquet", "queries.parquet", "annotations.jsonl"


@dataclass(frozen=True, slots=True)
class Pool:
    """Both tables in memory. Trajectories keep their nested columns; selection reads the flat ones."""

    trajectories: pl.DataFrame
    queries: pl.DataFrame


def write_pool(trajectories: Sequence[Trajectory], folder: Path) -> Exported:
    """Compile and write all three files."""
    if not trajectories:
        raise InvalidInput("expected at least one trajectory to compile, got none")
    queries = query_table(compile_queries(trajectories))
    folder.mkdir(parents=True, exist_ok=True)
    write_trajectories(trajectories, folder / TRAJECTORIES)
    queries.write_parquet(folder / QUERIES)
    edited = {trajectory.id for trajectory in trajectories if not trajectory.media_map.is_whole}
    return write_annotations(queries, edited, folder / ANNOTATIONS)


def read_pool(folder: Path) -> Pool:
    trajectories = read_table(folder / TRAJECTORIES, SCHEMA.names)
    past = pl.col("provenance").struct
    return Pool(
        trajectories.with_columns(past.field("ancestors"), past.field("derived_from")),
        read_queries(folder / QUERIES),
    )
