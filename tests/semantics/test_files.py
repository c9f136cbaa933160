from pathlib import Path

import pytest

from stamina_video.semantics import InvalidInput, UnreadableFile
from stamina_video.semantics.files import (
    csv_rows,
    digest,
    field,
    json_document,
    json_lines,
    list_field,
    text_field,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file"


def test_blank_lines_are_passed_over_and_counted(path: Path) -> None:
    path.write_text('\n{"a": 1}\n\n{"a": 2}\n')
    assert [where.rpartition(" ")[2] for where, _ in json_lines(path)] == ["2", "4"]


@pytest.mark.parametrize("text", ["{", "nothing", "[" * 100_000, "[1]", "1" * 5000])
def test_a_line_that_is_no_object_is_named(path: Path, text: str) -> None:
    path.write_text(text)
    with pytest.raises(UnreadableFile, match=r"line 1: expected (a )?JSON"):
        list(json_lines(path))


@pytest.mark.parametrize("read", [json_document, digest, lambda path: list(csv_rows(path))])
def test_a_missing_file_is_named(path: Path, read: object) -> None:
    with pytest.raises(UnreadableFile, match="expected a readable file, got No such file"):
        read(path)  # type: ignore[operator]


def test_other_bytes_are_refused(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnreadableFile, match="expected text in UTF-8"):
        json_document(path)


def test_tables_keep_quoted_cells_and_forgive_spaces_and_marks(path: Path) -> None:
    path.write_bytes('\ufeffVideo, Time\r\n"a,\nb.mp4", 1 \r\n\r\n'.encode())
    assert [row for _, row in csv_rows(path)] == [{"video": "a,\nb.mp4", "time": "1"}]


def test_a_field_is_there_and_of_its_kind() -> None:
    assert field({"a": None}, "a", "row 1") is None
    assert text_field({"a": "x"}, "a", "row 1") == "x"
    assert list_field({"a": [1]}, "a", "row 1") == [1]


@pytest.mark.parametrize(
    ("row", "complaint"),
    [({}, "row 1: expected a field 'a', got none"), (7, "row 1: expected a JSON object, got 7")],
)
def test_a_field_that_is_not_there_is_named(row: object, complaint: str) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        field(row, "a", "row 1")


def test_equal_content_has_one_digest(path: Path, tmp_path: Path) -> None:
    path.write_text("same")
    (tmp_path / "copy").write_text("same")
    assert digest(path) == digest(tmp_path / "copy")
    (tmp_path / "copy").write_text("other")
    assert digest(path) != digest(tmp_path / "copy")
