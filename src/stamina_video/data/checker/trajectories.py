"""Checks of the trajectories themselves: ids, parents, order of time, trends."""

from collections.abc import Iterator

import polars as pl

from stamina_video.data.checker.report import CUMULATIVE, NEVER_NEGATIVE, Fault, bad_time, found


def endpoints_of(trajectories: pl.DataFrame) -> pl.DataFrame:
    flat = trajectories.select("id", "operator", "endpoints").explode("endpoints").drop_nulls("endpoints")
    return flat.unnest("endpoints").with_columns(
        supported=pl.col("count").is_not_null() & (pl.col("evidence").list.len() > 0)
    )


def duplicates(records: pl.DataFrame, what: str) -> Iterator[Fault]:
    again = pl.col("id").is_duplicated()
    yield from found(records.select("id"), "duplicate id", again, pl.lit(f"expected each {what} once"))


def trajectory_faults(trajectories: pl.DataFrame, endpoints: pl.DataFrame) -> Iterator[Fault]:
    col = pl.col
    yield from found(
        trajectories,
        "missing parent",
        col("parent").is_null() | (col("parent").str.strip_chars() == ""),
        pl.lit("expected the name of its parent, got none"),
    )
    yield from found(
        endpoints,
        "bad time",
        bad_time("time"),
        pl.format("expected an endpoint's time, finite and not negative, got {}", col("time").fill_null(-1)),
    )
    yield from found(
        endpoints.with_columns(earlier=col("time").shift().over("id")),
        "out of order",
        col("time") <= col("earlier"),
        pl.format("expected ascending endpoints, got {} after {}", "time", "earlier"),
    )
    held = endpoints.filter("supported").with_columns(before=col("count").shift().over("id"))
    yield from found(
        held,
        "broken trend",
        col("operator").is_in(CUMULATIVE) & (col("count") < col("before")),
        pl.format(
            "expected {} never to fall, got {} after {} at {} s", "operator", "count", "before", "time"
        ),
    )
    yield from found(
        held,
        "broken trend",
        col("operator").is_in(NEVER_NEGATIVE) & (col("count") < 0),
        pl.format("expected {} from 0, got {} at {} s", "operator", "count", "time"),
    )


def ancestry_faults(trajectories: pl.DataFrame) -> Iterator[Fault]:
    """A derived trajectory names an existing one of the same parent."""
    source = trajectories.select(
        pl.col("id").alias("source"), pl.col("parent").alias("source_parent")
    ).unique("source")
    derived = (
        trajectories.select("id", "parent", source=pl.col("provenance").struct.field("derived_from"))
        .filter(pl.col("source").fill_null("") != "")
        .join(source, on="source", how="left", maintain_order="left")
    )
    missing = pl.col("source_parent").is_null()
    yield from found(
        derived,
        "missing parent",
        missing,
        pl.format("expected its source {} in the pool, got none", "source"),
    )
    yield from found(
        derived,
        "parent mismatch",
        ~missing & (pl.col("parent") != pl.col("source_parent")),
        pl.format("expected the parent of its source, {}, got {}", "source_parent", "parent"),
    )
