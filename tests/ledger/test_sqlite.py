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
    StoreUnavailable,
    StreamBusy,
)
from tests.ledger.appender import observation
from tests.ledger.commits import CAMERA, MUGS, identity
from tests.ledger.contract import DurableStoreContract
from tests.ledger.files import become_nobody, fill, in_child, run_and_exit

TABLES = ("ledger_names", "ledger_tracks", "ledger_commits")


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
            for table in TABLES:
                for statement in (
                    f"UPDATE {table} SET id = id + 1000",
                    f"UPDATE OR REPLACE {table} SET id = 1",
                    f"DELETE FROM {table}",
                    f"REPLACE INTO {table} SELECT * FROM {table}",
                    f"INSERT OR REPLACE INTO {table} SELECT * FROM {table} WHERE id = 2",
                ):
                    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                        connection.execute(statement)

    def test_rows_cannot_be_replaced_under_another_id(self, path: Path) -> None:
        """Names and tracks that are known stay as they are; an evidence id that is known is refused."""
        with closing(sqlite3.connect(path)) as connection:
            before = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}
            connection.execute("REPLACE INTO ledger_names SELECT id + 1000, name FROM ledger_names")
            connection.execute(
                "REPLACE INTO ledger_tracks SELECT id + 1000, stream, target, measure FROM ledger_tracks"
            )
            columns = connection.execute("SELECT name FROM pragma_table_info('ledger_commits')").fetchall()
            listed = ", ".join(name for (name,) in columns if name != "id")
            for verb in ("REPLACE", "INSERT"):
                with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                    connection.execute(
                        f"{verb} INTO ledger_commits ({listed}) SELECT {listed} FROM ledger_commits"
                    )
            after = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}
        assert after == before

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
