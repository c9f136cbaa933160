import base64
from pathlib import Path

import cv2
import numpy as np
import pytest

from stamina_video.evaluation.pages.album import Album
from tests.cli.scenes import blob_video


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("videos")
    blob_video(folder / "blobs.mp4")
    (folder / "broken.mp4").write_text("no video")
    return folder


def test_a_picture_shows_its_moment(folder: Path) -> None:
    album = Album(folder)
    for time in (0.0, 3.5):
        album.ask("blobs.mp4", time)
    album.develop()
    first, last = (_decoded(album.picture("blobs.mp4", time)) for time in (0.0, 3.5))
    assert first.shape[1] == last.shape[1] == 200
    assert np.abs(first.astype(int) - last.astype(int)).mean() > 5, "the blobs have moved"
    assert album.picture("blobs.mp4", 1.0) is None


@pytest.mark.parametrize("video", ["broken.mp4", "missing.mp4", "../outside.mp4"])
def test_a_video_that_cannot_be_read_says_why(folder: Path, video: str) -> None:
    blob_video(folder.parent / "outside.mp4")
    album = Album(folder)
    album.ask(video, 1.0)
    album.develop()
    assert album.picture(video, 1.0) is None
    assert "expected" in album.unreadable[video]


def test_there_is_room_for_so_many(folder: Path) -> None:
    album = Album(folder, most=2)
    for time in (0.0, 1.0, 1.0, 2.0, 3.0):
        album.ask("blobs.mp4", time)
    album.develop()
    assert album.turned_away == 2
    assert album.picture("blobs.mp4", 1.0)
    assert album.picture("blobs.mp4", 2.0) is None


def test_without_a_folder_there_are_no_pictures() -> None:
    album = Album(None)
    album.ask("blobs.mp4", 0.0)
    album.develop()
    assert (album.picture("blobs.mp4", 0.0), album.unreadable, album.turned_away) == (None, {}, 0)


def _decoded(address: str | None) -> np.ndarray:
    assert address is not None
    kind, _, data = address.partition(",")
    assert kind == "data:image/jpeg;base64"
    picture = cv2.imdecode(np.frombuffer(base64.b64decode(data), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return picture
