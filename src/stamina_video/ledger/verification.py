"""Recomputes a stream from its first commit and names the first row that disagrees."""

import hashlib
from collections import defaultdict
from math import inf, nextafter

from stamina_video.ledger.rows import Point, Row, Track
from stamina_video.ledger.store import Store
from stamina_video.ledger.tail import Tail
from stamina_video.semantics import LedgerCorrupt, StaminaError

_CHUNK = 1_000
_NO_LIMIT = 2**62


class _Digest:
    """A running digest of a track's points, so that two long lists compare without being kept."""

    def __init__(self) -> None:
        self.count = 0
        self._hash = hashlib.blake2b(digest_size=16)

    def add(self, point: Point) -> None:
        self.count += 1
        self._hash.update(repr(tuple(point)).encode())

    def value(self) -> bytes:
        return self._hash.digest()


def verify(store: Store, stream: str) -> int:
    """The number of rows of a stream in good order; LedgerCorrupt names the first bad one."""
    tail, after, count = Tail(), 0, 0
    tracks: dict[Track, _Digest] = defaultdict(_Digest)
    while rows := store.stream_rows(stream, after, _CHUNK):
        for row in rows:
            _check_row(store.name, tail, row)
            tracks[row.track].add(row.point)
        _check_found(store, stream, rows)
        after, count = rows[-1].id, count + len(rows)
    for track, expected in tracks.items():
        _check_index(store, track, expected)
    return count


def _check_row(ledger: str, tail: Tail, row: Row) -> None:
    where = f"{ledger}: row {row.id} of stream {row.commit.stream!r}"
    try:
        expected = tail.place(row.commit)
    except StaminaError as error:
        raise LedgerCorrupt(f"{where} breaks the rules: {error}") from error
    for name in ("segment", "total", "gained"):
        if getattr(row, name) != getattr(expected, name):
            raise LedgerCorrupt(
                f"{where}: expected {name} {getattr(expected, name)}, got {getattr(row, name)}"
            )
    if row.digest != expected.digest:
        raise LedgerCorrupt(f"{where}: its digest does not follow from its content and the rows before it")


def _check_found(store: Store, stream: str, rows: list[Row]) -> None:
    """Every evidence id must lead back to its row and to no other."""
    found = sorted(row.id for row in store.find(stream, [row.commit.evidence_id for row in rows]))
    expected = [row.id for row in rows]
    if found != expected:
        bad = min(set(found) ^ set(expected), default=expected[0])
        where = f"{store.name}: row {bad} of stream {stream!r}"
        raise LedgerCorrupt(f"{where}: the index of evidence ids disagrees with it")


def _check_index(store: Store, track: Track, expected: _Digest) -> None:
    """The as-of index must list the same points; what a writer added meanwhile is not compared."""
    got = _Digest()
    low = -inf
    while got.count < expected.count:
        points = _points_from(store, track, low)[: expected.count - got.count]
        for point in points:
            got.add(point)
        if not points:
            break
        low = nextafter(points[-1].time, inf)
    if got.value() != expected.value():
        raise LedgerCorrupt(
            f"{store.name}: the time index of {track.target!r} ({track.measure or 'facts'}) in stream "
            f"{track.stream!r}, segment {track.segment}, disagrees with its rows"
        )


def _points_from(store: Store, track: Track, low: float) -> list[Point]:
    """Some points from a time on that end with all rows of the last one's time."""
    points = store.points(track, low, inf, _CHUNK, latest=False)
    if len(points) < _CHUNK:
        return points
    last = points[-1].time
    tied = store.points(track, last, last, _NO_LIMIT, latest=False)
    return [point for point in points if point.time < last] + tied
