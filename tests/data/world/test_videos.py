from pathlib import Path

import av
import numpy as np
import pytest

from stamina_video.data.world import Scene, make_scene
from stamina_video.data.world.videos import FPS, LINES, delivered, write_video

SECONDS = 4.0
FEW = 240  # lines: pictures that are soon made


@pytest.fixture(scope="module")
def scene() -> Scene:
    return make_scene("tour", 5, "train", SECONDS)


def test_a_file_has_every_frame_and_the_same_bytes_each_time(scene: Scene, tmp_path: Path) -> None:
    first, again = tmp_path / "first.mp4", tmp_path / "again.mp4"
    assert write_video(scene, first, FEW) == write_video(scene, again, FEW) == int(SECONDS * FPS)
    assert first.read_bytes() == again.read_bytes()
    with av.open(str(first), "r") as container:
        assert sum(1 for _ in container.decode(video=0)) == int(SECONDS * FPS)


def test_pictures_are_delivered_as_the_file_shows_them(scene: Scene, tmp_path: Path) -> None:
    times = [number / FPS for number in range(int(SECONDS * FPS))]
    write_video(scene, tmp_path / "scene.mp4", FEW)
    with av.open(str(tmp_path / "scene.mp4"), "r") as container:
        shown = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    for ours, theirs in zip(delivered(scene, times, FEW), shown, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_pictures_have_as_many_lines_as_wanted_and_480_by_default(scene: Scene, tmp_path: Path) -> None:
    assert {picture.shape[0] for picture in delivered(scene, [0.0, 1.0], 360)} == {360}
    assert {picture.shape[0] for picture in delivered(scene, [0.0])} == {LINES} == {480}
    write_video(make_scene("tour", 5, "train", SECONDS), tmp_path / "scene.mp4")
    with av.open(str(tmp_path / "scene.mp4"), "r") as container:
        assert container.streams.video[0].height == 480


def test_few_moments_are_delivered_in_their_order(scene: Scene) -> None:
    times = [0.0, 1.5, 3.5]
    for time, picture in zip(times, delivered(scene, times), strict=True):
        rendered = scene.frame(time, (picture.shape[1], picture.shape[0])).astype(float)
        assert np.abs(picture - rendered).mean() < 12
