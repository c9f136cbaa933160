"""A compiled query: what is asked, when, what may be looked at, and the whole number that answers it."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from stamina_video.semantics import MissingExtra, Operator, UnreadableFile

try:
    import polars as pl
except ImportError:
    raise MissingExtra("expected polars for tables, got none: pip install 'stamina-video[data]'") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One row. `group` is the question it belongs to; times are seconds of the segment."""

    id: str
    group: str
    trajectory: str
    parent: str
    scene: str
    source: str  # the inventory's group: spatial, natural, periodic, …
    media: str
    media_sha256: str
    operator: Operator
    target: str
    question: str
    time: float
    since: float | None
    scope_start: float  # nothing before or after this stretch may be looked at
    scope_end: float
    answer: int
    identity: bool  # supervision beyond the count
    boundary: bool
    stable: bool


SCHEMA = {
    "id": pl.String,
    "group": pl.String,
    "trajectory": pl.String,
    "parent": pl.String,
    "scene": pl.String,
    "source": pl.String,
    "media": pl.String,
    "media_sha256": pl.String,
    "operator": pl.String,
    "target": pl.String,
    "question": pl.String,
    "time": pl.Float64,
    "since": pl.Float64,
    "scope_start": pl.Float64,
    "scope_end": pl.Float64,
    "answer": pl.Int64,
    "identity": pl.Boolean,
    "boundary": pl.Boolean,
    "stable": pl.Boolean,
}


def query_table(queries: Iterable[Query]) -> pl.DataFrame:
    rows = list(queries)
    columns = {name: [getattr(query, name) for query in rows] for name in SCHEMA}
    columns["operator"] = [str(operator) for operator in columns["operator"]]
    return pl.DataFrame(columns, SCHEMA)


def read_table(path: Path, columns: Iterable[str]) -> pl.DataFrame:
    """A Parquet table that has at least these columns."""
    wanted = list(columns)
    try:
        table = pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0]
        raise UnreadableFile(f"{path}: expected a Parquet table, got {reason}") from None
    missing = [name for name in wanted if name not in table.columns]
    if missing:
        raise UnreadableFile(f"{path}: expected a column {missing[0]!r}, got none")
    return table


def read_queries(path: Path) -> pl.DataFrame:
    return read_table(path, SCHEMA)
