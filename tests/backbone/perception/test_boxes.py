import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.backbone.perception.boxes import (
    WHOLE_14,
    areas,
    box_means,
    crowding,
    grid_boxes,
    inner,
    intersections,
    keep_apart,
    overlaps,
)
from stamina_video.backbone.perception.percept import Floats

fractions = st.integers(0, 24).map(lambda part: part / 24)
sides = st.tuples(fractions, fractions).filter(lambda ends: ends[0] < ends[1])


@st.composite
def boxes(draw: st.DrawFn) -> tuple[float, float, float, float]:
    (left, right), (top, bottom) = draw(sides), draw(sides)
    return left, top, right, bottom


def array(*rows: tuple[float, ...]) -> Floats:
    return np.array(rows, np.float32).reshape(-1, 4)


@given(boxes(), st.integers(1, 6), st.integers(1, 6))
def test_a_mean_is_the_mean_of_small_pieces(box: tuple[float, ...], height: int, width: int) -> None:
    field = np.random.default_rng(height * 7 + width).standard_normal((height, width, 3)).astype(np.float32)
    # Cut into 120 × 120 pieces, every box and every cell is a whole number of them.
    pieces = field[(np.arange(120) * height // 120)][:, np.arange(120) * width // 120]
    left, top, right, bottom = (round(end * 120) for end in box)
    expected = pieces[top:bottom, left:right].mean(axis=(0, 1))
    np.testing.assert_allclose(box_means(field, array(box))[0], expected, atol=5e-4)


@pytest.mark.parametrize("box", [(0.5, 0.5, 0.5, 0.5), (1, 1, 1, 1), (0, 0, 0, 0), (0.7, 0.2, 0.3, 0.9)])
def test_a_box_without_area_still_has_a_mean(box: tuple[float, ...]) -> None:
    assert np.isfinite(box_means(np.ones((3, 5, 2), np.float32), array(box))).all()
    np.testing.assert_allclose(box_means(np.ones((3, 5, 2), np.float32), array(box)), 1, rtol=1e-4)


def test_a_grid_tiles_the_image() -> None:
    cells = grid_boxes(7)
    assert len(cells) == 49
    np.testing.assert_allclose(areas(cells).sum(), 1, rtol=1e-5)
    field = np.arange(49, dtype=np.float32).reshape(7, 7, 1)
    np.testing.assert_allclose(box_means(field, cells)[:, 0], np.arange(49), atol=1e-3)
    np.testing.assert_allclose(box_means(field, WHOLE_14), 24, rtol=1e-5)


@given(boxes(), boxes())
def test_overlap_is_symmetric_and_whole_with_itself(one: tuple[float, ...], other: tuple[float, ...]) -> None:
    pair = overlaps(array(one, other), array(one, other))
    assert pair[0, 1] == pair[1, 0]
    assert 0 <= pair[0, 1] <= 1 + 1e-6
    np.testing.assert_allclose(np.diag(pair), 1, rtol=1e-4)
    assert intersections(array(one), array(other))[0, 0] <= min(areas(array(one, other))) + 1e-6


def test_the_better_of_two_boxes_on_one_thing_stays() -> None:
    best, shifted, apart = (0, 0, 0.4, 0.4), (0.02, 0, 0.42, 0.4), (0.5, 0.5, 0.9, 0.9)
    assert keep_apart(array(best, shifted, apart), most=5, overlap=0.6).tolist() == [0, 2]
    assert keep_apart(array(best, shifted, apart), most=1, overlap=0.6).tolist() == [0]
    assert keep_apart(array(), most=5, overlap=0.6).tolist() == []


def test_the_inner_part_keeps_the_centre() -> None:
    np.testing.assert_allclose(inner(array((0, 0.2, 1, 0.6)), 0.25), array((0.25, 0.3, 0.75, 0.5)), atol=1e-6)


@given(
    st.lists(st.tuples(*[st.floats(0, 1, width=32)] * 4), max_size=30), st.integers(0, 12), st.floats(0, 0.95)
)
def test_boxes_kept_apart_are_those_of_the_plain_loop(
    corners: list[tuple[float, ...]], most: int, overlap: float
) -> None:
    """Best first: a box is kept unless a kept one overlaps it too much."""
    boxes = np.array([(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in corners], np.float32)
    boxes = boxes.reshape(-1, 4)
    plain: list[int] = []
    for row in range(len(boxes)):
        if len(plain) < most and (not plain or overlaps(boxes[[row]], boxes[plain]).max() <= overlap):
            plain.append(row)
    assert keep_apart(boxes, most, overlap).tolist() == plain


def test_a_box_is_crowded_by_those_before_it() -> None:
    first, part, apart = (0.0, 0.0, 0.4, 0.4), (0.0, 0.0, 0.2, 0.4), (0.6, 0.6, 0.8, 0.8)
    found = crowding(np.array([first, part, apart], np.float32))
    assert found.tolist() == pytest.approx(np.array([[0, 0], [0.5, 1], [0, 0]]), abs=1e-6)
    assert crowding(np.zeros((0, 4), np.float32)).shape == (0, 2)
