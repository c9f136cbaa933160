import csv
import json
from pathlib import Path

import pytest

from stamina_video.cli import main
from stamina_video.ledger import Commit, Ledger
from tests.cli import packing_ledger


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    path = tmp_path / "counts.db"
    with Ledger.open(path) as ledger:
        for commits in packing_ledger.observations():
            ledger.append_all(commits)
    return path


def run(*arguments: object) -> object:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    return left.value.code


def test_show_prints_the_last_commits(counts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("ledger", "show", counts, "--last", 2, "--json") == 0
    commits = json.loads(capsys.readouterr().out)["commits"]
    assert [(commit["time"], commit["kind"]) for commit in commits] == [(43.0, "exit"), (43.0, "event")]
    assert run("ledger", "show", counts) == 0
    assert "mugs packed" in capsys.readouterr().out
    assert run("ledger", "show", counts, "--target", " mugs  packed", "--last", 1, "--json") == 0
    assert [c["time"] for c in json.loads(capsys.readouterr().out)["commits"]] == [43.0]
    assert run("ledger", "show", counts, "--target", "mug") == 2
    assert "expected a target of stream" in capsys.readouterr().err


def test_verify_says_how_many_rows_are_sound(counts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("ledger", "verify", counts, "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"ledger": str(counts), "commits": 17, "sound": True}
    assert run("ledger", "verify", counts) == 0


def test_export_writes_every_commit(counts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "counts.csv"
    assert run("ledger", "export", counts, "--out", out) == 0
    with out.open() as file:
        assert len(list(csv.DictReader(file))) == 17
    assert run("ledger", "export", counts, "--out", tmp_path / "counts.xls") == 2
    assert "expected" in capsys.readouterr().err
    assert not (tmp_path / "counts.xls").exists()


def test_explain_names_the_commits(counts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", counts, "--target", "mugs packed", "--at", 36, "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["count"] == 2
    assert [commit["time"] for commit in answer["commits"]] == [18.0, 34.0]
    assert answer["warnings"] == [
        "gap from 30.0 to 33.0 s in the whole stream: at most 1 missed",
        "the true number is between 2 and 3",
    ]
    assert run("explain", counts, "--target", "mugs", "--since", 3, "--at", 20) == 0
    assert "+1 from 3 s to 20 s" in capsys.readouterr().out


def test_a_stream_must_be_named_where_there_are_several(
    counts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Ledger.open(counts) as ledger:
        ledger.append(Commit("door", "mugs", "entry", 1, 0, 0.0, "x"))
    assert run("explain", counts, "--target", "mugs") == 2
    assert (
        "expected a stream of this ledger (door, packing table), got no --stream" in capsys.readouterr().err
    )
    assert run("explain", counts, "--target", "mugs", "--stream", "door") == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--target", ""], "expected a target description"),
        (["--target", "mug"], "expected a target of stream 'packing table' (mugs, mugs packed), got 'mug'"),
        (["--target", "mugs", "--at", "-1"], "not negative, got -1"),
        (["--target", "mugs", "--at", "nan"], "got nan"),
        (["--target", "mugs", "--since", "9", "--at", "4"], "expected"),
        (["--target", "mugs", "--measure", "weight"], "Invalid value for '--measure'"),
    ],
)
def test_bad_questions_end_with_one_line(
    arguments: list[str], said: str, counts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = counts.read_bytes()
    assert run("explain", counts, *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
    assert counts.read_bytes() == before


@pytest.mark.parametrize(
    "command", [["ledger", "show"], ["ledger", "verify"], ["explain", "--target", "mugs"]]
)
def test_a_file_that_is_no_ledger(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("two mugs, I think")
    assert run(*command, path) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert path.read_text() == "two mugs, I think"
