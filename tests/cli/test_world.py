import json
from pathlib import Path

import av
import cv2
import pytest

from stamina_video.cli import clips, world
from stamina_video.data.perception import fit as fitting
from stamina_video.data.perception import read_statistics
from stamina_video.semantics import InvalidInput, read_questions
from tests.cli.eyes import open_eyes
from tests.data.filming import film
from tests.data.perception.streams import stream


def run(*arguments: str) -> None:
    world.app([*arguments], standalone_mode=False)


def make(*arguments: str) -> None:
    run("make", *arguments)


def rows(video: Path) -> int:
    with av.open(str(video)) as container:
        return container.streams.video[0].height


def test_make_writes_the_folder_and_says_how_far_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--out", str(tmp_path), "--seed", "5", "--videos", "1", "--seconds", "4", "--workers", "1"]
    make(*arguments)
    said = capsys.readouterr()
    assert said.out == ""
    assert "1 of 1: packing-train-5-0000" in said.err
    assert read_questions(tmp_path / "annotations.jsonl")[0].video == "packing-train-5-0000.mp4"
    assert rows(tmp_path / "videos" / "packing-train-5-0000.mp4") == 480
    make(*arguments, "--json")
    said = capsys.readouterr()
    assert "1 of 1 videos are there already" in said.err
    assert json.loads(said.out)["kept"] == 1


def test_make_writes_videos_of_other_heights_where_told(tmp_path: Path) -> None:
    make("--out", str(tmp_path), "--videos", "1", "--seconds", "4", "--lines", "120", "--workers", "1")
    (video,) = (tmp_path / "videos").iterdir()
    assert rows(video) == 120


def test_bad_input_is_a_domain_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="expected a split"):
        make("--out", str(tmp_path), "--split", "sideways")


def test_fit_prints_measured_beside_simulated_and_writes_the_statistics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "clip.mp4").touch()
    monkeypatch.setattr(clips, "watched", lambda *_: (stream(seed) for seed in range(6)))
    monkeypatch.setattr(fitting, "ROUNDS", 1)
    run("fit", "--clips", str(tmp_path), "--out", str(tmp_path / "detector.json"))
    said = capsys.readouterr()
    assert "round 1 of 1" in said.err
    assert "boxes an observation" in said.out
    assert read_statistics(tmp_path / "detector.json").vocabulary == stream(0).vocabulary
    run("fit", "--clips", str(tmp_path), "--json")
    document = json.loads(capsys.readouterr().out)
    assert document["streams"] == 6
    assert {"name", "measured", "simulated"} <= set(document["agreements"][0])


def test_fit_refuses_clips_that_show_too_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_eyes(monkeypatch)
    film(tmp_path / "clip.mp4", 2.0)
    with pytest.raises(InvalidInput, match=r"expected at least .* tracks of clearly seen things, got"):
        run("fit", "--clips", str(tmp_path))


def test_distance_compares_rendered_with_real_and_real_with_real(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    open_eyes(monkeypatch)
    for number in range(10):
        film(tmp_path / f"{number}.mp4", 2.0, step=2 + 2 * number)
    run("distance", "--clips", str(tmp_path), "--scenes", "1", "--json")
    document = json.loads(capsys.readouterr().out)
    rendered, real = document["rendered against real"], document["real against real (halves)"]
    assert rendered["told_apart"] > real["told_apart"]
    assert rendered["frechet"] > 0
    assert document["rendered and compressed against real"] != rendered
    assert set(real) == {"frechet", "means", "told_apart"}


def test_sheet_draws_a_row_for_every_scene(tmp_path: Path) -> None:
    arguments = ("--family", "pendulum", "--scenes", "2", "--moments", "3")
    run("sheet", "--out", str(tmp_path / "sheet.png"), *arguments)
    picture = cv2.imread(str(tmp_path / "sheet.png"))
    assert picture is not None
    assert picture.shape[0] * 3 * 4 == picture.shape[1] * 2 * 3, "cells are four wide and three high"
    with pytest.raises(InvalidInput, match="expected a PNG"):
        run("sheet", "--out", str(tmp_path / "sheet.txt"))
