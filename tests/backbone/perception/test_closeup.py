"""Close-ups of coloured things, seen by a retina that says what it is told; nothing here needs weights."""

import numpy as np
import pytest

from stamina_video.backbone.perception.closeup import (
    AROUND,
    CELL,
    FRAME,
    PATCH,
    ROW,
    SMALLEST,
    SPOKEN_OF,
    laid_out,
    look_closer,
)
from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.efficientdet import MIDDLE_GREY, Sight
from stamina_video.backbone.perception.percept import Floats
from stamina_video.backbone.perception.spotter import FRAME as SPOTTED_IN
from stamina_video.backbone.perception.spotter import MOST as MOST_SPOTTED
from stamina_video.semantics import InvalidInput
from tests.backbone.perception.sights import VOCABULARY, Box, ToyRetina

HEIGHT, WIDTH = 400, 480
GROUND = (40, 90, 200)
FINE, COARSE = 56, 28  # cells on a side of the detector's finest maps
NINE = ROW**2
NOBODY = np.zeros((0, 4), np.float32)
RNG = np.random.default_rng(0)


class Watching:
    """Keeps what it looked at, and says this of it; every cell of its maps knows its place."""

    vocabulary = VOCABULARY

    def __init__(self, *said: tuple[Box, tuple[float, float]]) -> None:
        self.looked_at: list[Image] = []
        places = (np.moveaxis(np.indices((side, side)), 0, -1) for side in (FINE, COARSE, 14, 7))
        self.maps = tuple(one.astype(np.float32) for one in places)
        self.boxes_A4 = np.array([box for box, _ in said], np.float32).reshape(-1, 4)
        self.labels_AV = np.array([labels for _, labels in said], np.float32).reshape(-1, 2)

    def look(self, image_HW3: Image, /) -> Sight:
        self.looked_at.append(image_HW3)
        return Sight(self.boxes_A4, self.labels_AV, self.maps, np.ones(2, np.float32))


def colour_of(thing: int) -> tuple[int, int, int]:
    """Far from the ground's and from grey, and no two alike."""
    return 140 + 6 * thing, 250 - 12 * thing, 20 + 3 * thing


def shown(count: int) -> tuple[Image, Floats]:
    """So many things of different shapes, row by row, and their boxes."""
    image_HW3 = np.full((HEIGHT, WIDTH, 3), GROUND, np.uint8)
    boxes = []
    for thing in range(count):
        row, column = divmod(thing, 4)
        left, top = 30 + 115 * column, 18 + 78 * row
        right, bottom = left + 24 + 3 * thing, top + 55 - 2 * thing
        image_HW3[top:bottom, left:right] = colour_of(thing)
        boxes.append((left / WIDTH, top / HEIGHT, right / WIDTH, bottom / HEIGHT))
    return image_HW3, np.array(boxes, np.float32).reshape(-1, 4)


def pixels(place_4: Floats) -> tuple[float, float, float, float]:
    left, top, right, bottom = (float(side) * FRAME for side in place_4)
    return left, top, right, bottom


def whereabouts(framed: Image, colour: tuple[int, int, int]) -> tuple[int, int, int, int]:
    """The box of all pixels that have nearly this colour."""
    is_it_HW = np.all(np.abs(framed.astype(int) - np.array(colour)) <= 6, axis=-1)
    rows, columns = np.flatnonzero(is_it_HW.any(1)), np.flatnonzero(is_it_HW.any(0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def test_two_frames_hold_as_many_things_as_are_spotted_and_are_as_large_as_they_are_spotted_in() -> None:
    assert MOST_SPOTTED == 2 * NINE == 18
    assert FRAME == SPOTTED_IN
    assert (ROW, CELL) == (3, 144)
    for side in (FINE, COARSE):  # a close-up is so many whole cells of a map, and a patch of these
        assert CELL * side % (FRAME * PATCH) == 0


@pytest.mark.parametrize("count", [1, 4, 9])
def test_in_its_place_everything_is_shown_enlarged_and_nowhere_else(count: int) -> None:
    image_HW3, boxes_K4 = shown(count)
    framed, places_K4 = laid_out(image_HW3, boxes_K4)
    assert framed.shape == (FRAME, FRAME, 3)
    assert places_K4.shape == (count, 4)
    for thing, place_4 in enumerate(places_K4):
        left, top, right, bottom = pixels(place_4)
        # The edges are smoothed: a pixel of the picture is up to two of a close-up.
        assert whereabouts(framed, colour_of(thing)) == pytest.approx((left, top, right, bottom), abs=2)
        assert max(right - left, bottom - top) == pytest.approx(CELL / AROUND, rel=1e-4)
        down, across = divmod(thing, ROW)
        middle = ((left + right) / 2, (top + bottom) / 2)
        assert middle == pytest.approx(((across + 0.5) * CELL, (down + 0.5) * CELL), abs=1e-3)
    unused = framed[CELL * (1 + (count - 1) // ROW) :]
    assert (unused == MIDDLE_GREY).all()
    assert (framed[:, ROW * CELL :] == MIDDLE_GREY).all()


def a_dot(height: int, width: int, x: int, y: int, margin: int) -> tuple[Image, Box]:
    """Eight bright pixels by eight on grey, and a box with so much around them."""
    image_HW3 = np.full((height, width, 3), MIDDLE_GREY, np.uint8)
    image_HW3[y : y + 8, x : x + 8] = 255
    left, top, right, bottom = x - margin, y - margin, x + 8 + margin, y + 8 + margin
    return image_HW3, (left / width, top / height, right / width, bottom / height)


def brightest(framed: Image) -> list[tuple[float, float]]:
    """The middle of what is brighter than grey in each close-up, in pixels of the frame."""
    middles = []
    for down, across in np.ndindex(ROW, ROW):
        part = framed[CELL * down : CELL * (down + 1), CELL * across : CELL * (across + 1), 0]
        bright_HW = part.astype(float) - MIDDLE_GREY
        rows, columns = np.indices(bright_HW.shape) + 0.5
        x, y = ((places * bright_HW).sum() / bright_HW.sum() for places in (columns, rows))
        middles.append((CELL * across + float(x), CELL * down + float(y)))
    return middles


@pytest.mark.parametrize(
    ("margin", "within"),
    [(0, 0.05), (3, 0.05), (30, 0.05), (60, 0.05), (90, 0.5), (200, 1.0), (400, 1.0)],
)
@pytest.mark.parametrize("size", [(240, 320), (480, 640), (613, 901), (1080, 1920)])
def test_a_small_dot_is_shown_in_the_middle_of_its_place(
    size: tuple[int, int], margin: int, within: float
) -> None:
    """Many times as large or much smaller; only a picture that is shrunk first is rounded to whole pixels."""
    height, width = size
    for x, y in ((0, 0), (37, 91), (width // 2 + 1, height // 3), (width - 8, height - 8)):
        image_HW3, box = a_dot(height, width, x, y, margin)
        framed, places_K4 = laid_out(image_HW3, np.array([box] * NINE, np.float32))
        for place_4, middle in zip(places_K4, brightest(framed), strict=True):
            left, top, right, bottom = pixels(place_4)
            assert middle == pytest.approx(((left + right) / 2, (top + bottom) / 2), abs=within)


def test_a_small_dot_beside_the_middle_of_a_box_is_shown_where_it_is() -> None:
    """In the lower left quarter: neither mirrored nor turned."""
    image_HW3, _ = a_dot(240, 320, 100, 120, 0)
    around = (90.0, 60.0, 150.0, 140.0)
    box = tuple(side / size for side, size in zip(around, (320, 240) * 2, strict=True))
    framed, (place_4,) = laid_out(image_HW3, np.array([box], np.float32))
    left, top, right, bottom = pixels(place_4)
    dot = (left + (104 - 90) / 60 * (right - left), top + (124 - 60) / 80 * (bottom - top))
    rows, columns = np.nonzero(framed[..., 0] > MIDDLE_GREY + 64)
    assert (columns.mean() + 0.5, rows.mean() + 0.5) == pytest.approx(dot, abs=0.5)


def test_what_is_around_a_thing_is_shown_with_it() -> None:
    image_HW3, boxes_K4 = shown(1)
    framed, _ = laid_out(image_HW3, boxes_K4)
    np.testing.assert_array_equal(framed[CELL // 2, 5], GROUND)
    np.testing.assert_array_equal(framed[CELL // 2, CELL - 5], GROUND)


@pytest.mark.parametrize(
    ("box", "beyond"),
    [
        ((0.0, 0.0, 0.2, 0.3), (slice(None, 10), slice(None, 10))),
        ((0.8, 0.7, 1.0, 1.0), (slice(-10, None), slice(-10, None))),
        ((0.4, 0.0, 0.6, 0.3), (slice(None, 10), slice(None))),
    ],
)
def test_beyond_the_border_of_the_picture_all_is_grey(box: Box, beyond: tuple[slice, slice]) -> None:
    image_HW3 = np.full((HEIGHT, WIDTH, 3), GROUND, np.uint8)
    framed, (place_4,) = laid_out(image_HW3, np.array([box], np.float32))
    closeup = framed[:CELL, :CELL]
    assert (closeup[beyond] == MIDDLE_GREY).all()
    # At the border the colour fades into grey, within a pixel of the picture.
    left, top, right, bottom = (round(side) for side in pixels(place_4))
    inside = closeup[top + 3 : bottom - 3, left + 3 : right - 3]
    assert inside.size
    assert (inside == GROUND).all()


def test_a_thing_larger_than_its_close_up_is_shrunk_and_not_thinned_out() -> None:
    """A board of single black and white pixels is grey from afar; thinned out it would be some pattern."""
    side = 700
    image_HW3 = np.zeros((side, side, 3), np.uint8)
    image_HW3[np.indices((side, side)).sum(0) % 2 == 1] = 255
    framed, (place_4,) = laid_out(image_HW3, np.array([(0.1, 0.1, 0.9, 0.9)], np.float32))
    left, top, right, bottom = (round(end) for end in pixels(place_4))
    np.testing.assert_allclose(framed[top:bottom, left:right], 127.5, atol=2)


@pytest.mark.parametrize("size", [(613, 901), (1080, 1920)])
def test_a_thing_larger_than_its_close_up_is_in_its_place(size: tuple[int, int]) -> None:
    height, width = size
    image_HW3 = np.full((height, width, 3), GROUND, np.uint8)
    left, top, right, bottom = width // 4, height // 5, width - width // 5, height - height // 7
    image_HW3[top:bottom, left:right] = colour_of(0)
    box = (left / width, top / height, right / width, bottom / height)
    framed, (place_4,) = laid_out(image_HW3, np.array([box], np.float32))
    assert whereabouts(framed, colour_of(0)) == pytest.approx(pixels(place_4), abs=2)


def test_pictures_are_shrunk_for_large_things_alone() -> None:
    """A small thing beside a large one is shown as sharply as by itself."""
    image_HW3, boxes_K4 = shown(2)
    together, _ = laid_out(image_HW3, np.concatenate([[(0, 0, 1, 1)], boxes_K4[1:]]).astype(np.float32))
    alone, _ = laid_out(image_HW3, boxes_K4)
    second = np.s_[:CELL, CELL : 2 * CELL]
    np.testing.assert_array_equal(together[second], alone[second])


def test_the_smallest_things_are_not_enlarged_further() -> None:
    image_HW3 = np.full((HEIGHT, WIDTH, 3), GROUND, np.uint8)
    boxes_K4 = np.array([(0.5, 0.5, 0.5 + wide / WIDTH, 0.5 + 2 / HEIGHT) for wide in (2, 3, 6)], np.float32)
    _, places_K4 = laid_out(image_HW3, boxes_K4)
    wide_K = (places_K4[:, 2] - places_K4[:, 0]) * FRAME
    expected = [wide * CELL / (AROUND * SMALLEST) for wide in (2, 3, 6)]
    assert wide_K.tolist() == pytest.approx(expected, rel=1e-3)


def test_a_box_without_area_is_shown_all_the_same() -> None:
    image_HW3, _ = shown(0)
    framed, places_K4 = laid_out(image_HW3, np.array([(0.5, 0.5, 0.5, 0.5)], np.float32))
    assert np.isfinite(places_K4).all()
    assert (framed[:CELL, :CELL] == GROUND).all()


@pytest.mark.parametrize(("count", "looks"), [(1, 1), (9, 1), (10, 2), (18, 2), (19, 3)])
def test_one_look_serves_nine_things(count: int, looks: int) -> None:
    (image_HW3, boxes_K4), retina = shown(count), Watching()
    closer = look_closer(retina, image_HW3, boxes_K4)
    assert len(retina.looked_at) == looks
    for look, framed in enumerate(retina.looked_at):
        nine_K4 = boxes_K4[NINE * look : NINE * (look + 1)]
        np.testing.assert_array_equal(framed, laid_out(image_HW3, nine_K4)[0])
    assert len(closer) == count
    assert closer.scores_KV.shape == (count, len(VOCABULARY))
    assert closer.patches_KPPC.shape == (count, PATCH, PATCH, 4)
    assert closer.scores_KV.dtype == closer.patches_KPPC.dtype == np.float32


def test_everything_has_a_patch_of_its_own_whichever_look_it_is_in() -> None:
    """The toy retina's maps are what it looks at, made small."""
    image_HW3, boxes_K4 = shown(19)
    middle_KC = look_closer(ToyRetina(), image_HW3, boxes_K4).patches_KPPC[:, PATCH // 2, PATCH // 2]
    colours_K3 = np.array([colour_of(thing) for thing in range(19)])
    np.testing.assert_allclose(middle_KC * 255, np.tile(colours_K3, 2), atol=2)


def test_what_is_said_of_a_look_is_said_of_its_nine_alone() -> None:
    image_HW3, _ = shown(0)
    boxes_K4 = np.array([(0.2, 0.3, 0.4, 0.5)] * 19, np.float32)  # all have the same place in their frames
    _, places_K4 = laid_out(image_HW3, boxes_K4[:NINE])
    retina = Watching((narrowed(places_K4[0], 1.0), (0.5, 0.25)), (narrowed(places_K4[8], 1.0), (0.25, 0.75)))
    scores_KV = look_closer(retina, image_HW3, boxes_K4).scores_KV
    spoken_of = {thing: scores_V.tolist() for thing, scores_V in enumerate(scores_KV) if scores_V.any()}
    first, last = [0.5, 0.25], [0.25, 0.75]
    assert spoken_of == {0: first, 8: last, 9: first, 17: last, 18: first}


def test_where_there_is_nothing_nobody_looks() -> None:
    retina = Watching()
    closer = look_closer(retina, shown(0)[0], NOBODY)
    assert not retina.looked_at
    assert len(closer) == 0
    assert closer.scores_KV.shape == (0, len(VOCABULARY))
    assert closer.patches_KPPC.shape[:3] == (0, PATCH, PATCH)


def narrowed(place_4: Floats, share: float) -> Box:
    """The left part of a place, whose overlap with it is this share."""
    left, top, right, bottom = (float(side) for side in place_4)
    return left, top, left + share * (right - left), bottom


def test_only_boxes_that_overlap_a_thing_enough_speak_of_it() -> None:
    image_HW3, boxes_K4 = shown(3)
    _, (first_4, second_4, third_4) = laid_out(image_HW3, boxes_K4)
    retina = Watching(
        (narrowed(first_4, 1.0), (0.5, 0.125)),
        (narrowed(first_4, 0.75), (0.25, 0.375)),
        (narrowed(first_4, SPOKEN_OF - 0.05), (0.875, 0.875)),
        (narrowed(third_4, SPOKEN_OF + 0.05), (0.0625, 0.25)),
        (narrowed(second_4, SPOKEN_OF - 0.05), (0.75, 0.75)),
    )
    scores_KV = look_closer(retina, image_HW3, boxes_K4).scores_KV
    # At best, class by class; nobody speaks of the second.
    assert scores_KV.tolist() == [[0.5, 0.375], [0, 0], [0.0625, 0.25]]


def test_of_boxes_that_show_no_thing_nothing_is_heard() -> None:
    image_HW3, boxes_K4 = shown(2)
    everywhere = Watching(((0.0, 0.0, 1.0, 1.0), (0.9, 0.9)))
    for retina in (everywhere, Watching()):
        assert not look_closer(retina, image_HW3, boxes_K4).scores_KV.any()


def test_nine_close_ups_are_whole_cells_of_both_maps() -> None:
    """Two by two cells of the fine map become one, the coarse one is taken as it is."""
    patches_KPPC = look_closer(Watching(), *shown(9)).patches_KPPC
    for thing, patch_PPC in enumerate(patches_KPPC):
        for axis, place in enumerate(divmod(thing, 3)):
            along = np.moveaxis(patch_PPC, axis, 0)
            steps = np.arange(PATCH)[:, None]
            np.testing.assert_allclose(along[..., axis], 18 * place + 2 * steps + np.full(PATCH, 0.5))
            np.testing.assert_allclose(along[..., 2 + axis], 9 * place + steps + np.zeros(PATCH))


@pytest.mark.parametrize("count", [1, 9])
def test_a_patch_is_the_mean_of_the_cells_that_each_of_its_cells_covers(count: int) -> None:
    retina = Watching()
    retina.maps = tuple(RNG.standard_normal((side, side, 3)).astype(np.float32) for side in (FINE, COARSE))
    patches_KPPC = look_closer(retina, *shown(count)).patches_KPPC
    assert patches_KPPC.shape == (count, PATCH, PATCH, 6)
    fine_HWC, coarse_HWC = retina.maps
    for thing, patch_PPC in enumerate(patches_KPPC):
        top, left = (PATCH * place for place in divmod(thing, ROW))
        for y, x in np.ndindex(PATCH, PATCH):
            row, column = 2 * (top + y), 2 * (left + x)
            mean_C = fine_HWC[row : row + 2, column : column + 2].mean((0, 1))
            np.testing.assert_allclose(patch_PPC[y, x, :3], mean_C, atol=1e-5)
            np.testing.assert_array_equal(patch_PPC[y, x, 3:], coarse_HWC[top + y, left + x])


@pytest.mark.parametrize("sides", [(64, 32), (56, 32), (32, 28), (14, 7)])
def test_maps_whose_cells_do_not_fit_into_close_ups_are_refused(sides: tuple[int, int]) -> None:
    retina = Watching()
    retina.maps = tuple(np.zeros((side, side, 2), np.float32) for side in sides)
    unfit = next(side for side in sides if side % COARSE)
    refused = f"expected maps whose cells fit into close-ups, got {unfit} on a side"
    with pytest.raises(InvalidInput, match=refused):
        look_closer(retina, *shown(1))
