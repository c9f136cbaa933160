"""What a ledger needs of a place that keeps rows. Stores know nothing of order, totals or digests."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol

from stamina_video.ledger.memory import MemoryStore
from stamina_video.ledger.rows import Point, Row, Track
from stamina_video.semantics import InvalidInput
from stamina_video.semantics.flow import shortened


class Store(Protocol):
    name: str  # an address fit to be shown: without a password

    def claim(self, stream: str) -> None:
        """Become the stream's only writer until closed, or raise StreamBusy."""
        ...

    def insert(self, rows: Sequence[Row]) -> None:
        """Keep all of these rows or none; on return they survive a crash. Refuses an evidence id it knows."""
        ...

    def find(self, stream: str, evidence_ids: Collection[str]) -> list[Row]:
        """The rows with these evidence ids."""
        ...

    def heads(self, stream: str, target: str | None = None) -> list[Row]:
        """The last row of every measure of every target (or of this one), facts included."""
        ...

    def landmarks(self, stream: str, after: int = 0) -> list[Row]:
        """The segment and target records behind this row id, in order."""
        ...

    def points(self, track: Track, low: float, high: float, limit: int, latest: bool) -> list[Point]:
        """At most `limit` points with low <= time <= high, in order; the last ones if `latest`."""
        ...

    def track_rows(self, track: Track, low: float, high: float) -> list[Row]:
        """The rows of one track with low <= time <= high, in order."""
        ...

    def target_rows(self, stream: str, target: str, measure: str | None = None) -> list[Row]:
        """The rows of one target through all segments, in order of arrival."""
        ...

    def stream_rows(self, stream: str, after: int, limit: int) -> list[Row]:
        """At most `limit` rows of a stream behind this row id, in order of arrival."""
        ...

    def last_rows(self, stream: str, limit: int) -> list[Row]:
        """The last rows of a stream, at most so many, in order of arrival."""
        ...

    def streams(self) -> list[str]: ...

    def check(self) -> None:
        """Check the medium itself, where it can be; raise LedgerCorrupt."""
        ...

    def close(self) -> None: ...


def open_store(address: str | Path, readonly: bool) -> Store:
    """The store behind an address. A database's driver is imported only when it is asked for."""
    if address == ":memory:":
        return MemoryStore()
    if isinstance(address, str) and address.startswith(("postgresql://", "postgres://")):
        from stamina_video.ledger.postgres import PostgresStore  # noqa: PLC0415 - an optional driver

        return PostgresStore(address, readonly)
    words = str(address) if isinstance(address, str | Path) else ""
    if not words.strip() or "://" in words or "\0" in words:
        raise InvalidInput(
            f"expected a ledger's path, ':memory:' or a postgresql:// address, got {shortened(address)}"
        )
    from stamina_video.ledger.sqlite import SqliteStore  # noqa: PLC0415 - half of the import time

    return SqliteStore(Path(address), readonly)
