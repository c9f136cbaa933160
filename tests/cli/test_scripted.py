import json
from pathlib import Path

import pytest
from matplotlib.image import imread

from stamina_video.cli import scripted


def test_the_scripted_scene_is_counted_drawn_and_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scripted.play(tmp_path, as_json=True)
    document = json.loads(capsys.readouterr().out)
    assert document["counts"]["different mugs so far"]["48.0"] == 3
    assert document["counts"]["mugs visible now"]["12.5"] == 1
    assert document["counts"]["mugs packed so far"]["36.0"] == 2
    assert document["explain"]["count"] == len(document["explain"]["commits"]) == 3
    picture = imread(document["plot"])
    assert min(picture.shape[:2]) > 300
    assert picture.std() > 0.05, "the picture is not blank"


def test_it_can_be_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for expected in ("17 commits added", "0 commits added"):
        scripted.play(tmp_path)
        assert expected in capsys.readouterr().err
