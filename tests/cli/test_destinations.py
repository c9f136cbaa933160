from pathlib import Path

import pytest

from stamina_video.cli.destinations import check_distinct, check_writable, written_whole
from stamina_video.semantics import InvalidInput


def test_a_file_is_there_whole(tmp_path: Path) -> None:
    path = tmp_path / "counts.png"
    with written_whole(path) as draft:
        assert draft.suffix == path.suffix
        draft.write_text("whole")
        assert not path.exists()
    assert path.read_text() == "whole"
    assert list(tmp_path.iterdir()) == [path]


def test_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "counts.png"
    path.write_text("older")
    with pytest.raises(RuntimeError), written_whole(path) as draft:  # noqa: PT012  # what fails is the writing
        draft.write_text("half")
        raise RuntimeError
    assert path.read_text() == "older"
    assert list(tmp_path.iterdir()) == [path]


def test_checking_leaves_no_trace(tmp_path: Path) -> None:
    older = tmp_path / "older.png"
    older.write_text("older")
    check_writable("--plot", tmp_path / "new.png", (".png",))
    check_writable("--plot", older, (".png",))
    assert older.read_text() == "older"
    assert list(tmp_path.iterdir()) == [older]


def test_two_names_of_one_file_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    same = {"VIDEO": tmp_path / "a.mp4", "--annotate": tmp_path / "b" / ".." / "a.mp4"}
    with pytest.raises(InvalidInput, match="expected different files for VIDEO and --annotate"):
        check_distinct(same)
    check_distinct({"VIDEO": tmp_path / "a.mp4", "--annotate": tmp_path / "c.mp4"})
