"""A pool of simulated records in the proportions of the paper's inventory, at any size."""

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from stamina_video.data.frame_map import FrameMap
from stamina_video.data.pool import Pool
from stamina_video.data.query import SCHEMA
from stamina_video.data.trajectory import Media, Provenance, Supported, Trajectory, group_of
from stamina_video.semantics import Operator, Target

QUERIES, GROUPS, PARENTS = 53_592, 15_521, 383
INVENTORY = {  # queries of each operator
    Operator.O1_SNAP: 16_379,
    Operator.O1_DELTA: 6_746,
    Operator.O2_UNIQUE: 10_627,
    Operator.O2_GAIN: 6_077,
    Operator.E1_ACTION: 4_606,
    Operator.E1_TRANSIT: 885,
    Operator.E2_EPISODE: 1_618,
    Operator.E2_PERIODIC: 6_654,
}
BASE = {Operator.O1_DELTA: Operator.O1_SNAP, Operator.O2_GAIN: Operator.O2_UNIQUE}
ENDPOINTS, EVERY = 12, 5.0  # of each trajectory, and the seconds between them

Ints = NDArray[np.int64]


def simulated_trajectories(number: int, prefix: str = "simulated") -> Iterator[Trajectory]:
    """Records in memory, a fortieth of them with a wording that another target shares."""
    operators = [operator for operator in INVENTORY if not operator.windowed]
    for index in range(number):
        operator, parent = operators[index % len(operators)], f"video {index % PARENTS}"
        yield Trajectory(
            id=f"{prefix}-{index}",
            parent=parent,
            scene=f"scene {index % PARENTS // 3}",
            media=Media(f"{parent}.mp4"),
            segment="whole",
            frame_map=FrameMap.whole(60.0),
            target=Target(_word(index), operator),
            question=f"How many {_word(index)} so far?",
            provenance=Provenance("simulated", str(index), group_of(operator)),
            endpoints=tuple(Supported(EVERY * step, step, ("drawn",)) for step in range(1, 4)),
        )


def simulated_pool(times: int = 1) -> Pool:
    """Tables of this many times the paper's queries and groups."""
    queries_O = [times * queries for queries in INVENTORY.values()]
    groups_O = _shares(times * GROUPS, queries_O)
    trajectories, queries, first = [], [], {}
    start = 0
    for operator, groups in zip(INVENTORY, groups_O, strict=True):
        first[operator] = start
        if not operator.windowed:
            trajectories.append(_trajectories(operator, start, groups, times * PARENTS))
            start += groups
    sizes = dict(zip(INVENTORY, groups_O, strict=True))
    for operator, groups, count in zip(INVENTORY, groups_O, queries_O, strict=True):
        base = BASE.get(operator, operator)
        index_G = first[base] + np.arange(groups) % sizes[base]
        size_G = count // groups + (np.arange(groups) < count % groups)
        queries.append(_queries(operator, base, index_G, size_G, times * PARENTS))
    return Pool(pl.concat(trajectories), pl.concat(queries))


def _shares(total: int, weights: list[int]) -> list[int]:
    """Whole numbers in these proportions that add up."""
    edges = np.round(np.cumsum([0, *weights]) * total / sum(weights)).astype(int)
    return [int(size) for size in np.diff(edges)]


def _word(index: int) -> str:
    return f"kind{index // PARENTS % 40}"


def _common(index_N: Ints, parents: int) -> list[pl.Series]:
    parent = pl.Series("parent", index_N % parents)
    return [
        pl.select(pl.format("video {}", parent)).to_series().alias("parent"),
        pl.select(pl.format("scene {}", parent // 3)).to_series().alias("scene"),
        pl.select(pl.format("video {}.mp4", parent)).to_series().alias("media"),
        pl.select(pl.format("kind{}", pl.Series(index_N // parents % 40))).to_series().alias("target"),
    ]


def _trajectories(operator: Operator, start: int, groups: int, parents: int) -> pl.DataFrame:
    index_N = start + np.arange(groups)
    step_E = np.tile(np.arange(1, ENDPOINTS + 1), groups)
    ends = pl.DataFrame(
        {"row": np.repeat(index_N, ENDPOINTS), "time": EVERY * step_E, "count": step_E}
    ).with_columns(evidence=pl.lit(["drawn"]), since=pl.lit(None, pl.Float64))
    endpoints = ends.group_by("row", maintain_order=True).agg(pl.struct("time", "count", "evidence", "since"))
    nothing = pl.lit([], pl.List(pl.String))
    span = pl.List(pl.Struct({"start": pl.Float64, "end": pl.Float64}))
    return pl.DataFrame(
        [
            pl.select(pl.format("simulated-{}", pl.Series(index_N))).to_series().alias("id"),
            *_common(index_N, parents),
            endpoints["time"].alias("endpoints"),
        ]
    ).with_columns(
        media_sha256=pl.lit(""),
        operator=pl.lit(str(operator)),
        scope=pl.lit("global" if operator is Operator.E2_PERIODIC else "entity"),
        origin=pl.lit(0.0),
        aliases=nothing,
        possible_aliases=nothing,
        ancestors=nothing,
        masks=pl.lit(["count", "stable"]),
        tracks=nothing,
        marks=nothing,
        stable=pl.lit(
            [{"start": EVERY * step + 1, "end": EVERY * (step + 1) + 1} for step in range(1, 4)], span
        ),
        provenance=pl.struct(derived_from=pl.lit("")),
        links=pl.concat_list(
            pl.format("{}\tword {}", "parent", "target"), pl.format("{}\ttrajectory {}", "parent", "id")
        ),
    )


def _queries(operator: Operator, base: Operator, index_G: Ints, size_G: Ints, parents: int) -> pl.DataFrame:
    index_Q = np.repeat(index_G, size_G)
    group_Q = np.repeat(np.arange(len(index_G)), size_G)
    start_Q = np.repeat(np.cumsum(size_G) - size_G, size_G)
    step_Q = np.arange(len(index_Q)) - start_Q + 2
    windowed = operator is not base
    table = pl.DataFrame(
        [
            pl.select(pl.format("simulated-{}", pl.Series(index_Q))).to_series().alias("trajectory"),
            *_common(index_Q, parents),
            pl.Series("number", group_Q),
            pl.Series("time", EVERY * step_Q),
            pl.Series("answer", np.ones_like(step_Q) if windowed else step_Q),
        ]
    )
    return (
        table.with_columns(group=pl.format(f"{operator} {{}}", "number"))
        .with_columns(
            id=pl.format("{}@{}", "group", "time"),
            source=pl.lit(group_of(operator)),
            media_sha256=pl.lit(""),
            operator=pl.lit(str(operator)),
            question=pl.format("How many {} so far?", "target"),
            since=pl.col("time") - EVERY if windowed else pl.lit(None, pl.Float64),
            scope_start=pl.lit(0.0),
            scope_end=pl.col("time"),
            identity=pl.lit(False),
            boundary=pl.lit(False),
            stable=pl.lit(False),
        )
        .select(list(SCHEMA))
    )
