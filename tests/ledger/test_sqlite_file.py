"""A file that is not a sound ledger is refused in one line and left as it was."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from stamina_video.ledger import Ledger, sqlite_file
from stamina_video.ledger.sqlite_file import locks_of
from stamina_video.semantics import LedgerError, NewerSchema, StaminaError, StoreUnavailable, UnreadableFile
from tests.ledger.commits import CAMERA, MUGS
from tests.ledger.files import fill, flip, refused


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "counts.db"
    fill(path)
    return path


def test_truncated(path: Path) -> None:
    whole = path.read_bytes()
    for size in (len(whole) - 1, len(whole) // 2, 4096, 100, 60, 20):
        path.write_bytes(whole[:size])
        refused(path, UnreadableFile, f"got {size}: it is truncated")


def test_not_a_database(path: Path) -> None:
    path.write_bytes(b"time,count\n1.0,17\n" * 500)
    refused(path, UnreadableFile, "expected a ledger")


@pytest.mark.parametrize("place", [0, 5, 15])
def test_a_flipped_byte_in_the_magic_word(path: Path, place: int) -> None:
    flip(path, place)
    refused(path, UnreadableFile, "expected a ledger")


def test_flipped_bytes_in_use(path: Path) -> None:
    """In a page's structure, an index, a digest, a name or a number: it is always noticed.

    Bytes near zeros are left out: there a page may be unused, and a flip then means nothing.
    """
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("VACUUM")  # leaves no remains of moved rows
    whole = path.read_bytes()
    used = [place for place in range(4096, len(whole), 499) if all(whole[place - 2 : place + 3])]
    assert len(used) > 30
    for place in used:
        flip(path, place)
        refused(path, LedgerError, "row|damaged|index")
        path.write_bytes(whole)


def test_a_flipped_byte_in_the_first_page_is_noticed_or_harmless(path: Path) -> None:
    whole = path.read_bytes()
    with Ledger.open(path, readonly=True) as ledger:
        expected = ledger.verify(), ledger.history(CAMERA, MUGS)
    noticed = harmless = 0
    places = [place for place in range(16, 4096) if place < 112 or whole[place]]
    for place in places:
        flip(path, place)
        try:
            with Ledger.open(path, readonly=True) as ledger:
                assert (ledger.verify(), ledger.history(CAMERA, MUGS)) == expected, place
        except StaminaError as error:
            noticed += len(str(error).splitlines()) == 1
        else:
            harmless += 1
        path.write_bytes(whole)
    assert noticed + harmless == len(places)
    assert noticed > 20


def test_a_newer_schema(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    refused(path, NewerSchema, "schema 1 or older .* got schema 99")


def test_somebody_elses_database(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE photos (name)")
    refused(path, UnreadableFile, "another application")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("INSERT INTO photos VALUES (1)")
        connection.commit()
        refused(path, UnreadableFile, "another application")


def test_an_empty_database_of_another_application(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 7")
    refused(path, UnreadableFile, "another application")


def test_somebody_elses_database_from_an_old_sqlite(tmp_path: Path) -> None:
    """Before version 3.7 SQLite did not write the number of pages into the header."""
    path = tmp_path / "photos.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE photos (name)")
    raw = bytearray(path.read_bytes())
    raw[28:32] = raw[92:96] = bytes(4)
    path.write_bytes(raw)
    refused(path, UnreadableFile, "another application")


def test_a_ledger_cut_to_nothing(path: Path) -> None:
    path.write_bytes(b"")
    refused(path, UnreadableFile, "an empty file where streams were written before")
    shutil.rmtree(locks_of(path))
    fill(path, 1)
    with Ledger.open(path) as ledger:
        assert ledger.verify() == 2


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="got a directory"):
        Ledger.open(tmp_path)


def test_nothing_there_to_read(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="got no such file"):
        Ledger.open(tmp_path / "counts.db", readonly=True)
    assert not list(tmp_path.iterdir())
    with pytest.raises(StoreUnavailable):
        Ledger.open(tmp_path / "nowhere" / "counts.db")


@pytest.mark.parametrize("left", ["nothing", "one page"])
def test_an_interrupted_creation_is_finished(tmp_path: Path, left: str) -> None:
    path = tmp_path / "counts.db"
    path.touch()
    if left == "one page":
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
    with pytest.raises(UnreadableFile, match="got an empty file"):
        Ledger.open(path, readonly=True)
    fill(path, 1)
    with Ledger.open(path) as ledger:
        assert ledger.verify() == 2


def test_a_file_that_another_process_creates_meanwhile_is_not_truncated(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, read = iter([b""]), sqlite_file._beginning
    monkeypatch.setattr(sqlite_file, "_beginning", lambda path: next(looks, read(path)))
    assert sqlite_file.inspect(path)
