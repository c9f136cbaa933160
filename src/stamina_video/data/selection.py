"""Which queries may be trained on. Removes in the paper's order; each removed query counts once.

1. descendants of evaluation media   2. held-out supervision families
3. endpoints no event path reaches   4. whatever else is not supported
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import polars as pl

from stamina_video.data.doubt import doubtful_links
from stamina_video.data.families import families
from stamina_video.data.links import links_of
from stamina_video.data.pool import Pool
from stamina_video.data.questions import parent_of
from stamina_video.data.reach import reachable_queries
from stamina_video.data.splits import TRAIN, split_of
from stamina_video.data.trajectory import Mask, Trajectory


class Removal(StrEnum):
    MEDIA = "evaluation-media descendants"
    FAMILY = "held-out supervision families"
    GRAPH = "graph-incompatible endpoints"
    UNSUPPORTED = "other unsupported records"


@dataclass(frozen=True, slots=True)
class Exclusions:
    """What must not be learned from: media by name or hash, targets, and records a check found at fault."""

    media: frozenset[str] = frozenset()
    targets: tuple[Trajectory, ...] = ()
    faulty: frozenset[str] = frozenset()  # ids of queries or trajectories


@dataclass(frozen=True, slots=True)
class Coverage:
    """Supervision of the selected queries. The first three partition them; stability overlaps."""

    endpoint_only: int
    identity: int
    boundary: int
    stable: int


@dataclass(frozen=True, slots=True)
class SelectionTable:
    """One split's way from the pool to what may be used."""

    pool: int
    removed: dict[str, int]
    selected: int
    parents: int
    overlapping_parents: int  # … with the held-out set: seen before, but in other families
    overlapping_queries: int
    coverage: Coverage


@dataclass(frozen=True, slots=True)
class Selection:
    """Every query with its split, family and removal; null where it was selected."""

    queries: pl.DataFrame
    held_out_parents: frozenset[str]

    def selected(self, split: str) -> pl.DataFrame:
        return self.queries.filter((pl.col("split") == split) & pl.col("removed").is_null())

    def table(self, split: str) -> SelectionTable:
        pool = self.queries.filter(pl.col("split") == split)
        kept = self.selected(split)
        shared = kept.filter(pl.col("parent").is_in(sorted(self.held_out_parents)))
        removed = dict(pool.drop_nulls("removed").group_by("removed").len().iter_rows())
        return SelectionTable(
            pool.height,
            {str(removal): removed.get(str(removal), 0) for removal in Removal},
            kept.height,
            kept["parent"].n_unique(),
            shared["parent"].n_unique(),
            shared.height,
            coverage(kept),
        )


def coverage(queries: pl.DataFrame) -> Coverage:
    identity, boundary = int(queries["identity"].sum()), int(queries["boundary"].sum())
    return Coverage(queries.height - identity - boundary, identity, boundary, int(queries["stable"].sum()))


def select(
    pool: Pool, exclusions: Exclusions, fps: float = 1.0, share: float = 0.1, seed: int = 0
) -> Selection:
    """Families come before anything is expanded into rows, and before any split is looked at."""
    records = pool.trajectories.select(
        pl.col("id").alias("trajectory"),
        "scope",
        "origin",
        _is_descendant(exclusions.media).alias("from_evaluation"),
        pl.col("masks").list.contains(str(Mask.COUNT)).alias("counted"),
    ).with_columns(
        split_of(pool.trajectories, share, seed), *_families(pool.trajectories, exclusions.targets)
    )
    # The records come once each: a double id would multiply its queries.
    queries = pool.queries.join(
        records.unique("trajectory", keep="first", maintain_order=True),
        on="trajectory",
        how="left",
        maintain_order="left",
    )
    unknown = pl.col("counted").is_null()
    faulty = pl.any_horizontal(pl.col("id", "trajectory").is_in(sorted(exclusions.faulty)))
    reached = reachable_queries(queries.with_columns(pl.col("origin").fill_null(0.0)), fps)
    removed = (
        pl.when(pl.col("from_evaluation")).then(pl.lit(str(Removal.MEDIA)))
        .when(pl.col("held_out")).then(pl.lit(str(Removal.FAMILY)))
        .when(~reached).then(pl.lit(str(Removal.GRAPH)))
        .when(unknown | ~pl.col("counted") | faulty).then(pl.lit(str(Removal.UNSUPPORTED)))
    )  # fmt: skip
    parents = frozenset(trajectory.parent for trajectory in exclusions.targets)
    # A query without its trajectory belongs to no split; it is counted where it would have done harm.
    split = pl.col("split").fill_null(TRAIN)
    return Selection(queries.with_columns(split, removed.alias("removed")), parents)


def _families(trajectories: pl.DataFrame, held_out: Sequence[Trajectory]) -> list[pl.Series]:
    """Each trajectory's family, and whether a held-out target touches it."""
    links = trajectories["links"].cast(pl.List(pl.String))
    mine = pl.Series("links", [links_of(trajectory) for trajectory in held_out], pl.List(pl.String))
    joined = pl.concat([links.rename("links"), mine])
    family = pl.Series("family", families(joined, list(doubtful_links(trajectories, held_out))))
    touched = family[trajectories.height :].unique()
    ours = family[: trajectories.height]
    return [ours, ours.is_in(touched.implode()).alias("held_out")]


def _is_descendant(media: Iterable[str]) -> pl.Expr:
    """Whether the video, its file, its content or anything it was made from is evaluation media."""
    names = sorted({name for item in media for name in (item, parent_of(item))})
    listed = pl.lit(pl.Series(names, dtype=pl.String)).implode()
    stems = pl.col("media").str.replace(r"^.*/", "").str.replace(r"\.[^.]*$", "")
    made_from = pl.col("ancestors").list.set_intersection(names).list.len() > 0
    return (
        pl.col("parent").is_in(listed)
        | stems.is_in(listed)
        | pl.col("media_sha256").is_in(listed)
        | made_from.fill_null(False)
    )
