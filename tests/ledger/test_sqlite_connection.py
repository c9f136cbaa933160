"""Readers that may not write the ledger's directory, while its owner writes it or does not."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from stamina_video.ledger import Ledger
from stamina_video.ledger.sqlite_connection import connect
from tests.ledger.commits import CAMERA, MUGS, identity
from tests.ledger.files import become_nobody, run_and_exit

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act under two accounts")


@pytest.fixture
def path() -> Iterator[Path]:
    """A ledger of one identity in a directory that everybody may enter and only its owner may write."""
    folder = Path(tempfile.mkdtemp(prefix="ledger-"))
    folder.chmod(0o755)
    with Ledger.open(folder / "counts.db") as ledger:
        ledger.append(identity(1.0))
    yield folder / "counts.db"
    shutil.rmtree(folder)


class Stranger:
    """A reader under another account; each `ask` returns the latest count it reads."""

    def __init__(self, path: Path) -> None:
        (self._answers, out), (questions, self._questions) = os.pipe(), os.pipe()
        self._child = os.fork()
        if self._child == 0:
            run_and_exit(lambda: _answer(path, questions, out))
        os.close(out)  # so that a reader that died is noticed
        os.close(questions)

    def ask(self) -> int:
        os.write(self._questions, b"?")
        return os.read(self._answers, 1)[0]

    def leave(self) -> None:
        os.write(self._questions, b".")
        assert os.waitpid(self._child, 0)[1] == 0
        os.close(self._questions)
        os.close(self._answers)


def _answer(path: Path, questions: int, out: int) -> None:
    become_nobody()
    with Ledger.open(path, readonly=True) as ledger:
        while os.read(questions, 1) == b"?":
            os.write(out, bytes([ledger.count(CAMERA, MUGS)]))


@pytest.fixture
def stranger() -> Iterator[Callable[[Path], Stranger]]:
    made: list[Stranger] = []

    def make(path: Path) -> Stranger:
        made.append(Stranger(path))
        return made[-1]

    yield make
    for one in made:
        one.leave()


def test_a_writer_that_was_there_first(path: Path, stranger: Callable[[Path], Stranger]) -> None:
    with Ledger.open(path) as writer:
        assert writer.count(CAMERA, MUGS) == 1  # its log is still empty
        reader = stranger(path)
        assert reader.ask() == 1
        writer.append(identity(2.0))
        assert reader.ask() == 2


def test_a_writer_that_comes_later(path: Path, stranger: Callable[[Path], Stranger]) -> None:
    reader = stranger(path)
    assert reader.ask() == 1
    with Ledger.open(path) as writer:
        assert reader.ask() == 1
        writer.append(identity(2.0))
        assert reader.ask() == 2
        writer.append(identity(3.0))
        assert reader.ask() == 3
    assert reader.ask() == 3


def test_a_writer_that_came_and_went(path: Path, stranger: Callable[[Path], Stranger]) -> None:
    reader = stranger(path)
    assert reader.ask() == 1
    for step in (2, 3):
        with Ledger.open(path) as writer:
            writer.append(identity(float(step)))
        assert reader.ask() == step


def test_locks_are_done_without_only_where_none_can_be_made(path: Path) -> None:
    connection, still = connect(path, readonly=True)
    connection.close()
    assert still is None
