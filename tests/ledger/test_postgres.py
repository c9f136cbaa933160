import pytest

from tests.ledger.contract import DurableStoreContract


class TestPostgresStore(DurableStoreContract):
    @pytest.fixture
    def address(self, postgres: str) -> str:
        return postgres
