from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stamina_video.ledger.sql import pack_id, unpack_id
from stamina_video.semantics import InvalidInput, evidence_id

IDS = st.text(min_size=1).filter(str.isprintable)


@given(IDS)
@example("AB")
@example("ab cd")
@example("0" * 32)
def test_an_id_comes_back_from_its_bytes(text: str) -> None:
    assert unpack_id(pack_id(text)) == text


@given(IDS, IDS)
def test_two_ids_stay_two(one: str, other: str) -> None:
    assert (pack_id(one) == pack_id(other)) == (one == other)


def test_a_derived_id_takes_half_the_room() -> None:
    assert len(pack_id(evidence_id("dock", "mugs", 1, "slot", "edge"))) == 17


@pytest.mark.parametrize("damaged", [b"?abc", b"", "text", 7, None])
def test_anything_else_is_refused(damaged: Any) -> None:
    with pytest.raises(InvalidInput, match="expected a packed evidence id"):
        unpack_id(damaged)
