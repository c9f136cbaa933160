import json
from pathlib import Path

import pytest

from stamina_video.data.judgements import RECONCILED, Judgement, audit_table, read_judgements
from stamina_video.semantics import InvalidInput, UnreadableFile

SOURCES = {"a": "spatial", "b": "spatial", "c": "natural", "unread": "natural"}


def word(id_: str, reader: str, endpoint: bool = True, increment: bool = True) -> Judgement:
    return Judgement(id_, reader, endpoint, increment)


def test_two_readers_make_a_rate_with_its_interval() -> None:
    words = [word(id_, reader) for id_ in "abc" for reader in ("ann", "bo")]
    words[4] = word("c", "ann", increment=False)
    words[5] = word("c", "bo", increment=False)
    natural, spatial, both = audit_table(SOURCES, words)
    assert (natural.source, natural.audited, natural.increment.rate) == ("natural", 1, 0.0)
    assert (spatial.endpoint.correct, spatial.endpoint.rate, spatial.agreement.rate) == (2, 1.0, 1.0)
    assert both.audited == 3
    assert both.increment.low is not None
    assert both.increment.high is not None
    assert both.increment.low < 2 / 3 < both.increment.high


def test_what_is_not_settled_counts_as_not_correct_until_it_is() -> None:
    words = [word("a", "ann"), word("a", "bo", endpoint=False), word("b", "ann"), word("b", "bo")]
    row = audit_table(SOURCES, words)[-1]
    assert (row.endpoint.correct, row.audited, row.unsettled, row.agreement.rate) == (1, 2, ("a",), 0.5)
    row = audit_table(SOURCES, [*words, word("a", RECONCILED)])[-1]
    assert (row.endpoint.correct, row.unsettled, row.agreement.rate) == (2, (), 0.5)


def test_one_reader_is_not_enough() -> None:
    with pytest.raises(InvalidInput, match="expected judgements of two readers, got 1: ann"):
        audit_table(SOURCES, [word("a", "ann")])
    with pytest.raises(InvalidInput, match="expected a record of this audit, got 'z'"):
        audit_table(SOURCES, [word("z", "ann")])


def test_files_are_read_and_bad_lines_named(tmp_path: Path) -> None:
    path = tmp_path / "ann.jsonl"
    good = {"id": "a", "reader": "ann", "endpoint": True, "increment": False}
    path.write_text(json.dumps(good) + "\n\n")
    assert read_judgements([path]) == [word("a", "ann", increment=False)]
    for line, said in (
        (json.dumps(good | {"endpoint": "yes"}), "line 1: expected 'endpoint' as bool"),
        ("{", "line 1: expected a JSON object"),
        (f"{json.dumps(good)}\n{json.dumps(good)}", "line 2: expected one judgement of 'a' by 'ann'"),
    ):
        path.write_text(line)
        with pytest.raises(InvalidInput, match=said):
            read_judgements([path])
    with pytest.raises(UnreadableFile, match="expected judgements as JSON Lines"):
        read_judgements([tmp_path / "none.jsonl"])
