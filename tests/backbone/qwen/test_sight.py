import numpy as np
import pytest
import torch

from stamina_video.backbone.qwen.tiny import MARKS
from stamina_video.semantics import InvalidInput
from tests.backbone.qwen.tiny import a_backbone

SIGHTS = a_backbone().sights


def test_a_frame_is_written_as_the_released_processor_writes_a_videos() -> None:
    sight = SIGHTS.see(np.zeros((16, 24, 3), np.uint8), 12.0, most_tokens=16)
    start, end, video = (MARKS.index(f"<|{mark}|>") for mark in ("vision_start", "vision_end", "video_pad"))
    assert sight.ids_L[-8:].tolist() == [start, *[video] * 6, end]
    assert sight.is_visual_L.tolist() == [False] * (len(sight.ids_L) - 7) + [True] * 6 + [False]


def test_rows_and_columns_of_a_frame_share_one_moment() -> None:
    sight = SIGHTS.see(np.zeros((16, 24, 3), np.uint8), 12.0, most_tokens=16)
    moments, rows, columns = (sight.positions_3L[:, sight.is_visual_L] - 7).tolist()
    assert moments == [0] * 6
    assert rows == [0, 0, 0, 1, 1, 1]
    assert columns == [0, 1, 2, 0, 1, 2]
    assert sight.span == 7 + 3 + 1  # words, the wider side of the frame, its end


def test_boxes_tile_the_frame() -> None:
    boxes = SIGHTS.see(np.zeros((16, 24, 3), np.uint8), 0.0, most_tokens=16).boxes_N4
    torch.testing.assert_close(boxes[0], torch.tensor([0.0, 0.0, 1 / 3, 0.5]))
    torch.testing.assert_close(boxes[-1], torch.tensor([2 / 3, 0.5, 1.0, 1.0]))


def test_a_large_image_fits_the_budget_and_keeps_its_aspect() -> None:
    sight = SIGHTS.see(np.zeros((120, 480, 3), np.uint8), 0.0, most_tokens=16)
    assert len(sight.boxes_N4) <= 16
    _, rows, columns = sight.grid_3.tolist()
    assert columns == 4 * rows


@pytest.mark.parametrize(
    "image", ["picture.png", np.zeros((4, 4), np.uint8), np.zeros((1, 900, 3), np.uint8)]
)
def test_what_is_no_image_is_refused(image: object) -> None:
    with pytest.raises(InvalidInput, match="expected an image"):
        SIGHTS.see(image, 0.0, most_tokens=16)
