"""Every kind of damage to stored rows is found, and the first bad row is named."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from stamina_video.ledger import Ledger
from stamina_video.semantics import Kind, LedgerCorrupt
from tests.ledger.commits import CAMERA, commit, entry, exit_, identity, segment


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "counts.db"
    with Ledger.open(path) as ledger:
        ledger.append_all([identity(1.0), entry(1.0, 2)])
        ledger.append(commit(Kind.GAP, 1.5, target=""))
        ledger.append(exit_(2.0))
        ledger.append(segment(3.0))
        ledger.append(identity(4.0))
        ledger.append(identity(4.0, stream="other"))
    return path


def edit(path: Path, *statements: str) -> None:
    """Change a ledger as somebody with the right tools and the wrong intentions would."""
    with closing(sqlite3.connect(path)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        for _, definition in triggers:
            connection.execute(definition)
        connection.commit()


def test_a_sound_ledger(path: Path) -> None:
    with Ledger.open(path, readonly=True) as ledger:
        assert ledger.verify() == 7


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("UPDATE ledger_commits SET delta = 5 WHERE id = 2", r"row 2 .* expected total 5, got 2"),
        ("UPDATE ledger_commits SET total = 9, gained = 9 WHERE id = 6", r"row 6 .* expected total 1, got 9"),
        ("UPDATE ledger_commits SET gained = 9 WHERE id = 4", r"row 4 .* expected gained 2, got 9"),
        ("UPDATE ledger_commits SET segment = 0 WHERE id = 6", r"row 6 .* expected segment 1, got 0"),
        (
            "UPDATE ledger_commits SET time = 0.5 WHERE id = 4",
            r"row 4 .* breaks the rules: .* at 1\.0 s or later",
        ),
        ("UPDATE ledger_commits SET delta = -3 WHERE id = 4", r"row 4 .* breaks the rules: .* got 3"),
        ("UPDATE ledger_commits SET observation = 8 WHERE id = 1", r"row 1 .* digest does not follow"),
        ("UPDATE ledger_commits SET evidence = '{}' WHERE id = 3", r"row 3 .* digest does not follow"),
        ("UPDATE ledger_commits SET recorded = 1.0 WHERE id = 3", r"row 3 .* digest does not follow"),
        ("UPDATE ledger_commits SET model = 1 WHERE id = 3", r"row 3 .* digest does not follow"),
        ("UPDATE ledger_commits SET digest = x'00' WHERE id = 7", r"row 7 .* digest does not follow"),
        ("UPDATE ledger_commits SET evidence = '{' WHERE id = 5", r"row 5 cannot be read"),
        (
            "UPDATE ledger_commits SET kind = 'guess' WHERE id = 5",
            r"row 5 cannot be read: expected a commit kind",
        ),
        (
            "UPDATE ledger_commits SET stream = 99 WHERE id = 5",
            r"row 5 .* refers to a missing row of ledger_names",
        ),
        (
            "UPDATE ledger_commits SET track = 99 WHERE id = 7",
            r"row 7 .* refers to a missing row of ledger_tracks",
        ),
        (
            "UPDATE ledger_commits SET track = 1 WHERE id = 7",
            r"row 7 cannot be read: expected a track of stream",
        ),
        ("DELETE FROM ledger_commits WHERE id = 3", r"row 4 .* digest does not follow"),
        ("DELETE FROM ledger_commits WHERE id = 1", r"row 2 .* digest does not follow"),
    ],
)
def test_an_edit_is_found_and_its_row_named(path: Path, statement: str, complaint: str) -> None:
    edit(path, statement)
    with Ledger.open(path, readonly=True) as ledger, pytest.raises(LedgerCorrupt, match=complaint):
        ledger.verify()


def test_an_index_that_disagrees_is_found(path: Path) -> None:
    """Rows are right, the index over their times is not: SQLite is told that it indexes other values."""
    with closing(sqlite3.connect(path)) as connection:
        (definition,) = connection.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'ledger_as_of'"
        ).fetchone()
    edit(
        path,
        "DROP INDEX ledger_as_of",
        definition.replace("time", "-time"),
        "PRAGMA writable_schema = ON",
        f"UPDATE sqlite_master SET sql = '{definition}' WHERE name = 'ledger_as_of'",
    )
    with Ledger.open(path, readonly=True) as ledger, pytest.raises(LedgerCorrupt, match="ledger_as_of"):
        ledger.verify()


@pytest.mark.parametrize("thing", ["TRIGGER ledger_commits_no_DELETE", "INDEX ledger_landmarks"])
def test_a_missing_guard_is_found(path: Path, thing: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"DROP {thing}")
    with (
        Ledger.open(path, readonly=True) as ledger,
        pytest.raises(LedgerCorrupt, match="triggers are not those"),
    ):
        ledger.verify()


def test_verify_agrees_with_the_reads(path: Path) -> None:
    with Ledger.open(path) as ledger:
        ledger.append(identity(5.0, subject="more"))
        assert ledger.verify() == 8
        assert ledger.count(CAMERA, "red mugs", measure="unique") == 2
