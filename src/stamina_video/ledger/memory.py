"""A store that lives and ends with its process. Its rows are copied in and out: evidence can be changed."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from copy import copy, deepcopy
from dataclasses import replace

from stamina_video.ledger.rows import Point, Row, Track
from stamina_video.semantics import Kind, LedgerError


class MemoryStore:
    name = ":memory:"

    def __init__(self) -> None:
        self._streams: dict[str, list[Row]] = {}
        self._tracks: dict[Track, tuple[array[float], list[Row]]] = {}
        self._heads: dict[str, dict[tuple[str, str], Row]] = {}
        self._landmarks: dict[str, list[Row]] = {}
        self._found: dict[tuple[str, str], Row] = {}
        self._size = 0

    def claim(self, stream: str) -> None:
        pass  # one process, one ledger: there is nobody to keep out

    def insert(self, rows: Sequence[Row]) -> None:
        for row in rows:
            if (row.commit.stream, row.commit.evidence_id) in self._found:
                raise LedgerError(f"expected an evidence id not seen before, got {row.commit.evidence_id!r}")
        for row in rows:
            self._size += 1
            self._put(replace(_copied(row), id=self._size))

    def _put(self, row: Row) -> None:
        commit = row.commit
        self._streams.setdefault(commit.stream, []).append(row)
        self._found[commit.stream, commit.evidence_id] = row
        self._heads.setdefault(commit.stream, {})[commit.target, row.measure] = row
        times, kept = self._tracks.setdefault(row.track, (array("d"), []))
        times.append(commit.time)
        kept.append(row)
        if commit.kind in (Kind.SEGMENT, Kind.TARGET):
            self._landmarks.setdefault(commit.stream, []).append(row)

    def find(self, stream: str, evidence_ids: Collection[str]) -> list[Row]:
        keys = ((stream, evidence_id) for evidence_id in evidence_ids)
        return [_copied(self._found[key]) for key in keys if key in self._found]

    def heads(self, stream: str, target: str | None = None) -> list[Row]:
        heads = self._heads.get(stream, {}).values()
        return [_copied(row) for row in heads if target is None or row.commit.target == target]

    def landmarks(self, stream: str, after: int = 0) -> list[Row]:
        return [_copied(row) for row in self._landmarks.get(stream, []) if row.id > after]

    def points(self, track: Track, low: float, high: float, limit: int, latest: bool) -> list[Point]:
        times, rows = self._tracks.get(track, (array("d"), []))
        start, stop = bisect_left(times, low), bisect_right(times, high)
        if latest:
            start = max(start, stop - limit)
        return [row.point for row in rows[start : min(stop, start + limit)]]

    def track_rows(self, track: Track, low: float, high: float) -> list[Row]:
        times, rows = self._tracks.get(track, (array("d"), []))
        return [_copied(row) for row in rows[bisect_left(times, low) : bisect_right(times, high)]]

    def target_rows(self, stream: str, target: str, measure: str | None = None) -> list[Row]:
        return [
            _copied(row)
            for row in self._streams.get(stream, [])
            if row.commit.target == target and measure in (None, row.measure)
        ]

    def stream_rows(self, stream: str, after: int, limit: int) -> list[Row]:
        rows = self._streams.get(stream, [])
        start = bisect_right(rows, after, key=lambda row: row.id)
        return [_copied(row) for row in rows[start : start + limit]]

    def last_rows(self, stream: str, limit: int) -> list[Row]:
        rows = self._streams.get(stream, [])
        return [_copied(row) for row in rows[max(len(rows) - limit, 0) :]]

    def streams(self) -> list[str]:
        return sorted(self._streams)

    def check(self) -> None:
        pass

    def close(self) -> None:
        pass


def _copied(row: Row) -> Row:
    commit = copy(row.commit)
    object.__setattr__(commit, "evidence", deepcopy(row.commit.evidence))
    return replace(row, commit=commit)
