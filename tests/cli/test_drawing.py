import numpy as np
import pytest

from stamina_video.cli.drawing import BRIGHT, draw
from stamina_video.cli.overlay import Look, Place, Row
from stamina_video.semantics import Commit

BOX = (0.5, 0.5, 0.75, 0.9)
LOOK = Look((Place("identity:2", BOX, "#3"),), ("ready", "active"))


def a_row(fresh: tuple[Commit, ...] = (), label: str = "red mugs", look: Look = LOOK) -> Row:
    return Row(label, 17, look, fresh)


def a_commit() -> Commit:
    return Commit("s", "red mugs", "identity", 1, 0, 0.0, "e", {"identity": 2, "box": list(BOX)})


@pytest.mark.parametrize("size", [(16, 16), (48, 64), (241, 321), (720, 1280), (1280, 720)])
def test_any_picture_size_is_drawn_on_and_kept(size: tuple[int, int]) -> None:
    picture = np.full((*size, 3), 128, np.uint8)
    rows = [a_row(), a_row((a_commit(),), label="кружки, die über den ganzen Tisch hinweg wandern, und mehr")]
    drawn = draw(picture, rows, 12.34)
    assert drawn.shape == picture.shape
    assert drawn.dtype == np.uint8
    assert (picture == 128).all(), "the given picture stays as it was"
    assert (drawn != 128).mean() > 0.02


def test_a_box_is_where_it_was_seen() -> None:
    picture = np.full((480, 640, 3), 128, np.uint8)
    changed = (draw(picture, [a_row()], 0.0) != draw(picture, [a_row(look=Look())], 0.0)).any(axis=-1)
    assert changed[300, 319:322].any(), "its left edge"
    assert not changed[250:400, 340:460].any(), "what it frames stays visible"


def test_a_commit_is_brighter_than_what_is_followed() -> None:
    picture = np.full((480, 640, 3), 128, np.uint8)
    bright = np.array([int(BRIGHT[place : place + 2], 16) for place in (1, 3, 5)])
    quiet, loud = draw(picture, [a_row()], 0.0), draw(picture, [a_row((a_commit(),))], 0.0)
    assert not (quiet == bright).all(axis=-1).any()
    assert (loud == bright).all(axis=-1).sum() > 500
