from pathlib import Path

import numpy as np
import pytest

from stamina_video.cli.clips import clips_in, featured, pictures, watched
from stamina_video.semantics import InvalidInput
from tests.cli.eyes import open_eyes
from tests.data.filming import film


def test_clips_are_found_at_any_depth_in_order(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("b.mp4", "deep/a.MOV", "notes.txt"):
        (tmp_path / name).touch()
    assert [path.name for path in clips_in(tmp_path)] == ["b.mp4", "a.MOV"]
    with pytest.raises(InvalidInput, match="expected a folder with video clips"):
        clips_in(tmp_path / "nowhere")


def test_pictures_are_spread_evenly_over_a_clip(tmp_path: Path) -> None:
    film(tmp_path / "clip.mp4", 7.0)
    levels = [float(np.mean(image)) for image in pictures(tmp_path / "clip.mp4", 3)]
    np.testing.assert_allclose(np.diff(levels), 48, atol=4)
    assert len(pictures(tmp_path / "clip.mp4", 40)) == 7


def test_a_clip_becomes_a_stream_of_what_the_detector_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_eyes(monkeypatch)
    film(tmp_path / "clip.mp4", 4.0)
    (stream,) = watched([tmp_path / "clip.mp4"], 2.0)
    assert stream.times_T.tolist() == [k / 2 for k in range(8)]
    assert stream.lengths_T.tolist() == [0] + [1] * 7, "nothing is reported of a black frame"
    assert stream.vocabulary == ("cup", "bowl")
    np.testing.assert_allclose(stream.rival_N, 0.25, atol=1e-6)
    assert np.diff(stream.scores_N).min() > 0


def test_a_clip_that_cannot_be_read_is_named_and_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    open_eyes(monkeypatch)
    (tmp_path / "broken.mp4").write_bytes(b"no video")
    assert list(watched([tmp_path / "broken.mp4"], 2.0)) == []
    assert pictures(tmp_path / "broken.mp4", 3) == []
    assert "left out" in capsys.readouterr().err


def test_a_picture_is_the_mean_of_every_field(monkeypatch: pytest.MonkeyPatch) -> None:
    open_eyes(monkeypatch)
    grey = np.full((32, 32, 3), 51, np.uint8)
    np.testing.assert_allclose(featured([grey, grey]), [[0.2] * 3 + [0.04] * 3] * 2, atol=1e-6)
