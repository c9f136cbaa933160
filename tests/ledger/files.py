"""Ledger files for tests: filled, damaged, and what opening them must not do."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from stamina_video.ledger import Ledger
from stamina_video.semantics import StaminaError
from tests.ledger.appender import observation

NOBODY = 65534


def fill(path: Path, observations: int = 120) -> None:
    with Ledger.open(path) as ledger:
        for index in range(observations):
            ledger.append_all(observation(index))


def flip(path: Path, place: int) -> None:
    raw = bytearray(path.read_bytes())
    raw[place] ^= 0xFF
    path.write_bytes(raw)


def refused(path: Path, expected: type[StaminaError], words: str) -> None:
    """Opening for either purpose fails in one line, and the file stays byte for byte as it was."""
    before = path.read_bytes()
    for readonly in (False, True):
        with pytest.raises(expected, match=words) as caught, Ledger.open(path, readonly) as ledger:
            ledger.verify()
        assert len(str(caught.value).splitlines()) == 1
        assert str(path) in str(caught.value)
    assert path.read_bytes() == before


def in_child(action: Callable[[], None]) -> None:
    """Run in a forked process: limits and identities given up there stay there."""
    child = os.fork()
    if child == 0:
        run_and_exit(action)
    assert os.waitpid(child, 0)[1] == 0


def run_and_exit(action: Callable[[], None]) -> NoReturn:
    code = 1
    try:
        action()
        code = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def become_nobody() -> None:
    """Permissions do not bind root."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
