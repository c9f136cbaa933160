"""A PostgreSQL server of the tests' own: a temporary directory, a socket in it, nothing on the network."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from urllib.parse import quote

import psycopg

HOW_TO_INSTALL = "no PostgreSQL binaries found: install Debian's package `postgresql` (or run `make setup`)"


def find_binaries() -> Path | None:
    """The directory of initdb and postgres, from the path or from where Debian puts them."""
    initdb = shutil.which("initdb")
    places = [Path(initdb).resolve().parent] if initdb else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "postgres").exists()), None)


class PostgresServer:
    def __init__(self, binaries: Path) -> None:
        self._binaries = binaries
        self.folder = Path(tempfile.mkdtemp(prefix="pg-"))  # short: socket paths have a length limit
        self._schemas = count()
        self._user = _unprivileged_user()
        if self._user is not None:
            entry = pwd.getpwnam(self._user)
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
        self._run(
            "initdb", "--no-sync", "--auth=trust", "--username=tests", "--encoding=UTF8", "-D", self._data
        )
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def address(self, schema: str = "public", password: str = "") -> str:
        secret = f":{quote(password)}" if password else ""
        options = quote(f"-c search_path={schema}")
        return f"postgresql://tests{secret}@/postgres?host={self.folder}&options={options}"

    def fresh(self) -> str:
        """The address of a fresh, empty ledger: a schema of its own."""
        schema = f"ledger{next(self._schemas)}"
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}".encode())
        return self.address(schema)

    def start(self) -> None:
        log = (self.folder / "log").open("ab")
        with log:
            self._process = subprocess.Popen(
                [self._binaries / "postgres", "-D", self._data, "-k", self.folder, "-c", "listen_addresses="],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                user=self._user,
            )
        ready: list[str | Path] = [self._binaries / "pg_isready", "-q", "-U", "tests", "-h", self.folder]
        _wait_until(lambda: subprocess.run(ready, check=False).returncode == 0)

    def kill(self) -> None:
        """End every process of the server as a power cut would: no shutdown, no flush."""
        assert self._process is not None
        pid = self._process.pid
        children = [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        for victim in (pid, *children):
            with suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
        self._process.wait()
        _wait_until(lambda: not any(map(_runs, children)))

    def stop(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        self._process.wait()
        shutil.rmtree(self.folder)

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._binaries / program, *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
            user=self._user,
        )


def _unprivileged_user() -> str | None:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _runs(pid: int) -> bool:
    """Whether a process is alive; one that only waits to be reaped is not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def _wait_until(condition: Callable[[], bool], limit: float = 60.0) -> None:
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end, "the server did not get there in time"
        time.sleep(0.02)
