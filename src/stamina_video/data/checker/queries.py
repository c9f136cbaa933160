"""Checks of the queries against the trajectories they come from."""

from collections.abc import Iterator

import polars as pl

from stamina_video.data.checker.report import CUMULATIVE, NEVER_NEGATIVE, TOLERANCE, Fault, bad_time, found

DERIVED_FROM = {"O1-Delta": "O1-Snap", "O2-Gain": "O2-Unique"}


def query_faults(asked: pl.DataFrame) -> Iterator[Fault]:
    col, known = pl.col, pl.col("of").is_not_null()
    yield from found(
        asked,
        "missing parent",
        ~known,
        pl.format("expected trajectory {} in the pool, got none", "trajectory"),
    )
    for name in ("parent", "scene", "media", "media_sha256", "target"):
        kind = "wrong hash" if name == "media_sha256" else "parent mismatch"
        yield from found(
            asked,
            kind,
            known & col(name).ne_missing(col(f"their_{name}")),
            pl.format(
                f"expected its trajectory's {name} {{}}, got {{}}", f"their_{name}", col(name).fill_null("")
            ),
        )
    base = col("operator").replace(DERIVED_FROM)
    yield from found(
        asked,
        "parent mismatch",
        known & (col("of") != col("operator")) & (col("of") != base),
        pl.format("expected a count that follows from {}, got {}", "of", "operator"),
    )
    yield from _time_faults(asked)
    yield from found(
        asked.with_columns(before=col("answer").shift().over("group")),
        "broken trend",
        col("operator").is_in(CUMULATIVE) & (col("answer") < col("before")),
        pl.format("expected {} never to fall, got {} after {}", "operator", "answer", "before"),
    )
    yield from found(
        asked,
        "broken trend",
        col("operator").is_in(NEVER_NEGATIVE) & (col("answer") < 0),
        pl.format("expected {} from 0, got {}", "operator", "answer"),
    )
    for flag in ("identity", "boundary"):
        yield from found(
            asked,
            "unverified supervision",
            known & col(flag) & ~col(f"verified_{flag}"),
            pl.lit(f"expected verified {flag} evidence, got none"),
        )


def _time_faults(asked: pl.DataFrame) -> Iterator[Fault]:
    col = pl.col
    yield from found(
        asked,
        "bad time",
        bad_time("time"),
        pl.format("expected a query time, finite and not negative, got {}", col("time").fill_null(-1)),
    )
    yield from found(
        asked,
        "bad time",
        col("since").is_not_null() & ~(col("since") < col("time")).fill_null(False),
        pl.format("expected a window that opens before {}, got {}", "time", "since"),
    )
    yield from found(
        asked.with_columns(earlier=col("time").shift().over("group")),
        "out of order",
        col("time") <= col("earlier"),
        pl.format("expected ascending times within {}, got {} after {}", "group", "time", "earlier"),
    )
    yield from found(
        asked,
        "acausal scope",
        (col("scope_end") > col("time") + TOLERANCE) | (col("scope_start") != col("origin")),
        pl.format("expected media from the origin to {} s, got {} to {}", "time", "scope_start", "scope_end"),
    )
