"""How made-up boxes move; nothing here needs weights."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from stamina_video.backbone.perception.around import FARTHEST, Around
from stamina_video.backbone.perception.files import KEPT, Files, gathered
from stamina_video.backbone.perception.gait import GAIT, HABITS, LATELY, SIDEWAYS, Gaits
from stamina_video.backbone.perception.linking import Overlapping
from tests.backbone.perception.gaits import (
    ALONE,
    DOORWAY,
    INWARDS,
    LEFT,
    NOBODY,
    RIGHT,
    SCANNER,
    alone_but,
    at,
    boxes,
    lived,
    of_one,
    standing,
    told,
    watch,
)
from tests.backbone.perception.sights import Box, sights

AXES = ("x", "y", "size")
PERIOD, CYCLES = 10, 6


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
    swings = swaying("x")
    looks = watch(*map(sights, swings))
    crossed = [told(files)["crossed_x"][0] for files in looks]
    moment = next(look for look, side in enumerate(crossed) if side)
    assert told(watch(*map(sights, swings[: moment + 1]), NOBODY)[-1])["crossed_x"] == [0]
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
    beside_all = replace(ALONE, scanner=standing(at(0.1, 0.5)), doorway=standing((0.8, 0.1, 1.0, 0.12)))
    said_G = far.told(np.array([0]), looks_S, missed_S, box_14, beside_all)[0]
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


def to_and_fro(axis: str, sign: float) -> list[Box]:
    """From where it is first, away and back again."""
    away = sign * (1 - np.cos(2 * np.pi * np.arange(CYCLES * PERIOD) / PERIOD)) / 2
    if axis == "size":
        return [at(0.5, 0.5, 0.2 * float(np.exp(0.6 * far))) for far in away]
    places = [0.5 + 0.1 * float(far) for far in away]
    return [at(place, 0.5, 0.2) if axis == "x" else at(0.5, place, 0.2) for place in places]


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("axis", AXES)
def test_where_a_thing_was_first_its_beat_is_low_whichever_way_it_goes(axis: str, sign: float) -> None:
    beats = of_one("beat", *to_and_fro(axis, sign))[2 * PERIOD :]
    assert max(beats[::PERIOD]) < -0.5
    assert min(beats[PERIOD // 2 :: PERIOD]) > 0.5


def test_a_beat_follows_the_way_that_sways_most() -> None:
    looks = np.arange(CYCLES * PERIOD)
    wide, narrow = 0.06 * np.sin(2 * np.pi * looks / PERIOD), 0.02 * np.cos(2 * np.pi * looks / 7)
    swaying_most = {
        "x": [at(0.5 + float(far), 0.5 + float(near), 0.2) for far, near in zip(wide, narrow, strict=True)],
        "y": [at(0.5 + float(near), 0.5 + float(far), 0.2) for far, near in zip(wide, narrow, strict=True)],
    }
    for axis, some in swaying_most.items():
        beats, levels = (of_one(name, *some)[2 * PERIOD :] for name in ("beat", f"level_{axis}"))
        assert np.abs(beats).tolist() == pytest.approx(np.abs(levels).tolist())


def test_how_widely_a_thing_sways_is_told_in_its_own_sizes() -> None:
    def widely(far: float, size: float) -> float:
        swings = far * np.sin(2 * np.pi * np.arange(CYCLES * PERIOD) / PERIOD)
        return of_one("sway", *(at(0.5 + float(swing), 0.5, size) for swing in swings))[-1]

    assert widely(0.05, 0.2) == pytest.approx(widely(0.1, 0.4), rel=1e-3)
    assert 0 < widely(0.03, 0.2) < widely(0.06, 0.2) < FARTHEST
    for name in ("sway", "beat"):
        assert of_one(name, *[LEFT] * 20) == [0] * 20


HABITUAL = {"held": "people_J4", "inside": "boxes_J4", "shelved": "shelves_J4"}


@pytest.mark.parametrize("name", HABITUAL)
def test_what_has_just_begun_was_not_so_lately(name: str) -> None:
    alone, covered = ((sights(LEFT), around) for around in (ALONE, _covered_by(name)))
    arounds = [ALONE] * 3 + [_covered_by(name)] * 12
    looks = lived(*[alone] * 3, *[covered] * 12)
    now, lately = (
        [told(files, around)[key][0] for files, around in zip(looks, arounds, strict=True)]
        for key in (name, f"{name}_lately")
    )
    assert now == [0] * 3 + [1] * 12
    assert lately[:4] == [0] * 4  # at the look at which it begins it was not so before
    assert lately[4:] == pytest.approx([1 - (1 - LATELY) ** look for look in range(1, 12)])
    others = {f"{other}_lately" for other in HABITS} - {f"{name}_lately"}
    assert not any(told(looks[-1], arounds[-1])[other][0] for other in others)


def _covered_by(name: str) -> Around:
    return alone_but(HABITUAL[name], boxes((0, 0, 1, 1)))


def test_who_is_new_was_lately_as_it_is_now() -> None:
    """A thing that appears in a hand has not been taken into it."""
    held = _covered_by("held")
    files = lived((NOBODY, held), (sights(LEFT), held))[-1]
    assert told(files, held)["held_lately"] == told(files, held)["held"] == [1]
    # Nor does it take over from who sat there before.
    looks = [(sights(LEFT), held)] * 4 + [(NOBODY, held)] * (KEPT + 1) + [(sights(LEFT), ALONE)]
    assert told(lived(*looks, seats=1)[-1])["held_lately"] == [0]


def test_who_is_not_seen_is_as_lately_as_when_it_was() -> None:
    held = _covered_by("held")
    before, *unseen = lived((sights(LEFT), ALONE), (sights(LEFT), held), (NOBODY, ALONE), (NOBODY, ALONE))[1:]
    assert told(before, held)["held_lately"] == [0]
    assert [told(files)["held_lately"] for files in unseen] == [[pytest.approx(LATELY)]] * 2


def test_what_stood_still_and_moves_is_faster_than_lately() -> None:
    looks = [at(0.4, 0.5)] * 3 + [at(0.4 + 0.03 * look, 0.5 + 0.04 * look) for look in range(1, 9)]
    speed, lately = of_one("speed", *looks), of_one("speed_lately", *looks)
    assert speed == pytest.approx([0] * 3 + [0.5] * 8, rel=1e-3)
    assert lately[:4] == [0] * 4
    assert all(one < other < 0.5 for one, other in pairwise(lately[3:]))


def mirrored(box: Box) -> Box:
    left, top, right, bottom = box
    return 1 - right, top, 1 - left, bottom


def test_seen_in_a_mirror_exactly_what_is_sideways_turns_round() -> None:
    some = [at(0.3 + 0.05 * np.sin(look), 0.4 + 0.02 * look, 0.2 + 0.01 * look) for look in range(12)]
    scanner, doorway = (0.28, 0.1, 0.34, 0.9), (0.2, 0.1, 0.4, 0.56)
    around, turned_round = (
        replace(ALONE, scanner=standing(one), doorway=standing(other), shelves_J4=boxes(one))
        for one, other in ((scanner, doorway), (mirrored(scanner), mirrored(doorway)))
    )
    seen = lived(*((sights(one), around) for one in some))
    reflected = lived(*((sights(mirrored(one)), turned_round) for one in some))
    met: set[str] = set()
    for one, other in zip(seen, reflected, strict=True):
        here, there = told(one, around), told(other, turned_round)
        for name in GAIT:
            turned = -1 if name in SIDEWAYS else 1
            assert there[name] == pytest.approx([turned * value for value in here[name]], abs=1e-4), name
            met |= {name} if here[name][0] else set()
    assert set(SIDEWAYS) - met <= {"crossed_x"}
    assert {"doorway_y", "doorway_crossed_y", "scanned", "entered", "shelved", "beat", "sway"} <= met


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
    around = replace(SCANNER, doorway=DOORWAY.doorway)
    for whole in watch(*map(sights, swaying("x"))):
        cut = Files.from_arrays(whole.arrays())
        assert told(cut, around) == told(whole, around)
        one, other = (gathered(files, sights(INWARDS[-1]), Overlapping())[0] for files in (whole, cut))
        assert told(one, around) == told(other, around)


def test_what_is_kept_does_not_grow() -> None:
    sizes = {sum(a.nbytes for a in files.gaits.arrays().values()) for files in watch(*[sights(LEFT)] * 40)}
    assert len(sizes) == 1
