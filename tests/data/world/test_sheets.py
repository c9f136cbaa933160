from pathlib import Path

import cv2
import pytest

from stamina_video.data.world.sheets import HEIGHT, WIDTH, write_sheet
from stamina_video.semantics import InvalidInput


def test_a_sheet_has_a_row_for_every_scene_and_a_column_for_every_moment(tmp_path: Path) -> None:
    write_sheet(tmp_path / "s.png", ["pendulum"], scenes=2, moments=3, seed=1)
    picture = cv2.imread(str(tmp_path / "s.png"))
    assert picture is not None
    assert picture.shape == (2 * HEIGHT, 3 * WIDTH, 3)


def test_what_cannot_be_drawn_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="expected at least one scene"):
        write_sheet(tmp_path / "s.png", None, scenes=0, moments=3, seed=1)
    with pytest.raises(InvalidInput, match="expected a PNG"):
        write_sheet(tmp_path / "nowhere" / "s.png", None, scenes=1, moments=1, seed=1)
