"""What the ledger's tests share: addresses of fresh ledgers, and one PostgreSQL server per worker."""

from collections.abc import Iterator

import pytest

from tests.ledger.server import HOW_TO_INSTALL, PostgresServer, find_binaries


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
    return server.fresh()
