"""Opens a ledger's SQLite file: to write, to read beside writers, or where nothing can be put beside it."""

import sqlite3
from pathlib import Path
from typing import NamedTuple

from stamina_video.ledger.sqlite_file import shm_of, wal_of

BUSY_SECONDS = 60.0  # writers of other streams hold the file for one commit each
_NOTHING_BESIDE_IT = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}


class Stillness(NamedTuple):
    """How a file looks that nobody writes; a writer changes it by its first commit at the latest."""

    has_log: bool
    inode: int
    size: int
    changed: int

    @classmethod
    def of(cls, path: Path) -> "Stillness":
        status = path.stat()
        has_log = wal_of(path).exists() or shm_of(path).exists()
        return cls(has_log, status.st_ino, status.st_size, status.st_mtime_ns)


def connect(path: Path, readonly: bool) -> tuple[sqlite3.Connection, Stillness | None]:
    """A connection; with it, if SQLite takes no locks there, the state of the file it is right for."""
    if not readonly:
        return _open(path, "mode=rw"), None
    try:
        return _open(path, "mode=ro"), None
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in _NOTHING_BESIDE_IT:
            raise
        # Either nobody writes and the files that writers and readers share cannot be made here,
        # or a writer came or went this very moment.
        still = Stillness.of(path)
        return (
            (_open(path, "mode=ro"), None) if still.has_log else (_open(path, "mode=ro&immutable=1"), still)
        )


def _open(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.as_uri()}?{mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,  # the ledger holds its own lock
    )
    try:
        connection.execute("PRAGMA synchronous = FULL")  # acknowledged means on disk
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("SELECT count(*) FROM ledger_tracks LIMIT 1").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection
