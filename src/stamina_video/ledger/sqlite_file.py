"""Looks at a file before SQLite does, so that what is not a sound ledger is never touched."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from stamina_video.ledger.sql import SCHEMA_VERSION
from stamina_video.semantics import NewerSchema, StoreUnavailable, UnreadableFile

APPLICATION_ID = 0x53744D61  # "StMa"
SCHEMA_LOCK = "schema"
_MAGIC = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True)
class Header:
    """The fields of an SQLite file's first hundred bytes that say what the file is."""

    page_size: int
    pages: int
    version: int
    application: int

    @classmethod
    def parse(cls, raw: bytes) -> "Header":
        def number(offset: int) -> int:
            return int.from_bytes(raw[offset : offset + 4], "big")

        size = int.from_bytes(raw[16:18], "big")
        return cls(65536 if size == 1 else size, number(28), number(60), number(68))


def wal_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def shm_of(path: Path) -> Path:
    return path.with_name(path.name + "-shm")


def has_wal(path: Path) -> bool:
    """Whether changes wait beside the file; an empty log is left by readers and means nothing."""
    wal = wal_of(path)
    return wal.exists() and wal.stat().st_size > 0


def inspect(path: Path) -> bool:
    """Whether the file holds a ledger; False: it is new or still empty. Raises for anything else."""
    if not path.exists():
        return False
    if not path.is_file():
        raise UnreadableFile(f"expected a ledger file at {path}, got a directory or device")
    raw = _beginning(path)
    if not raw and _was_written(path):
        raw = _beginning(path)  # another process may have created it meanwhile, locks after content
        if not raw:
            raise UnreadableFile(
                f"expected a ledger at {path}, got an empty file where streams were written before: "
                f"it is truncated (remove {locks_of(path).name} to begin anew)"
            )
    if not raw:
        return False
    if not raw.startswith(_MAGIC):
        raise UnreadableFile(f"expected a ledger (an SQLite file) at {path}, got {raw[:16]!r}…")
    header = Header.parse(raw)
    size, expected = path.stat().st_size, max(header.pages * header.page_size, 100)
    if size < expected and not has_wal(path):
        raise UnreadableFile(f"expected {expected} bytes in the ledger {path}, got {size}: it is truncated")
    if has_wal(path) or header.application != APPLICATION_ID:
        return _recognise(path, *_contents(path))
    return _recognise(path, header.application, header.version, tables=1)


def locks_of(path: Path) -> Path:
    """The directory of lock files: one for each stream ever written, and one of the schema."""
    return path.with_name(path.name + "-locks")


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(100)
    except OSError as error:
        raise StoreUnavailable(f"cannot read the ledger {path}: {error.strerror}") from error


def _was_written(path: Path) -> bool:
    return any(lock.stem != SCHEMA_LOCK for lock in locks_of(path).glob("*.lock"))


def _contents(path: Path) -> tuple[int, int, int]:
    """Application, schema version and number of tables, from the write-ahead log too where there is one."""
    has_log = has_wal(path)
    mode = "mode=ro" if has_log else "mode=ro&immutable=1"  # which leaves nothing beside the file
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True, isolation_level=None)
    try:
        connection.execute("BEGIN")  # one view of all three, while another process may be creating them
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    finally:
        connection.close()
    if has_wal(path) and not has_log:
        return _contents(path)  # somebody began to write meanwhile
    return application, version, tables


def _recognise(path: Path, application: int, version: int, tables: int) -> bool:
    if application == version == tables == 0:
        return False  # its creation was interrupted
    if application != APPLICATION_ID:
        raise UnreadableFile(f"expected a ledger at {path}, got an SQLite database of another application")
    if version > SCHEMA_VERSION:
        raise NewerSchema(
            f"expected a ledger of schema {SCHEMA_VERSION} or older at {path}, got schema {version}: "
            f"a later stamina-video wrote it"
        )
    return True
