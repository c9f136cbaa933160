"""A store in one SQLite file: write-ahead log, strict tables, rows that cannot be changed or removed."""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from stamina_video.ledger.sql import SCHEMA_VERSION, Record, SqlStore
from stamina_video.ledger.sqlite_connection import BUSY_SECONDS, Stillness, connect
from stamina_video.ledger.sqlite_file import APPLICATION_ID, SCHEMA_LOCK, inspect, locks_of
from stamina_video.semantics import LedgerCorrupt, LedgerError, StoreUnavailable, StreamBusy, UnreadableFile

_TABLES = """
CREATE TABLE ledger_names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE ledger_tracks (
    id INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL REFERENCES ledger_names,
    target INTEGER NOT NULL REFERENCES ledger_names,
    measure TEXT NOT NULL,
    UNIQUE (stream, target, measure)
) STRICT;
CREATE TABLE ledger_commits (
    id INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL REFERENCES ledger_names,
    track INTEGER NOT NULL REFERENCES ledger_tracks,
    segment INTEGER NOT NULL,
    kind TEXT NOT NULL,
    delta INTEGER NOT NULL,
    observation INTEGER NOT NULL,
    time REAL NOT NULL,
    evidence_id BLOB NOT NULL,
    evidence TEXT NOT NULL,
    model INTEGER NOT NULL REFERENCES ledger_names,
    recorded REAL NOT NULL,
    total INTEGER NOT NULL CHECK (total >= 0),
    gained INTEGER NOT NULL CHECK (gained >= total),
    digest BLOB NOT NULL
) STRICT;
CREATE INDEX ledger_as_of ON ledger_commits (track, segment, time, id, total, gained);
CREATE UNIQUE INDEX ledger_evidence ON ledger_commits (stream, evidence_id);
CREATE INDEX ledger_order ON ledger_commits (stream, id);
CREATE INDEX ledger_landmarks ON ledger_commits (stream, id) WHERE kind IN ('segment', 'target');
"""
_REFUSAL = """
CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table}
BEGIN SELECT raise(ABORT, 'the ledger is append-only'); END;
"""
_REFUSALS = "".join(
    _REFUSAL.format(table=table, verb=verb)
    for table in ("ledger_names", "ledger_tracks", "ledger_commits")
    for verb in ("UPDATE", "DELETE")
)
# REPLACE removes rows without asking the triggers above. A name or track that is known may come once more
# from a second writer and is left as it is.
_KEPT = """
CREATE TRIGGER {table}_no_REPLACE BEFORE INSERT ON {table}
WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id) OR EXISTS (SELECT 1 FROM {table} WHERE {key})
BEGIN SELECT CASE WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id)
THEN raise(ABORT, 'the ledger is append-only') ELSE raise({answer}) END; END;
"""
_REFUSALS += "".join(
    _KEPT.format(table=table, answer=answer, key=" AND ".join(f"{name} = NEW.{name}" for name in key))
    for table, answer, key in (
        ("ledger_names", "IGNORE", ("name",)),
        ("ledger_tracks", "IGNORE", ("stream", "target", "measure")),
        ("ledger_commits", "ABORT, 'the ledger is append-only'", ("stream", "evidence_id")),
    )
)
_IDENTITY = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION};"
_SCHEMA = f"BEGIN IMMEDIATE; {_TABLES} {_REFUSALS} {_IDENTITY} COMMIT;"
_DEFINITIONS = "SELECT type, name, tbl_name, sql FROM sqlite_master"

_SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH}
_REASONS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "it cannot be written (a read-only file or directory)",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened (a missing or read-only directory)",
    sqlite3.SQLITE_BUSY: f"it was locked for over {BUSY_SECONDS:.0f} s",
}


class SqliteStore(SqlStore):
    def __init__(self, path: Path, readonly: bool) -> None:
        super().__init__()
        self.name = str(path)
        self._path = path.resolve()
        self._locks: dict[str, FileLock] = {}
        with self._translated():
            exists = inspect(self._path)
            if readonly and not exists:
                raise UnreadableFile(f"expected a ledger at {path}, got {_absence(path)}")
            if not exists:
                self._create()
            self._connection, self._still = connect(self._path, readonly)

    def claim(self, stream: str) -> None:
        if stream in self._locks:
            return
        with self._translated():
            lock = self._lock_file(hashlib.blake2b(stream.encode(), digest_size=16).hexdigest())
            try:
                lock.acquire(timeout=0)
            except Timeout:
                raise StreamBusy(
                    f"expected no other writer of stream {stream!r} in {self.name}, got one at work"
                ) from None
            self._locks[stream] = lock

    def query(self, statement: str, *values: Any) -> list[Record]:
        try:  # the same as _translated, which costs as much as a look-up
            records = self._connection.execute(statement, values).fetchall()
        except _SQLITE_ERRORS as error:
            if self._still is None or not self._followed():
                raise self._translation(error) from error
            return self.query(statement, *values)
        if self._still is not None and self._followed():
            return self.query(statement, *values)
        return records

    def _followed(self) -> bool:
        """Whether a writer appeared beside a connection without locks, which was then replaced."""
        with self._translated():
            if Stillness.of(self._path) == self._still:
                return False
            self._connection.close()
            self._connection, self._still = connect(self._path, readonly=True)
            return True

    def execute(self, statement: str, *values: Any) -> None:
        with self._translated():
            self._connection.execute(statement, values)

    def execute_all(self, statement: str, records: Sequence[Record]) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(statement, records)
            self._connection.execute("COMMIT")
        except BaseException as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            if isinstance(error, _SQLITE_ERRORS):
                raise self._translation(error) from error
            raise

    def check(self) -> None:
        if set(self.query(_DEFINITIONS)) != _expected_definitions():
            raise LedgerCorrupt(f"{self.name}: its tables, indexes and triggers are not those of a ledger")
        ((finding,), *_) = self.query("PRAGMA integrity_check(1)")
        if finding != "ok":
            raise LedgerCorrupt(f"{self.name} is damaged: {finding.splitlines()[-1]}")
        for table, row, parent, _ in self.query("PRAGMA foreign_key_check"):
            raise LedgerCorrupt(f"{self.name}: row {row} of {table} refers to a missing row of {parent}")

    def close(self) -> None:
        self._connection.close()
        for lock in self._locks.values():
            lock.release()
        self._locks.clear()

    def _create(self) -> None:
        """Write the schema, once, even where several processes open a new ledger at the same moment."""
        with self._lock_file(SCHEMA_LOCK):
            if inspect(self._path):
                return
            connection = sqlite3.connect(self._path, isolation_level=None)
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
                connection.executescript(_SCHEMA)
            finally:
                connection.close()

    def _lock_file(self, name: str) -> FileLock:
        folder = locks_of(self._path)
        folder.mkdir(exist_ok=True)
        # Held by the ledger, not by the thread that happened to append first.
        return FileLock(folder / f"{name}.lock", thread_local=False)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Errors of SQLite and of the file system, in the ledger's words."""
        try:
            yield
        except _SQLITE_ERRORS as error:
            raise self._translation(error) from error
        except OSError as error:
            raise StoreUnavailable(f"cannot use the ledger {self.name}: {error.strerror or error}") from error

    def _translation(self, error: Exception) -> LedgerError:
        code = getattr(error, "sqlite_errorcode", None)
        in_one_line = " ".join(str(error).split())  # SQLite quotes damaged definitions as they are
        # Errors without a code are Python's own: a text that is not UTF-8.
        if code is None or code & 0xFF in _DAMAGE:
            return LedgerCorrupt(f"{self.name} is damaged: {in_one_line}")
        reason = _REASONS.get(code & 0xFF, in_one_line)
        return StoreUnavailable(f"cannot use the ledger {self.name}: {reason}")


def _expected_definitions() -> set[Record]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_SCHEMA)
        return set(connection.execute(_DEFINITIONS).fetchall())


def _absence(path: Path) -> str:
    return "an empty file" if path.exists() else "no such file"
