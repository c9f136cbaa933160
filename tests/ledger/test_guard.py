import os
from pathlib import Path

import pytest

from stamina_video.ledger import Ledger
from stamina_video.ledger.guard import Guard
from stamina_video.semantics import LedgerError, StreamBusy
from tests.ledger.commits import CAMERA, MUGS, identity
from tests.ledger.files import in_child


def test_a_fork_may_not_use_its_parents_ledger(tmp_path: Path) -> None:
    path = tmp_path / "counts.db"
    with Ledger.open(path) as ledger:
        ledger.append(identity(1.0))

        def use_it_all_the_same() -> None:
            for use in (
                lambda: ledger.append(identity(2.0)),
                lambda: ledger.count(CAMERA, MUGS),
                lambda: ledger.history(CAMERA, MUGS),
                ledger.streams,
                ledger.verify,
            ):
                with pytest.raises(LedgerError, match="in the process that opened it, got one in a fork"):
                    use()
            ledger.close()
            with Ledger.open(path) as own:
                assert own.count(CAMERA, MUGS) == 1
                with pytest.raises(StreamBusy):
                    own.append(identity(2.0))

        in_child(use_it_all_the_same)
        with Ledger.open(path) as other, pytest.raises(StreamBusy):
            other.append(identity(2.0))
        assert ledger.append(identity(3.0)) is True
        assert ledger.verify() == 2


def test_a_fork_is_refused_even_while_a_thread_held_the_lock() -> None:
    guard = Guard("counts.db")
    with guard:
        in_child(lambda: _refused(guard))


def _refused(guard: Guard) -> None:
    with pytest.raises(LedgerError, match="in a fork"), guard:
        os._exit(3)
    assert guard.end() is False


def test_it_ends_once() -> None:
    guard = Guard("counts.db")
    assert [guard.end(), guard.end()] == [True, False]
    with pytest.raises(LedgerError, match="after it was closed"), guard:
        pass
