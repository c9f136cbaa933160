from typing import Any

import pytest

from stamina_video.ledger.names import stream_name
from stamina_video.semantics import InvalidInput


@pytest.mark.parametrize("value", ["", "  ", "a\0b", "\ud800", None, 7, ["dock"]])
def test_what_is_no_name(value: Any) -> None:
    with pytest.raises(InvalidInput, match="expected a stream name in printable characters"):
        stream_name(value)


def test_what_is() -> None:
    assert stream_name("dock 3 é") == "dock 3 é"
