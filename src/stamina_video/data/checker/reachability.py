"""Which counts no event path reaches at a rate: the paper's bounds, not the exact search of selection."""

from collections.abc import Iterator

import polars as pl

from stamina_video.data.checker.report import Fault, found


def unreachable(asked: pl.DataFrame, fps: float) -> Iterator[Fault]:
    """Counts above what the observations allow: in all, and since the endpoint before."""
    col = pl.col
    events = asked.filter(
        col("of").is_not_null() & col("operator").str.starts_with("E") & col("time").is_finite()
    ).with_columns(
        seen=((col("time") - col("origin")) * fps + 1e-9).floor().cast(pl.Int64) + 1,
        slots=pl.when(col("scope") == "global").then(1).otherwise(4),
    )
    total, since = (
        _ceiling(col("seen"), True),
        _ceiling(col("seen") - col("seen").shift().over("group"), False),
    )
    gained = col("answer") - col("answer").shift().over("group")
    yield from found(
        events,
        "unreachable",
        (col("answer") > total) | (gained > since).fill_null(False),
        pl.format(
            "{} completions are out of reach of {} observations at {} fps", "answer", "seen", pl.lit(fps)
        ),
    )


def _ceiling(seen: pl.Expr, from_rest: bool) -> pl.Expr:
    """The paper's bounds; in mid-stream a slot may be about to complete already."""
    operator = pl.col("operator")
    return pl.col("slots") * (
        pl.when(operator == "E2-Periodic").then((seen + (0 if from_rest else 1)) // 2)
        .when(operator == "E2-Episode").then((seen + (1 if from_rest else 2)) // 3)
        .otherwise((seen + 1) // 2)
    )  # fmt: skip
