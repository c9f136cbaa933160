"""The statements both databases share. Names are kept once, as numbers; a track is a number too."""

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any

from stamina_video.ledger.rows import Point, Row, Track, encode_evidence
from stamina_video.semantics import Commit, InvalidInput, LedgerCorrupt

SCHEMA_VERSION = 1

Record = tuple[Any, ...]

_COLUMNS = (
    "stream, track, segment, kind, delta, observation, time, evidence_id, evidence, model, recorded, "
    "total, gained, digest"
)
_SELECT = f"SELECT id, {_COLUMNS} FROM ledger_commits WHERE "
_INSERT = f"INSERT INTO ledger_commits ({_COLUMNS}) VALUES ({', '.join('?' * 14)})"
_POINTS = (
    "SELECT time, total, gained FROM ledger_commits WHERE track = ? AND segment = ? "
    "AND time >= ? AND time <= ? ORDER BY "
)
_HEADS = (
    _SELECT + "id IN (SELECT (SELECT head.id FROM ledger_commits AS head WHERE head.track = ledger_tracks.id "
    "ORDER BY head.segment DESC, head.time DESC, head.id DESC LIMIT 1) FROM ledger_tracks WHERE stream = ?"
)
_STREAMS = (
    "SELECT name FROM ledger_names WHERE EXISTS "
    "(SELECT 1 FROM ledger_commits WHERE ledger_commits.stream = ledger_names.id)"
)
_IDS_PER_QUERY = 500


_PLAIN, _HEX = b"t", b"x"


def pack_id(evidence_id: str) -> bytes:
    """An evidence id in few bytes: derived ones are 32 hexadecimal digits, and there is an index of them."""
    try:
        raw = bytes.fromhex(evidence_id)
    except ValueError:
        raw = b""
    return _HEX + raw if raw.hex() == evidence_id else _PLAIN + evidence_id.encode()


def unpack_id(packed: bytes) -> str:
    if not isinstance(packed, bytes) or packed[:1] not in (_PLAIN, _HEX):
        raise InvalidInput(f"expected a packed evidence id, got {packed!r}")
    return packed[1:].hex() if packed[:1] == _HEX else packed[1:].decode()


class SqlStore(ABC):
    """A store in a database. Subclasses connect, run statements and say what went wrong."""

    name: str

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._track_ids: dict[tuple[str, ...], int] = {}
        self._tracks: dict[int, tuple[str, str]] = {}

    @abstractmethod
    def query(self, statement: str, *values: Any) -> list[Record]: ...

    @abstractmethod
    def execute(self, statement: str, *values: Any) -> None: ...

    @abstractmethod
    def execute_all(self, statement: str, records: Sequence[Record]) -> None:
        """Run a statement for every record in one transaction."""

    def find(self, stream: str, evidence_ids: Collection[str]) -> list[Row]:
        ids = iter(evidence_ids)
        rows: list[Row] = []
        while some := list(islice(ids, _IDS_PER_QUERY)):
            marks = ", ".join("?" * len(some))
            where = f"stream = ? AND evidence_id IN ({marks})"
            rows += self._rows(where, self._id(stream), *map(pack_id, some))
        return rows

    def heads(self, stream: str, target: str | None = None) -> list[Row]:
        if target is None:
            return self._read(_HEADS + ")", self._id(stream))
        return self._read(_HEADS + " AND target = ?)", self._id(stream), self._id(target))

    def landmarks(self, stream: str, after: int = 0) -> list[Row]:
        landmarks = "stream = ? AND kind IN ('segment', 'target') AND id > ? ORDER BY id"
        return self._rows(landmarks, self._id(stream), after)

    def points(self, track: Track, low: float, high: float, limit: int, latest: bool) -> list[Point]:
        number = self._track_id(*track[:3])
        if number is None:
            return []
        order = "time DESC, id DESC LIMIT ?" if latest else "time, id LIMIT ?"
        records = self.query(_POINTS + order, number, track.segment, low, high, limit)
        points = list(map(Point._make, records))
        return points[::-1] if latest else points

    def track_rows(self, track: Track, low: float, high: float) -> list[Row]:
        where = "track = ? AND segment = ? AND time >= ? AND time <= ? ORDER BY time, id"
        return self._rows(where, self._track_id(*track[:3]), track.segment, low, high)

    def target_rows(self, stream: str, target: str, measure: str | None = None) -> list[Row]:
        tracks = "SELECT id FROM ledger_tracks WHERE stream = ? AND target = ?"
        values = [self._id(stream), self._id(target)]
        if measure is not None:
            return self._rows(f"track IN ({tracks} AND measure = ?) ORDER BY id", *values, measure)
        return self._rows(f"track IN ({tracks}) ORDER BY id", *values)

    def stream_rows(self, stream: str, after: int, limit: int) -> list[Row]:
        return self._rows("stream = ? AND id > ? ORDER BY id LIMIT ?", self._id(stream), after, limit)

    def last_rows(self, stream: str, limit: int) -> list[Row]:
        return self._rows("stream = ? ORDER BY id DESC LIMIT ?", self._id(stream), limit)[::-1]

    def streams(self) -> list[str]:
        return sorted(name for (name,) in self.query(_STREAMS))

    def insert(self, rows: Sequence[Row]) -> None:
        # New names are kept before the batch: they say nothing yet, and writers never wait on each other's.
        self.execute_all(_INSERT, [self._record(row) for row in rows])

    def _rows(self, where: str, *values: Any) -> list[Row]:
        return self._read(_SELECT + where, *values)

    def _read(self, statement: str, *values: Any) -> list[Row]:
        return [self._row(record) for record in self.query(statement, *values)]

    def _record(self, row: Row) -> Record:
        commit = row.commit
        return (
            self._interned(commit.stream),
            self._interned_track(commit.stream, commit.target, row.measure),
            row.segment,
            commit.kind.value,
            commit.delta,
            commit.observation,
            commit.time,
            pack_id(commit.evidence_id),
            encode_evidence(commit.evidence) if row.evidence is None else row.evidence,
            self._interned(commit.model),
            commit.recorded,
            row.total,
            row.gained,
            row.digest,
        )

    def _row(self, record: Record) -> Row:
        id_, stream, track, segment, kind, delta, observation, time, evidence_id, evidence, *rest = record
        model, recorded, total, gained, digest = rest
        try:
            owner, target = self._track(track)
            if owner != self._name(stream):
                raise InvalidInput(f"expected a track of stream {owner!r}, got {self._name(stream)!r}")
            commit = Commit(
                owner,
                target,
                kind,
                delta,
                observation,
                time,
                unpack_id(evidence_id),
                json.loads(evidence),
                self._name(model),
                recorded,
            )
        except (LedgerCorrupt, ValueError, TypeError) as error:
            raise LedgerCorrupt(f"{self.name}: row {id_} cannot be read: {error}") from error
        return Row(commit, segment, total, gained, digest, id_)

    def _id(self, name: str) -> int | None:
        """The number of a name, None where nothing bears it."""
        if name not in self._ids:
            found = self.query("SELECT id FROM ledger_names WHERE name = ?", name)
            if not found:
                return None
            self._ids[name] = found[0][0]
        return self._ids[name]

    def _name(self, number: int) -> str:
        if number not in self._names:
            found = self.query("SELECT name FROM ledger_names WHERE id = ?", number)
            if not found:
                raise LedgerCorrupt(f"name {number} is missing")
            self._names[number] = found[0][0]
        return self._names[number]

    def _interned(self, name: str) -> int:
        number = self._id(name)
        if number is None:
            self.execute("INSERT INTO ledger_names (name) VALUES (?) ON CONFLICT DO NOTHING", name)
            number = self._id(name)
            assert number is not None, "the name was just kept"
        return number

    def _track_id(self, *key: str) -> int | None:
        """The number of a (stream, target, measure), None where nothing is recorded of it."""
        if key not in self._track_ids:
            stream, target, measure = key
            where = "stream = ? AND target = ? AND measure = ?"
            found = self.query(
                f"SELECT id FROM ledger_tracks WHERE {where}", self._id(stream), self._id(target), measure
            )
            if not found:
                return None
            self._track_ids[key] = found[0][0]
        return self._track_ids[key]

    def _track(self, number: int) -> tuple[str, str]:
        """The stream and target of a track."""
        if number not in self._tracks:
            found = self.query("SELECT stream, target FROM ledger_tracks WHERE id = ?", number)
            if not found:
                raise LedgerCorrupt(f"track {number} is missing")
            stream, target = found[0]
            self._tracks[number] = self._name(stream), self._name(target)
        return self._tracks[number]

    def _interned_track(self, stream: str, target: str, measure: str) -> int:
        number = self._track_id(stream, target, measure)
        if number is None:
            self.execute(
                "INSERT INTO ledger_tracks (stream, target, measure) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                self._interned(stream),
                self._interned(target),
                measure,
            )
            number = self._track_id(stream, target, measure)
            assert number is not None, "the track was just kept"
        return number
