import json
from pathlib import Path

import pytest

from stamina_video.cli import world
from stamina_video.semantics import InvalidInput, read_questions


def make(*arguments: str) -> None:
    world.app(["make", *arguments], standalone_mode=False)


def test_make_writes_the_folder_and_says_how_far_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--out", str(tmp_path), "--seed", "5", "--videos", "1", "--seconds", "4", "--workers", "1"]
    make(*arguments)
    said = capsys.readouterr()
    assert said.out == ""
    assert "1 of 1: packing-train-5-0000" in said.err
    assert read_questions(tmp_path / "annotations.jsonl")[0].video == "packing-train-5-0000.mp4"
    make(*arguments, "--json")
    said = capsys.readouterr()
    assert "1 of 1 videos are there already" in said.err
    assert json.loads(said.out)["kept"] == 1


def test_bad_input_is_a_domain_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="expected a split"):
        make("--out", str(tmp_path), "--split", "sideways")
