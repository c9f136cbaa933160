"""How made-up boxes move; nothing here needs weights."""

from itertools import pairwise

import numpy as np
import pytest

from stamina_video.backbone.perception.files import KEPT, Files, gathered
from stamina_video.backbone.perception.gait import FARTHEST, GAIT, SIDEWAYS, Gaits
from stamina_video.backbone.perception.linking import Overlapping, Sights
from stamina_video.backbone.perception.percept import Floats
from tests.backbone.perception.sights import Box, sights

LEFT, RIGHT = (0.1, 0.2, 0.3, 0.4), (0.6, 0.3, 0.8, 0.7)
NOBODY = sights()
NOWHERE = np.zeros((0, 4), np.float32)
AXES = ("x", "y", "size")
PERIOD, CYCLES = 10, 6


def at(x: float, y: float, size: float = 0.1) -> Box:
    return x - size / 2, y - size / 2, x + size / 2, y + size / 2


def watch(*looks: Sights, seats: int = 3) -> list[Files]:
    files, seen = Files.empty(seats, names=2, features=4), []
    for now in looks:
        files, _ = gathered(files, now, Overlapping())
        seen.append(files)
    return seen


def told(files: Files, people: Floats = NOWHERE, holders: Floats = NOWHERE) -> dict[str, list[float]]:
    """What is said of each open seat, by name."""
    said_KG = files.gaits.told(files.open, files.looks_S, files.missed_S, files.boxes_S4, people, holders)
    assert said_KG.shape == (len(files.open), len(GAIT))
    assert said_KG.dtype == np.float32
    return {name: said_KG[:, place].tolist() for place, name in enumerate(GAIT)}


def of_one(name: str, *boxes: Box) -> list[float]:
    """One number of one thing, look by look."""
    return [told(files)[name][0] for files in watch(*map(sights, boxes))]


def swaying(axis: str) -> list[Box]:
    swings = np.sin(2 * np.pi * np.arange(CYCLES * PERIOD) / PERIOD)
    if axis == "size":
        return [at(0.5, 0.5, 0.2 * float(np.exp(0.3 * swing))) for swing in swings]
    far = [0.5 + 0.05 * float(swing) for swing in swings]
    return [at(place, 0.5, 0.2) if axis == "x" else at(0.5, place, 0.2) for place in far]


@pytest.mark.parametrize("axis", AXES)
def test_a_still_thing_has_no_level_and_no_step(axis: str) -> None:
    for name in (f"level_{axis}", f"step_{axis}", f"crossed_{axis}"):
        assert of_one(name, *[LEFT] * 20) == [0] * 20


@pytest.mark.parametrize("axis", AXES)
def test_what_sways_crosses_its_middle_once_in_half_a_swing(axis: str) -> None:
    crossed = [side for side in of_one(f"crossed_{axis}", *swaying(axis)) if side]
    assert len(crossed) == 2 * CYCLES - 1  # the first half swing comes from nowhere
    assert set(crossed) == {-1.0, 1.0}
    assert all(one == -other for one, other in pairwise(crossed))
    for other in AXES:
        if other != axis:
            assert not any(of_one(f"crossed_{other}", *swaying(axis)))


@pytest.mark.parametrize("axis", AXES)
def test_a_level_is_high_on_one_side_and_low_on_the_other(axis: str) -> None:
    levels = of_one(f"level_{axis}", *swaying(axis))[PERIOD:]
    quarter = PERIOD // 4
    assert min(levels[quarter::PERIOD]) > 0.5
    assert max(levels[quarter + PERIOD // 2 :: PERIOD]) < -0.5
    assert max(map(abs, levels)) <= FARTHEST


def test_what_trembles_crosses_nothing() -> None:
    trembling = [at(0.5 + 0.003 * (-1) ** look, 0.5, 0.2) for look in range(30)]
    assert not any(of_one("crossed_x", *trembling))
    assert max(map(abs, of_one("level_x", *trembling))) < 0.5


def test_a_thing_is_born_at_its_first_look_and_lost_at_the_first_look_without_it() -> None:
    looks = [sights(LEFT), sights(LEFT), *[NOBODY] * 2, sights(LEFT), *[NOBODY] * KEPT]
    said = [told(files) for files in watch(*looks)]
    here, born, lost = ([one[name][0] for one in said] for name in ("here", "born", "lost"))
    assert born == [1, 0, 0, 0, 0, *[0] * KEPT]
    assert here == [1, 1, 0, 0, 1, *[0] * KEPT]
    assert lost == [0, 0, 1, 0, 0, 1, *[0] * (KEPT - 1)]
    assert told(watch(sights(LEFT), NOBODY)[-1])["born"] == [0]  # seen once, and not now
    files = watch(*looks, NOBODY, sights(LEFT))[-1]
    assert told(files)["born"] == [1]  # whose file was closed is another one


def test_who_is_unseen_keeps_its_place_and_takes_no_step() -> None:
    before, after = watch(sights(at(0.2, 0.3), RIGHT), sights(at(0.22, 0.3), RIGHT), sights(RIGHT))[1:]
    assert told(before)["step_x"][0] == pytest.approx(0.2, abs=1e-4)
    unseen = told(after)
    assert unseen["step_x"] == [0, 0]
    for name in ("x", "y", "size", "level_x", "gone_x"):
        assert unseen[name] == told(before)[name], name


def test_a_crossing_is_told_once() -> None:
    boxes = swaying("x")
    looks = watch(*map(sights, boxes))
    crossed = [told(files)["crossed_x"][0] for files in looks]
    moment = next(look for look, side in enumerate(crossed) if side)
    assert told(watch(*map(sights, boxes[: moment + 1]), NOBODY)[-1])["crossed_x"] == [0]
    assert crossed[moment + 1] == 0


def test_steps_are_in_sizes_of_their_own() -> None:
    small, large = (of_one("step_x", at(0.4, 0.5, size), at(0.42, 0.5, size))[-1] for size in (0.1, 0.2))
    assert (small, large) == pytest.approx((0.2, 0.1), rel=1e-3)
    up, down = (of_one("step_y", at(0.4, 0.5), at(0.4, 0.5 + by))[-1] for by in (-0.02, 0.02))
    assert up == pytest.approx(-down, rel=1e-3)
    assert up < 0
    assert of_one("step_size", at(0.4, 0.5, 0.1), at(0.4, 0.5, 0.11))[-1] > 0


def test_nothing_goes_farther_than_far() -> None:
    gaits = Gaits.none(1).gone_on(
        np.array([0]), np.array([at(0.1, 0.1, 0.002)], np.float32), np.array([True])
    )
    box_14 = np.array([at(0.9, 0.9, 0.002)], np.float32)
    far = gaits.gone_on(np.array([0]), box_14, np.array([False]))
    looks_S, missed_S = np.array([2], np.int32), np.array([0], np.int32)
    said_G = far.told(np.array([0]), looks_S, missed_S, box_14, NOWHERE, NOWHERE)[0]
    assert said_G[GAIT.index("step_x")] == said_G[GAIT.index("gone_y")] == FARTHEST
    assert np.abs(said_G[GAIT.index("step_x") :]).max() <= FARTHEST


def test_how_far_a_thing_went_is_told_from_where_it_was_first() -> None:
    gone = of_one("gone_x", at(0.3, 0.5), at(0.35, 0.5), at(0.4, 0.5))
    assert gone == pytest.approx([0, 0.2, 0.4], abs=1e-5)


@pytest.mark.parametrize(
    ("box", "at_edge"),
    [((0.0, 0.2, 0.2, 0.4), 1), ((0.3, 0.2, 1.0, 0.4), 1), ((0.3, 0.7, 0.5, 0.99), 1), (LEFT, 0)],
)
def test_the_edge_of_the_image_is_told(box: Box, at_edge: float) -> None:
    assert of_one("edge", box) == [at_edge]


def test_what_is_in_front_of_a_person_is_held_and_what_is_in_a_box_is_inside() -> None:
    (files,) = watch(sights((0.4, 0.4, 0.6, 0.6)))
    half, tenth = (np.array([box], np.float32) for box in ((0.5, 0, 1, 1), (0, 0.58, 1, 1)))
    assert told(files)["held"] == told(files)["inside"] == [0]
    assert told(files, people=half)["held"] == pytest.approx([0.5])
    assert told(files, people=half)["inside"] == [0]
    assert told(files, holders=half)["inside"] == pytest.approx([0.5])
    assert told(files, holders=half)["held"] == [0]
    both = told(files, people=np.concatenate([tenth, half]))  # the greatest share, not the sum
    assert both["held"] == pytest.approx([0.5])


def test_nobody_holds_himself() -> None:
    (files,) = watch(sights(RIGHT))
    assert told(files, people=files.boxes_S4[files.open])["held"] == [0]


def test_seen_in_a_mirror_exactly_what_is_sideways_turns_round() -> None:
    boxes = [at(0.3 + 0.05 * np.sin(look), 0.4 + 0.02 * look, 0.2 + 0.01 * look) for look in range(12)]
    mirror = [(1 - right, top, 1 - left, bottom) for left, top, right, bottom in boxes]
    for one, other in zip(watch(*map(sights, boxes)), watch(*map(sights, mirror)), strict=True):
        here, there = told(one), told(other)
        for name in GAIT:
            turned = -1 if name in SIDEWAYS else 1
            assert there[name] == pytest.approx([turned * value for value in here[name]], abs=1e-4), name
    assert all(any(of_one(name, *boxes)) for name in SIDEWAYS if name != "crossed_x")


def test_gaits_are_values() -> None:
    gaits = watch(sights(LEFT, RIGHT), sights(RIGHT))[-1].gaits
    before = {name: array.copy() for name, array in gaits.arrays().items()}
    box_14 = np.array([at(0.25, 0.35)], np.float32)
    one, again = (gaits.gone_on(np.array([0]), box_14, np.array([False])) for _ in range(2))
    for name, array in gaits.arrays().items():
        np.testing.assert_array_equal(array, before[name])
        np.testing.assert_array_equal(one.arrays()[name], again.arrays()[name])
    assert not np.array_equal(one.place_SA, gaits.place_SA)


def test_gaits_return_with_the_files_they_are_kept_in() -> None:
    boxes = swaying("x")
    for whole, cut in ((files, Files.from_arrays(files.arrays())) for files in watch(*map(sights, boxes))):
        assert told(cut) == told(whole)
        one, other = (gathered(files, sights(LEFT), Overlapping())[0] for files in (whole, cut))
        assert told(one) == told(other)


def test_what_is_kept_does_not_grow() -> None:
    sizes = {sum(a.nbytes for a in files.gaits.arrays().values()) for files in watch(*[sights(LEFT)] * 40)}
    assert len(sizes) == 1
