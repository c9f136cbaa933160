from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.ledger.rows import GENESIS, Row, digest_of, encode_evidence
from stamina_video.semantics import Kind
from tests.ledger.commits import CAMERA, MUGS, entry, identity, segment, stamped

COMMIT = stamped(identity(1.0))


@pytest.mark.parametrize(
    "change",
    [
        {"stream": "other"},
        {"target": "boxes"},
        {"kind": Kind.EVENT},
        {"delta": 2},
        {"observation": 11},
        {"time": 1.5},
        {"evidence_id": "other"},
        {"evidence": {"score": 0.5}},
        {"model": "other"},
        {"recorded": 0.0},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_digest_covers_every_field(change: dict[str, Any]) -> None:
    assert digest_of(GENESIS, replace(COMMIT, **change), 0, 1, 1) != digest_of(GENESIS, COMMIT, 0, 1, 1)


def test_a_digest_covers_numbers_and_the_row_before() -> None:
    variants = [
        (GENESIS, 0, 1, 1),
        (GENESIS, 1, 1, 1),
        (GENESIS, 0, 2, 1),
        (GENESIS, 0, 1, 2),
        (b"x", 0, 1, 1),
    ]
    digests = {
        digest_of(previous, COMMIT, segment, total, gained) for previous, segment, total, gained in variants
    }
    assert len(digests) == len(variants)


def test_fields_do_not_run_into_each_other() -> None:
    moved = replace(COMMIT, stream=COMMIT.stream + COMMIT.target[0], target=COMMIT.target[1:])
    assert digest_of(GENESIS, moved, 0, 1, 1) != digest_of(GENESIS, COMMIT, 0, 1, 1)


@given(
    st.dictionaries(st.text(), st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text())
)
def test_evidence_has_one_spelling(evidence: dict[str, Any]) -> None:
    text = encode_evidence(evidence)
    assert text == encode_evidence(dict(reversed(evidence.items())))
    assert text.isascii()
    assert text.isprintable()


def test_a_row_knows_its_track() -> None:
    row = Row(entry(2.0), 3, 1, 4, GENESIS)
    assert row.track == (CAMERA, MUGS, "visible", 3)
    assert row.point == (2.0, 1, 4)
    assert Row(segment(2.0), 1, 0, 0, GENESIS).track == (CAMERA, "", "", 1)
