import pytest

from tests.ledger.contract import StoreContract


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def address(self) -> str:
        return ":memory:"
