"""What the ledger's tests share: addresses of fresh ledgers, and one PostgreSQL server per worker."""

from collections.abc import Iterator
from itertools import count

import psycopg
import pytest

from tests.ledger.server import HOW_TO_INSTALL, PostgresServer, find_binaries

_schemas = count()


@pytest.fixture(scope="session")
def server() -> Iterator[PostgresServer]:
    binaries = find_binaries()
    if binaries is None:
        pytest.skip(HOW_TO_INSTALL)
    server = PostgresServer(binaries)
    yield server
    server.stop()


@pytest.fixture
def postgres(server: PostgresServer) -> str:
    """The address of a fresh, empty ledger on the server."""
    return fresh_schema(server)


def fresh_schema(server: PostgresServer) -> str:
    schema = f"ledger{next(_schemas)}"
    with psycopg.connect(server.address(), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}".encode())
    return server.address(schema)
