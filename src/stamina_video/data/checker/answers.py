"""Recomputes every answer from the endpoints it must follow from."""

from collections.abc import Iterator

import polars as pl

from stamina_video.data.checker.report import Fault, found


def answer_faults(asked: pl.DataFrame, endpoints: pl.DataFrame) -> Iterator[Fault]:
    """Every answer again, from the endpoints it must follow from."""
    col = pl.col
    ends = (
        endpoints.filter("supported")
        .select(pl.col("id").alias("trajectory"), "time", "since", "count")
        .unique(["trajectory", "time"], keep="first")
    )
    right = ends.rename({"since": "labelled_since", "count": "right"})
    left = ends.select("trajectory", pl.col("time").alias("since"), pl.col("count").alias("left"))
    joined = (
        asked.filter(col("of").is_not_null())
        .join(right, on=["trajectory", "time"], how="left", maintain_order="left")
        .join(left, on=["trajectory", "since"], how="left", maintain_order="left")
    )
    own = col("of") == col("operator")
    expected = pl.when(own).then(col("right")).otherwise(col("right") - col("left"))
    same_window = col("since").eq_missing(col("labelled_since"))
    yield from found(
        joined,
        "unsupported endpoint",
        col("right").is_null() | (~own & col("left").is_null()),
        pl.format("expected a supported endpoint at {} s and where the window opens, got none", "time"),
    )
    yield from found(
        joined,
        "wrong answer",
        expected.is_not_null() & col("answer").ne_missing(expected),
        pl.format("expected {} from its endpoints, got {}", expected, col("answer").fill_null(-1)),
    )
    yield from found(
        joined,
        "wrong window",
        col("right").is_not_null() & own & ~same_window,
        pl.format("expected the window of its label at {} s, got another", "time"),
    )
