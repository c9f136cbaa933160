"""The contract on a real PostgreSQL server, and what only a server can do."""

import subprocess
import sys

import psycopg
import pytest

from stamina_video.ledger import Ledger
from stamina_video.semantics import InvalidInput, NewerSchema, StoreUnavailable
from tests.ledger.commits import CAMERA, MUGS, identity
from tests.ledger.contract import DurableStoreContract
from tests.ledger.server import PostgresServer

SECRET = "hunter2"


class TestPostgresStore(DurableStoreContract):
    @pytest.fixture
    def address(self, postgres: str) -> str:
        return postgres


def test_rows_cannot_be_changed_or_removed(postgres: str) -> None:
    with Ledger.open(postgres) as ledger:
        ledger.append(identity(1.0))
    with psycopg.connect(postgres, autocommit=True) as connection:
        for table in ("ledger_names", "ledger_tracks", "ledger_commits"):
            for statement in (f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE"):
                with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
                    connection.execute(statement.encode())
        with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
            connection.execute("UPDATE ledger_commits SET total = 9")


def test_a_newer_schema(postgres: str) -> None:
    Ledger.open(postgres).close()
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("UPDATE ledger_schema SET version = 99")
    for readonly in (False, True):
        with pytest.raises(NewerSchema, match=r"schema 1 or older .* got schema 99"):
            Ledger.open(postgres, readonly)


def test_nothing_there_to_read(postgres: str) -> None:
    with pytest.raises(StoreUnavailable, match="a database without one"):
        Ledger.open(postgres, readonly=True)


def test_ledgers_in_two_schemas_are_two(server: PostgresServer) -> None:
    with Ledger.open(server.fresh()) as first, Ledger.open(server.fresh()) as second:
        assert first.append(identity(1.0)) is True
        assert second.append(identity(1.0)) is True


def test_a_password_is_never_shown(server: PostgresServer) -> None:
    with Ledger.open(server.address("public", SECRET)) as ledger:
        assert SECRET not in repr(ledger)
        assert "postgresql://tests@" in repr(ledger)
    for address in (
        f"postgresql://me:{SECRET}@/db?host={server.folder}/nowhere",
        f"postgresql://me:{SECRET}@/nowhere?host={server.folder}",
        f"postgresql://me:{SECRET}@[::bad/db",
    ):
        with pytest.raises((StoreUnavailable, InvalidInput)) as caught:
            Ledger.open(address)
        assert SECRET not in str(caught.value)
        assert len(str(caught.value).splitlines()) == 1
        assert caught.value.__cause__ is None


def test_a_server_that_dies_is_said_in_one_line(server: PostgresServer) -> None:
    address = server.fresh()
    with Ledger.open(address) as ledger:
        ledger.append(identity(1.0))
        server.kill()
        try:
            with pytest.raises(StoreUnavailable) as caught:
                ledger.append(identity(2.0))
            assert len(str(caught.value).splitlines()) == 1
        finally:
            server.start()
    with Ledger.open(address) as ledger:
        assert ledger.append(identity(1.0)) is False
        assert ledger.count(CAMERA, MUGS) == 1


def test_without_psycopg_the_extra_is_named() -> None:
    program = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from stamina_video.ledger import Ledger; from stamina_video.semantics import MissingExtra\n"
        "try: Ledger.open('postgresql://host/db')\n"
        "except MissingExtra as error: assert 'stamina-video[postgres]' in str(error)\n"
        "else: raise SystemExit('no error')"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
