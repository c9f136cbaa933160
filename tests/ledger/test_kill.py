"""Writers killed at random moments, 200 times for each durable store: nothing acknowledged is lost."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from stamina_video.ledger import Ledger
from stamina_video.semantics import Commit, Measure, StreamBusy
from tests.ledger.appender import observation
from tests.ledger.commits import CAMERA, MUGS
from tests.ledger.server import PostgresServer

ROUNDS = 200
ROUNDS_PER_LEDGER = 20  # a fresh ledger now and then: creating one is interrupted too
ROOT = Path(__file__).parents[2]


class Zygote:
    """A process with the imports done, which forks writers for us to kill."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.ledger.appender"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a writer whose server is killed says so
            text=True,
        )

    def append(self, address: str, acknowledged: Path, start: int, kill: Callable[[int], None]) -> None:
        """Have a child append from `start` on until `kill` has ended it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{address}\t{acknowledged}\t{start}\n")
        self._process.stdin.flush()
        kill(int(self._process.stdout.readline()))
        assert self._process.stdout.readline() == "gone\n"

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture
def zygote() -> Iterator[Zygote]:
    zygote = Zygote()
    yield zygote
    zygote.close()


def wait_for_more(acknowledged: Path) -> None:
    """Wait until the child has begun to append, however slow the machine is."""
    end = time.monotonic() + 60
    before = _size(acknowledged)
    while _size(acknowledged) == before:
        assert time.monotonic() < end, "the child does not append"
        time.sleep(0.001)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def reopened(address: str) -> Ledger:
    """A ledger that has become the stream's writer; a server may take a moment to miss a dead client."""
    end = time.monotonic() + 60
    while True:
        ledger = Ledger.open(address)
        try:
            ledger.append_all(observation(0))
        except StreamBusy:
            ledger.close()
            assert time.monotonic() < end, "the dead writer's claim was never released"
            time.sleep(0.005)
        else:
            return ledger


def whole_observations(commits: list[Commit]) -> int:
    """How many observations of the script these commits are, exactly and in order."""
    index, rest = 0, commits
    while rest:
        batch = observation(index)
        assert rest[: len(batch)] == batch, "commits are missing, doubled, torn apart or out of order"
        index, rest = index + 1, rest[len(batch) :]
    return index


def check_after_kill(address: str, acknowledged: Path) -> int:
    known = [int(line) for line in acknowledged.read_text().splitlines()] if acknowledged.exists() else []
    with reopened(address) as ledger:
        commits = [row.commit for row in ledger.rows(CAMERA)]
        done = whole_observations(commits)
        assert done > max(known, default=-1), "an acknowledged commit is gone"
        script = [commit for index in range(done) for commit in observation(index)]
        assert not any(new for index in range(done) for new in ledger.append_all(observation(index)))
        for measure in (Measure.UNIQUE, Measure.VISIBLE):
            expected = sum(commit.delta for commit in script if commit.kind.measure is measure)
            assert ledger.count(CAMERA, MUGS, measure=measure) == expected
        assert ledger.verify() == len(script)
    return done


def run_rounds(
    zygote: Zygote, fresh: Callable[[], str], folder: Path, kill: Callable[[int, int], None]
) -> None:
    """Most writers die while they append, every eighth while it opens the ledger or soon after."""
    chance = random.Random(7)
    done = 0
    for number in range(ROUNDS):
        if number % ROUNDS_PER_LEDGER == 0:
            address, acknowledged, done = fresh(), folder / f"acknowledged-{number}", 0

        def kill_soon(child: int, number: int = number, acknowledged: Path = acknowledged) -> None:
            if number % 8:
                wait_for_more(acknowledged)
            time.sleep(chance.uniform(0, 0.02))
            kill(number, child)

        zygote.append(address, acknowledged, max(done - 3, 0), kill_soon)
        done = check_after_kill(address, acknowledged)


def kill_writer(number: int, child: int) -> None:
    os.kill(child, signal.SIGKILL)


def test_sqlite(zygote: Zygote, tmp_path: Path) -> None:
    ledgers = count()
    run_rounds(zygote, lambda: str(tmp_path / f"{next(ledgers)}.db"), tmp_path, kill_writer)


def test_postgres(zygote: Zygote, server: PostgresServer, tmp_path: Path) -> None:
    """In every twentieth round it is the server that dies, all of it, and starts again."""

    def kill(number: int, child: int) -> None:
        if number % 20 == 5:
            server.kill()
            server.start()
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)

    run_rounds(zygote, server.fresh, tmp_path, kill)
