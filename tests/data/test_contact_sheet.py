from pathlib import Path

import cv2
import numpy as np
import pytest

from stamina_video.data.contact_sheet import WIDTH, ContactSheets, evenly
from stamina_video.data.frame_map import FrameMap, Piece
from tests.data.filming import FPS, film

BACKWARDS = FrameMap((Piece(0.0, 8.0, 8.0, 0.0),))


@pytest.fixture
def sheets(tmp_path: Path) -> ContactSheets:
    film(tmp_path / "grey.mp4", 10)
    return ContactSheets(tmp_path / "grey.mp4")


def test_times_are_spread_from_end_to_end() -> None:
    assert evenly(1.0, 3.0, 5) == [1.0, 1.5, 2.0, 2.5, 3.0]
    assert evenly(3.0, 3.0, 5) == [3.0]


def test_a_frame_is_the_last_one_shown_by_then(sheets: ContactSheets) -> None:
    assert sheets.frames_at(FrameMap.whole(10.0), [0.0, 0.3, 0.49, 2.0]) == [0, 1, 2 * FPS]
    assert sheets.frames_at(BACKWARDS, [0.0, 8.0]) == [8 * FPS, 0]


def test_what_is_shown_again_is_on_the_sheet_again(sheets: ContactSheets) -> None:
    twice = FrameMap((Piece(0.0, 2.0, 0.0, 2.0), Piece(2.0, 4.0, 2.0, 2.0), Piece(4.0, 6.0, 0.0, 2.0)))
    assert sheets.frames_at(twice, [1.0, 2.0, 3.0, 3.5, 5.0, 6.0]) == [4, 8, 4, 8]


def test_pictures_are_small_and_show_their_frame(sheets: ContactSheets) -> None:
    pictures = sheets.pictures([20, 4, 20])
    assert sorted(pictures) == [4, 20]
    for number, jpeg in pictures.items():
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        assert image.shape[1] == WIDTH
        assert abs(float(image.mean()) - 4 * number) < 4
