"""Which store is behind an address. What stores do is in contract.py."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from stamina_video.ledger.memory import MemoryStore
from stamina_video.ledger.store import open_store
from stamina_video.semantics import InvalidInput


@pytest.mark.parametrize(
    "address", ["", "  ", "mysql://host/db", 7, None, b"counts.db", "a\0b", Path("a\0b")]
)
def test_an_address_must_be_one(address: Any) -> None:
    with pytest.raises(InvalidInput, match="expected a ledger's path") as caught:
        open_store(address, readonly=False)
    assert len(str(caught.value).splitlines()) == 1


def test_memory() -> None:
    assert isinstance(open_store(":memory:", readonly=False), MemoryStore)


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_is_sqlite(tmp_path: Path, kind: Any) -> None:
    store = open_store(kind(tmp_path / "counts.db"), readonly=False)
    assert store.name == str(tmp_path / "counts.db")
    store.close()
    assert (tmp_path / "counts.db").read_bytes().startswith(b"SQLite format 3")


def test_a_driver_is_imported_when_it_is_asked_for() -> None:
    program = (
        "import sys; from stamina_video.ledger.store import open_store; "
        "open_store(':memory:', False); assert {'sqlite3', 'psycopg'}.isdisjoint(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
