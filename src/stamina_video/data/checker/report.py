"""What a check found: faults by kind, record and reason."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from stamina_video.semantics import MissingExtra

try:
    import polars as pl
except ImportError:
    raise MissingExtra("expected polars to check data, got none: pip install 'stamina-video[data]'") from None

CUMULATIVE = ("O2-Unique", "E1-Action", "E1-Transit", "E2-Episode", "E2-Periodic")
NEVER_NEGATIVE = ("O1-Snap", "O2-Gain", *CUMULATIVE)
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


def found(rows: pl.DataFrame, kind: str, broken: pl.Expr, reason: pl.Expr) -> Iterator[Fault]:
    """A fault for each row where `broken` holds; the reason is put into words for those rows alone."""
    for id_, why in rows.filter(broken).select(pl.col("id").fill_null("?"), reason.alias("why")).iter_rows():
        yield Fault(kind, id_, why or "expected a value, got none")


def bad_time(column: str) -> pl.Expr:
    return ~(pl.col(column).is_finite() & (pl.col(column) >= 0)).fill_null(False)
