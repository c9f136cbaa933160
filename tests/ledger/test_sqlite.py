from pathlib import Path

import pytest

from tests.ledger.contract import DurableStoreContract


class TestSqliteStore(DurableStoreContract):
    @pytest.fixture
    def address(self, tmp_path: Path) -> str:
        return str(tmp_path / "counts.db")
