import json

import pytest

from stamina_video.cli.output import emit, say, show_table


def test_a_document_is_written_whole_or_not_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    emit({"count": 3, "word": "café"})
    assert json.loads(capsys.readouterr().out) == {"count": 3, "word": "café"}
    with pytest.raises(ValueError, match="Out of range"):
        emit([1, float("nan")])
    assert capsys.readouterr().out == ""


def test_names_in_brackets_are_shown_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    show_table("a [/b] c", ("Target", "Count"), [("[red]mugs[/red]", 3), ("[/x]", -1)])
    shown = capsys.readouterr().out
    assert "a [/b] c" in shown
    assert "[red]mugs[/red]" in shown


def test_numbers_align_right(capsys: pytest.CaptureFixture[str]) -> None:
    show_table("t", ("Name", "Count"), [("mugs", 3), ("cups", 1234)])
    lines = capsys.readouterr().out.splitlines()
    assert any(line.endswith("    3 │") for line in lines)


def test_remarks_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    say("one moment")
    assert capsys.readouterr() == ("", "one moment\n")
