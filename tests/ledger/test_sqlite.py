"""The contract on SQLite, and what can happen to a file."""

import os
import resource
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from stamina_video.ledger import Ledger
from stamina_video.semantics import (
    LedgerCorrupt,
    LedgerError,
    NewerSchema,
    StoreUnavailable,
    StreamBusy,
    UnreadableFile,
)
from tests.ledger.appender import observation
from tests.ledger.commits import CAMERA, MUGS, identity
from tests.ledger.contract import DurableStoreContract
from tests.ledger.files import become_nobody, fill, flip, in_child, refused, run_and_exit


class TestSqliteStore(DurableStoreContract):
    @pytest.fixture
    def address(self, tmp_path: Path) -> str:
        return str(tmp_path / "counts.db")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "counts.db"
    fill(path)
    return path


class TestLayout:
    def test_rows_cannot_be_changed_or_removed(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            for table in ("ledger_names", "ledger_tracks", "ledger_commits"):
                for statement in (f"UPDATE {table} SET id = id + 1000", f"DELETE FROM {table}"):
                    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                        connection.execute(statement)

    def test_log_strict_tables_and_version(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert connection.execute("PRAGMA user_version").fetchone() == (1,)
            tables = connection.execute(
                "SELECT name, strict FROM pragma_table_list WHERE name LIKE 'ledger%'"
            )
            assert dict(tables.fetchall()) == {"ledger_names": 1, "ledger_tracks": 1, "ledger_commits": 1}

    def test_commits_are_synced_before_they_are_acknowledged(self, path: Path) -> None:
        with Ledger.open(path) as ledger:
            assert ledger._store.query("PRAGMA synchronous") == [(2,)]  # type: ignore[attr-defined]

    def test_an_as_of_read_touches_the_index_alone(self, path: Path) -> None:
        statement = (
            "EXPLAIN QUERY PLAN SELECT time, total, gained FROM ledger_commits "
            "WHERE track = 1 AND segment = 0 AND time >= 0 AND time <= 1 ORDER BY time DESC, id DESC LIMIT 1"
        )
        with closing(sqlite3.connect(path)) as connection:
            ((*_, plan),) = connection.execute(statement).fetchall()
        assert plan.startswith("SEARCH ledger_commits USING COVERING INDEX ledger_as_of")

    def test_a_name_with_odd_characters(self, tmp_path: Path) -> None:
        path = tmp_path / "a b?#%41é.db"
        fill(path, 1)
        assert path.exists()
        with Ledger.open(path, readonly=True) as ledger:
            assert ledger.count(CAMERA, MUGS, measure="unique") == 1


class TestDamage:
    def test_truncated(self, path: Path) -> None:
        whole = path.read_bytes()
        for size in (len(whole) - 1, len(whole) // 2, 4096, 100, 60, 20):
            path.write_bytes(whole[:size])
            refused(path, UnreadableFile, f"got {size}: it is truncated")

    def test_not_a_database(self, path: Path) -> None:
        path.write_bytes(b"time,count\n1.0,17\n" * 500)
        refused(path, UnreadableFile, "expected a ledger")

    @pytest.mark.parametrize("place", [0, 5, 15])
    def test_a_flipped_byte_in_the_magic_word(self, path: Path, place: int) -> None:
        flip(path, place)
        refused(path, UnreadableFile, "expected a ledger")

    def test_flipped_bytes_anywhere(self, path: Path) -> None:
        """In a page's structure, an index, a digest, a name or a number: it is always noticed."""
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("VACUUM")  # leaves no remains of moved rows, where a flip means nothing
        whole = path.read_bytes()
        used = [place for place in range(4096, len(whole), 499) if all(whole[place - 2 : place + 3])]
        assert len(used) > 30
        for place in used:
            flip(path, place)
            refused(path, LedgerError, "row|damaged|index")
            path.write_bytes(whole)

    def test_a_newer_schema(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA user_version = 99")
        refused(path, NewerSchema, "schema 1 or older .* got schema 99")

    def test_somebody_elses_database(self, tmp_path: Path) -> None:
        path = tmp_path / "photos.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE photos (name)")
        refused(path, UnreadableFile, "another application")
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("INSERT INTO photos VALUES (1)")
            connection.commit()
            refused(path, UnreadableFile, "another application")

    def test_a_directory(self, tmp_path: Path) -> None:
        with pytest.raises(UnreadableFile, match="got a directory"):
            Ledger.open(tmp_path)

    def test_nothing_there_to_read(self, tmp_path: Path) -> None:
        with pytest.raises(UnreadableFile, match="got no such file"):
            Ledger.open(tmp_path / "counts.db", readonly=True)
        assert not list(tmp_path.iterdir())
        with pytest.raises(StoreUnavailable):
            Ledger.open(tmp_path / "nowhere" / "counts.db")

    @pytest.mark.parametrize("left", ["nothing", "one page"])
    def test_an_interrupted_creation_is_finished(self, tmp_path: Path, left: str) -> None:
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


class TestFullDisk:
    def test_a_file_that_may_not_grow(self, path: Path) -> None:
        """A limit on file sizes stands in for the disk's; it works without privileges."""
        before = rows_of(path)

        def append_to_the_end() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, resource.RLIM_INFINITY))
            append_until_refused(path)

        in_child(append_to_the_end)
        check_sound(path, before)

    def test_a_small_file_system(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="ledger-disk-"))
        mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(folder)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
            folder.rmdir()
            pytest.skip("mounting a small file system needs privileges this machine does not give")
        try:
            path = folder / "counts.db"
            fill(path, 10)
            before = rows_of(path)
            append_until_refused(path)
            check_sound(path, before)
        finally:
            subprocess.run(["umount", str(folder)], check=True)
            folder.rmdir()


def append_until_refused(path: Path) -> None:
    with Ledger.open(path) as ledger:
        done = len(ledger.history(CAMERA, MUGS, "unique"))
        with pytest.raises(StoreUnavailable) as caught:  # noqa: PT012 - which append fails is not known
            for index in range(done, 100_000):
                ledger.append_all(observation(index))
                done = index + 1
        assert len(str(caught.value).splitlines()) == 1
        assert ledger.count(CAMERA, MUGS, measure="unique") == done, "what was acknowledged is there"
        assert not any(new for index in range(done) for new in ledger.append_all(observation(index)))


def rows_of(path: Path) -> int:
    with Ledger.open(path, readonly=True) as ledger:
        return ledger.verify()


def check_sound(path: Path, before: int) -> None:
    assert rows_of(path) >= before


class TestPermissions:
    @pytest.fixture
    def folder(self) -> Iterator[Path]:
        """A directory everybody may enter; pytest's own is private."""
        folder = Path(tempfile.mkdtemp(prefix="ledger-"))
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)
        shutil.rmtree(folder)

    def test_a_read_only_directory(self, folder: Path) -> None:
        path = folder / "counts.db"
        fill(path, 20)
        before = path.read_bytes()
        shutil.rmtree(folder / "counts.db-locks")
        folder.chmod(0o555)

        def read_and_fail_to_write() -> None:
            become_nobody()
            with Ledger.open(path, readonly=True) as ledger:
                assert ledger.count(CAMERA, MUGS, measure="unique") == 20
                assert ledger.verify() > 20
            with pytest.raises(StoreUnavailable) as caught, Ledger.open(path) as ledger:
                ledger.append_all(observation(20))
            assert len(str(caught.value).splitlines()) == 1
            with pytest.raises(StoreUnavailable):
                Ledger.open(folder / "new.db")

        in_child(read_and_fail_to_write)
        assert path.read_bytes() == before
        assert list(folder.iterdir()) == [path]

    def test_a_file_that_may_not_be_read(self, folder: Path) -> None:
        path = folder / "counts.db"
        fill(path, 1)
        path.chmod(stat.S_IWUSR if os.geteuid() else 0o600)

        def fail_to_read() -> None:
            become_nobody()
            with pytest.raises(StoreUnavailable, match=r"cannot read the ledger .*: Permission denied"):
                Ledger.open(path)

        in_child(fail_to_read)


class TestWriters:
    def test_two_names_of_one_file_are_one_ledger(self, path: Path) -> None:
        link = path.with_name("link.db")
        link.symlink_to(path)
        with Ledger.open(path) as first, Ledger.open(link) as second:
            first.append(identity(1000.0))
            with pytest.raises(StreamBusy):
                second.append(identity(1001.0))

    def test_a_claim_ends_with_its_process(self, path: Path) -> None:
        program = (
            "import os, sys\n"
            "from stamina_video.ledger import Ledger\n"
            "from tests.ledger.commits import identity\n"
            f"ledger = Ledger.open({str(path)!r}); ledger.append(identity(1000.0))\n"
            "print('claimed', flush=True); sys.stdin.read(); os._exit(9)"
        )
        root = Path(__file__).parents[2]
        with subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root
        ) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == b"claimed\n"
            with Ledger.open(path) as ledger:
                with pytest.raises(StreamBusy):
                    ledger.append(identity(1001.0))
                child.communicate()
                assert ledger.append(identity(1001.0)) is True

    def test_processes_write_their_streams_into_one_new_file(self, tmp_path: Path) -> None:
        path = tmp_path / "counts.db"

        def write(stream: str) -> None:
            with Ledger.open(path) as ledger:
                for step in range(40):
                    assert ledger.append(identity(float(step), stream=stream))

        children = []
        for number in range(4):
            child = os.fork()
            if child == 0:
                run_and_exit(partial(write, f"camera {number}"))
            children.append(child)
        assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
        with Ledger.open(path, readonly=True) as ledger:
            assert [ledger.count(stream, MUGS) for stream in ledger.streams()] == [40] * 4
            assert ledger.verify() == 160


def test_a_corrupt_row_is_said_by_reads_too(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER ledger_commits_no_UPDATE")
        connection.execute("UPDATE ledger_commits SET evidence = CAST(x'ff' AS TEXT) WHERE id = 7")
        connection.commit()
    with Ledger.open(path, readonly=True) as ledger, pytest.raises(LedgerCorrupt, match="damaged"):
        ledger.history(CAMERA, MUGS)
