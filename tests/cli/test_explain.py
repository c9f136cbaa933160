import json
from pathlib import Path
from typing import Any

import pytest

from stamina_video.cli import main
from stamina_video.ledger import Commit, Ledger


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    """Two mugs, one of them doubtful, behind a connection that broke."""
    path = tmp_path / "counts.db"
    doubt = {"identity": 1, "cosine": 0.97, "missed": 0, "doubled": 1}
    with Ledger.open(path) as ledger:
        for commit in (
            Commit("door", "mugs", "identity", 1, 2, 1.0, "a", {"identity": 0, "new": 0.93}),
            Commit("door", "", "gap", 0, 4, 4.0, "b", {"since": 2.0, "reason": "reconnected", "missed": 1}),
            Commit("door", "mugs", "identity", 1, 9, 6.0, "c", {"identity": 1, "new": 0.61}),
            Commit("door", "mugs", "retrieval-miss", 0, 9, 6.0, "d", doubt),
        ):
            ledger.append(commit)
    return path


def explained(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert leaves_with(*arguments, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    return document


def leaves_with(*arguments: object) -> object:
    with pytest.raises(SystemExit) as left:
        main(["explain", *map(str, arguments)])
    return left.value.code


def test_the_commits_and_their_scores_make_up_the_number(
    counts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = explained(capsys, counts, "--target", "mugs", "--at", 7)
    assert (document["count"], document["at"]) == (2, 7.0)
    assert [commit["evidence"]["new"] for commit in document["commits"]] == [0.93, 0.61]
    assert [commit["observation"] for commit in document["commits"]] == [2, 9]


def test_gaps_and_misses_are_told_with_reasons_and_a_bound(
    counts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = explained(capsys, counts, "--target", "mugs")
    assert [fact["kind"] for fact in document["facts"]] == ["gap", "retrieval-miss"]
    gap, miss, bound = document["warnings"]
    assert gap == "gap from 2.0 to 4.0 s in the whole stream: reconnected; at most 1 missed"
    assert miss.startswith("retrieval-miss at 6.0 s for 'mugs': someone known may have been taken for new")
    assert miss.endswith("at most 1 counted twice")
    assert bound == "the true number is between 1 and 3"


def test_a_count_before_the_gap_has_no_warning(counts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = explained(capsys, counts, "--target", "mugs", "--at", 1.5)
    assert (document["count"], document["facts"], document["warnings"]) == (1, [], [])


def test_a_person_reads_a_table_and_warnings(counts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert leaves_with(counts, "--target", "mugs", "--since", 3, "--at", 7) == 0
    out, err = capsys.readouterr()
    assert "mugs: +1 from 3 s to 7 s" in out
    assert "0.61" in out
    assert "0.93" not in out
    assert "warning: gap from 2.0 to 4.0 s in the whole stream: reconnected" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--target", "cups"], "expected a target of stream 'door' (mugs), got 'cups'"),
        (["--target", "mugs", "--stream", "yard"], "expected a stream of this ledger (door), got yard"),
        (["--target", "mugs", "--at", "-1"], "expected a time in seconds"),
        (["--target", "mugs", "--since", "5", "--at", "4"], "expected since no later than at"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], said: str, counts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leaves_with(counts, *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
