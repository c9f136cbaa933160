"""Checks a pool without trusting what made it: reads the two tables and recomputes everything it can.

A second implementation on purpose. It shares no code with the compiler or the records: column names and
the paper's definitions are all the two have in common.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from stamina_video.semantics import InvalidInput, MissingExtra, UnreadableFile

try:
    import polars as pl
except ImportError:
    raise MissingExtra("expected polars to check data, got none: pip install 'stamina-video[data]'") from None

CUMULATIVE = ("O2-Unique", "E1-Action", "E1-Transit", "E2-Episode", "E2-Periodic")
NEVER_NEGATIVE = ("O1-Snap", "O2-Unique", "O2-Gain", "E1-Action", "E1-Transit", "E2-Episode", "E2-Periodic")
DERIVED_FROM = {"O1-Delta": "O1-Snap", "O2-Gain": "O2-Unique"}
TOLERANCE = 1e-6  # seconds; times are stored with six decimals at best


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with one record."""

    kind: str
    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked, what is wrong, and which endpoints no event path reaches at this rate."""

    trajectories: int
    queries: int
    faults: tuple[Fault, ...]
    unreachable: tuple[Fault, ...]

    @property
    def by_kind(self) -> dict[str, int]:
        return dict(Counter(fault.kind for fault in self.faults))


def check_pool(folder: Path, videos: Path | None = None, fps: float = 1.0) -> Report:
    """Check a pool's files; with a folder of videos, their hashes too."""
    trajectories = _read(folder / "trajectories.parquet")
    queries = _read(folder / "queries.parquet")
    return check_tables(trajectories, queries, videos, fps)


def check_tables(
    trajectories: pl.DataFrame, queries: pl.DataFrame, videos: Path | None = None, fps: float = 1.0
) -> Report:
    if not 0 < fps < float("inf"):
        raise InvalidInput(f"expected a frame rate above zero, got {fps!r}")
    endpoints = _endpoints(trajectories)
    # A double id is a fault of its own; joining on it would only multiply the others.
    known = trajectories.unique("id", keep="first", maintain_order=True)
    asked = queries.join(
        known.select(
            pl.col("id").alias("trajectory"),
            pl.col("operator").alias("of"),
            pl.col("parent", "scene", "media", "media_sha256", "target").name.prefix("their_"),
            "scope",
            "origin",
            "masks",
            _any("tracks").alias("has_tracks"),
            _any("marks").alias("has_marks"),
        ),
        on="trajectory",
        how="left",
        maintain_order="left",
    )
    faults = [
        *_trajectory_faults(trajectories, endpoints),
        *_query_faults(asked),
        *_answer_faults(asked, endpoints),
        *_stability_faults(asked, known),
        *([] if videos is None else _media_faults(known, videos)),
    ]
    return Report(trajectories.height, queries.height, tuple(faults), tuple(_unreachable(asked, fps)))


def _read(path: Path) -> pl.DataFrame:
    try:
        return pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise UnreadableFile(f"{path}: expected a Parquet table, got {str(error).splitlines()[0]}") from None


def _any(column: str) -> pl.Expr:
    return pl.col(column).list.len().fill_null(0) > 0


def _faults(rows: pl.DataFrame, kind: str, broken: pl.Expr, reason: pl.Expr) -> Iterator[Fault]:
    """A fault for each row where `broken` holds; the reason is put into words for those rows alone."""
    for id_, why in rows.filter(broken).select(pl.col("id").fill_null("?"), reason.alias("why")).iter_rows():
        yield Fault(kind, id_, why or "expected a value, got none")


def _endpoints(trajectories: pl.DataFrame) -> pl.DataFrame:
    flat = trajectories.select("id", "operator", "endpoints").explode("endpoints").drop_nulls("endpoints")
    return flat.unnest("endpoints").with_columns(
        supported=pl.col("count").is_not_null() & (pl.col("evidence").list.len() > 0)
    )


def _bad_time(column: str) -> pl.Expr:
    return ~(pl.col(column).is_finite() & (pl.col(column) >= 0)).fill_null(False)


def _trajectory_faults(trajectories: pl.DataFrame, endpoints: pl.DataFrame) -> Iterator[Fault]:
    col = pl.col
    yield from _faults(
        trajectories, "duplicate id", col("id").is_duplicated(), pl.lit("expected each trajectory once")
    )
    yield from _faults(
        trajectories,
        "missing parent",
        col("parent").is_null() | (col("parent").str.strip_chars() == ""),
        pl.lit("expected the name of its parent, got none"),
    )
    yield from _ancestry_faults(trajectories)
    yield from _faults(
        endpoints,
        "bad time",
        _bad_time("time"),
        pl.format("expected an endpoint's time, finite and not negative, got {}", col("time").fill_null(-1)),
    )
    yield from _faults(
        endpoints.with_columns(earlier=col("time").shift().over("id")),
        "out of order",
        col("time") <= col("earlier"),
        pl.format("expected ascending endpoints, got {} after {}", "time", "earlier"),
    )
    held = endpoints.filter("supported").with_columns(before=col("count").shift().over("id"))
    yield from _faults(
        held,
        "broken trend",
        col("operator").is_in(CUMULATIVE) & (col("count") < col("before")),
        pl.format(
            "expected {} never to fall, got {} after {} at {} s", "operator", "count", "before", "time"
        ),
    )
    yield from _faults(
        held,
        "broken trend",
        col("operator").is_in(NEVER_NEGATIVE) & (col("count") < 0),
        pl.format("expected {} from 0, got {} at {} s", "operator", "count", "time"),
    )


def _ancestry_faults(trajectories: pl.DataFrame) -> Iterator[Fault]:
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
    yield from _faults(
        derived,
        "missing parent",
        missing,
        pl.format("expected its source {} in the pool, got none", "source"),
    )
    yield from _faults(
        derived,
        "parent mismatch",
        ~missing & (pl.col("parent") != pl.col("source_parent")),
        pl.format("expected the parent of its source, {}, got {}", "source_parent", "parent"),
    )


def _query_faults(asked: pl.DataFrame) -> Iterator[Fault]:
    col, known = pl.col, pl.col("of").is_not_null()
    yield from _faults(asked, "duplicate id", col("id").is_duplicated(), pl.lit("expected each query once"))
    yield from _faults(
        asked,
        "missing parent",
        ~known,
        pl.format("expected trajectory {} in the pool, got none", "trajectory"),
    )
    for name in ("parent", "scene", "media", "media_sha256", "target"):
        kind = "wrong hash" if name == "media_sha256" else "parent mismatch"
        yield from _faults(
            asked,
            kind,
            known & col(name).ne_missing(col(f"their_{name}")),
            pl.format(
                f"expected its trajectory's {name} {{}}, got {{}}", f"their_{name}", col(name).fill_null("")
            ),
        )
    base = col("operator").replace(DERIVED_FROM)
    yield from _faults(
        asked,
        "parent mismatch",
        known & (col("of") != col("operator")) & (col("of") != base),
        pl.format("expected a count that follows from {}, got {}", "of", "operator"),
    )
    yield from _time_faults(asked)
    yield from _faults(
        asked.with_columns(before=col("answer").shift().over("group")),
        "broken trend",
        col("operator").is_in(CUMULATIVE) & (col("answer") < col("before")),
        pl.format("expected {} never to fall, got {} after {}", "operator", "answer", "before"),
    )
    yield from _faults(
        asked,
        "broken trend",
        col("operator").is_in(NEVER_NEGATIVE) & (col("answer") < 0),
        pl.format("expected {} from 0, got {}", "operator", "answer"),
    )
    for flag, evidence in (("identity", "has_tracks"), ("boundary", "has_marks")):
        verified = col(evidence) & col("masks").list.contains(flag)
        yield from _faults(
            asked,
            "unverified supervision",
            known & col(flag) & ~verified.fill_null(False),
            pl.lit(f"expected verified {flag} evidence, got none"),
        )


def _time_faults(asked: pl.DataFrame) -> Iterator[Fault]:
    col = pl.col
    yield from _faults(
        asked,
        "bad time",
        _bad_time("time"),
        pl.format("expected a query time, finite and not negative, got {}", col("time").fill_null(-1)),
    )
    yield from _faults(
        asked,
        "bad time",
        col("since").is_not_null() & ~(col("since") < col("time")).fill_null(False),
        pl.format("expected a window that opens before {}, got {}", "time", "since"),
    )
    yield from _faults(
        asked.with_columns(earlier=col("time").shift().over("group")),
        "out of order",
        col("time") <= col("earlier"),
        pl.format("expected ascending times within {}, got {} after {}", "group", "time", "earlier"),
    )
    yield from _faults(
        asked,
        "acausal scope",
        (col("scope_end") > col("time") + TOLERANCE) | (col("scope_start") != col("origin")),
        pl.format("expected media from the origin to {} s, got {} to {}", "time", "scope_start", "scope_end"),
    )


def _answer_faults(asked: pl.DataFrame, endpoints: pl.DataFrame) -> Iterator[Fault]:
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
    yield from _faults(
        joined,
        "unsupported endpoint",
        col("right").is_null() | (~own & col("left").is_null()),
        pl.format("expected a supported endpoint at {} s and where the window opens, got none", "time"),
    )
    yield from _faults(
        joined,
        "wrong answer",
        expected.is_not_null() & col("answer").ne_missing(expected),
        pl.format("expected {} from its endpoints, got {}", expected, col("answer").fill_null(-1)),
    )
    yield from _faults(
        joined,
        "wrong window",
        col("right").is_not_null() & own & ~same_window,
        pl.format("expected the window of its label at {} s, got another", "time"),
    )


def _stability_faults(asked: pl.DataFrame, trajectories: pl.DataFrame) -> Iterator[Fault]:
    """A query called stable lies within one verified stable interval."""
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
    claimed = (
        asked.with_columns(opens=opens + TOLERANCE)
        .filter(col("stable") & col("of").is_not_null() & col("opens").is_finite())
        .sort("opens")
    )
    found = claimed.join_asof(
        spans, left_on="opens", right_on="start", by="trajectory", strategy="backward", check_sortedness=False
    )
    yield from _faults(
        found,
        "unverified supervision",
        ~(col("end") >= col("time") - TOLERANCE).fill_null(False),
        pl.format("expected a verified stable interval up to {} s, got none", "time"),
    )


def _media_faults(trajectories: pl.DataFrame, videos: Path) -> Iterator[Fault]:
    """Hash every file once; a trajectory without a hash makes no claim."""
    claimed = trajectories.filter(pl.col("media_sha256").fill_null("") != "")
    found = {name: _sha256(videos / name) for name in claimed["media"].unique()}
    for id_, name, claim in claimed.select("id", "media", "media_sha256").iter_rows():
        if found[name] != claim:
            got = found[name] or "no such file"
            yield Fault("wrong hash", id_, f"expected {name} with sha256 {claim[:12]}…, got {got[:12]}")


def _sha256(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _unreachable(asked: pl.DataFrame, fps: float) -> Iterator[Fault]:
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
    yield from _faults(
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
