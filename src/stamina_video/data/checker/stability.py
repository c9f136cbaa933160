"""Checks what is called stable against the verified stable intervals, and these against the counts."""

from collections.abc import Iterator

import polars as pl

from stamina_video.data.checker.report import TOLERANCE, Fault, found


def stability_faults(
    asked: pl.DataFrame, trajectories: pl.DataFrame, endpoints: pl.DataFrame
) -> Iterator[Fault]:
    """A stable query lies within one verified interval, and within none of them does a count change."""
    col = pl.col
    spans = (
        trajectories.filter(col("masks").list.contains("stable"))
        .select(pl.col("id").alias("trajectory"), "stable")
        .explode("stable")
        .drop_nulls("stable")
        .unnest("stable")
        .sort("start")
    )
    opens = pl.coalesce("since", col("time").shift().over("group"), "origin").clip(lower_bound=0)
    claimed = asked.with_columns(opens=opens).filter(col("stable") & col("of").is_not_null())
    yield from found(
        _within(claimed, "opens", spans),
        "unverified supervision",
        ~(col("end") >= col("time") - TOLERANCE).fill_null(False),
        pl.format("expected a verified stable interval up to {} s, got none", "time"),
    )
    held = endpoints.filter("supported").with_columns(trajectory=col("id"))
    # At its very end an interval gives way to the next.
    inside = _within(held, "time", spans).filter(col("time") < col("end") - TOLERANCE)
    yield from found(
        inside.group_by("id", "start", maintain_order=True).agg(col("count").n_unique()),
        "broken stability",
        col("count") > 1,
        pl.format("expected one count in the stable interval from {} s, got {}", "start", "count"),
    )


def _within(rows: pl.DataFrame, time: str, spans: pl.DataFrame) -> pl.DataFrame:
    """Each row with the last interval of its trajectory that has begun by then."""
    timed = rows.filter(pl.col(time).is_finite()).with_columns(begun=pl.col(time) + TOLERANCE).sort("begun")
    return timed.join_asof(
        spans, left_on="begun", right_on="start", by="trajectory", strategy="backward", check_sortedness=False
    )
