"""What holds, hides or frames made-up boxes, and the lines they pass; nothing here needs weights."""

from dataclasses import replace

import pytest

from stamina_video.backbone.perception.around import BESIDE, CLEARLY, THIN, Around, Landmark
from stamina_video.backbone.perception.files import KEPT
from stamina_video.backbone.perception.gait import NEAR
from tests.backbone.perception.gaits import (
    ALONE,
    DOORWAY,
    INWARDS,
    NOBODY,
    NOTHING,
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

COVERING = {
    "held": "people_J4",
    "inside": "boxes_J4",
    "entered": "doorway",
    "scanned": "scanner",
    "shelved": "shelves_J4",
}
LANDMARKS = ("entered", "scanned")


def covering(name: str, *some: Box) -> Around:
    return alone_but(COVERING[name], standing(*some) if name in LANDMARKS else boxes(*some))


@pytest.mark.parametrize("name", COVERING)
def test_what_is_in_front_of_another_is_held_inside_entered_scanned_or_shelved(name: str) -> None:
    (files,) = watch(sights((0.4, 0.4, 0.6, 0.6)))
    half, tenth = (0.5, 0, 1, 1), (0, 0.58, 1, 1)
    assert told(files)[name] == [0]
    covered = told(files, covering(name, half))
    assert {other: covered[other] for other in COVERING} == {
        other: pytest.approx([0.5 if other == name else 0]) for other in COVERING
    }
    if name not in LANDMARKS:  # of those there is one
        both = told(files, covering(name, tenth, half))  # the greatest share, no sum
        assert both[name] == pytest.approx([0.5])


@pytest.mark.parametrize("name", COVERING)
def test_nobody_holds_himself(name: str) -> None:
    (files,) = watch(sights(RIGHT))
    himself = files.boxes_S4[files.open]
    found = Landmark(boxes((0, 0, 1, 1)), himself) if name in LANDMARKS else himself
    assert told(files, alone_but(COVERING[name], found))[name] == [0]


ACROSS = [at(0.3 + 0.06 * look, 0.5, 0.2) for look in range(8)]  # beyond the middle from the fifth look on


def test_whoever_comes_over_a_scanner_crosses_it_once_either_way() -> None:
    right = of_one("scanner_crossed_x", *ACROSS, around=SCANNER)
    assert right == [0, 0, 0, 0, 1, 0, 0, 0]
    assert of_one("scanner_crossed_x", *ACROSS[::-1], around=SCANNER) == [0, 0, 0, 0, -1, 0, 0, 0]
    there_and_back = of_one("scanner_crossed_x", *ACROSS, *ACROSS[::-1], around=SCANNER)
    assert [side for side in there_and_back if side] == [1, -1]


def test_the_side_of_a_scanner_is_told_in_its_widths() -> None:
    sides = of_one("scanner_x", *ACROSS, around=SCANNER)
    expected = [(0.3 + 0.06 * look - 0.5) / 0.1 for look in range(8)]
    assert sides == pytest.approx(expected, abs=1e-4)
    line = replace(ALONE, scanner=standing((0.5, 0.1, 0.5, 0.9)))  # no scanner is thinner than thin
    assert of_one("scanner_x", at(0.52, 0.5), around=line) == pytest.approx([0.02 / THIN], abs=1e-3)


def test_who_was_hidden_behind_a_scanner_has_crossed_it_all_the_same() -> None:
    before, after = sights(at(0.46, 0.5, 0.3)), sights(at(0.54, 0.5, 0.3))
    looks = lived(*((now, SCANNER) for now in (before, before, NOBODY, NOBODY, after, after)))
    said = [told(files, SCANNER) for files in looks]
    assert [one["scanner_crossed_x"] for one in said] == [[0], [0], [0], [0], [1], [0]]
    assert [one["scanner_x"][0] for one in said] == pytest.approx([-0.4, -0.4, 0, 0, 0.4, 0.4], abs=1e-4)


def test_without_a_scanner_nobody_crosses_it() -> None:
    there = SCANNER.scanner
    elsewhere = Around(there.steady_J4, there.steady_J4, there.steady_J4, there, NOTHING)
    for name in ("scanner_x", "scanner_crossed_x"):
        assert not any(of_one(name, *ACROSS, around=elsewhere))
        assert not any(of_one(name, *ACROSS))


@pytest.mark.parametrize(("far", "crossed"), [(0.9, 1), (1.1, 0)])
def test_who_comes_out_beside_where_another_vanished_may_be_the_same(far: float, crossed: float) -> None:
    """Its file is another one; an open file of somebody in view lends it nothing."""
    vanished, comes = at(0.44, 0.5, 0.1), at(0.44 + far * NEAR * 0.1, 0.5, 0.1)
    looks = [*map(sights, [vanished] * 2), NOBODY, sights(comes), sights(comes)]
    said = [told(files, SCANNER) for files in lived(*((now, SCANNER) for now in looks))]
    assert said[3]["born"] == [0, 1]
    assert [one["scanner_crossed_x"][-1] for one in said] == [0, 0, 0, crossed, 0]
    both = [*map(sights, [vanished] * 3), sights(vanished, comes)]
    said = [told(files, SCANNER) for files in lived(*((now, SCANNER) for now in both))]
    assert said[3]["scanner_crossed_x"] == [0, 0]


def test_who_is_first_seen_beyond_a_scanner_has_not_crossed_it() -> None:
    assert of_one("scanner_crossed_x", *ACROSS[5:], around=SCANNER) == [0, 0, 0]
    assert of_one("scanner_crossed_x", *ACROSS[:4], around=SCANNER) == [0, 0, 0, 0]


ON_THE_LINE = [
    ((-1, 0, 1), (0, 0, 1)),
    ((-1, 0, 0, 1), (0, 0, 0, 1)),
    ((-1, 0, -1), (0, 0, 0)),
    ((1, 0, -1), (0, 0, -1)),
    ((1, 0, 0, -1), (0, 0, 0, -1)),
    ((1, 0, 1), (0, 0, 0)),
    ((0, 1, 0), (0, 0, 0)),
    ((0, -1, 0), (0, 0, 0)),
    ((0, -1, 0, 1, 0, -1), (0, 0, 0, 1, 0, -1)),
]


@pytest.mark.parametrize(("places", "crossed"), ON_THE_LINE)
def test_who_is_on_the_line_has_not_crossed_it_yet(places: tuple[int, ...], crossed: tuple[int, ...]) -> None:
    for middle, step in ((0.5, 0.0625), (0.37, 0.051), (0.43, 0.057)):
        around = replace(ALONE, scanner=standing(at(middle, 0.5, 0.2)))
        some = [at(middle + step * place, 0.5, 0.1) for place in places]
        assert of_one("scanner_crossed_x", *some, around=around) == list(crossed)
        assert of_one("scanner_x", *some, around=around)[places.index(0)] == pytest.approx(0, abs=1e-5)
        trembling = [at(middle + 0.9 * CLEARLY * 0.2 * place, 0.5, 0.1) for place in places]
        assert not any(of_one("scanner_crossed_x", *trembling, around=around))


def test_what_looks_like_a_scanner_crosses_nothing_not_even_itself() -> None:
    """Its box trembles, as boxes do."""
    steady_J4 = boxes(at(0.5, 0.5, 0.2))
    files, looks = [], [sights(at(0.5 + 0.05 * (-1) ** look, 0.5, 0.2)) for look in range(6)]
    arounds = [replace(ALONE, scanner=Landmark(steady_J4, now.boxes_K4)) for now in looks]
    files = lived(*zip(looks, arounds, strict=True))
    for now, around in zip(files, arounds, strict=True):
        assert told(now, around)["scanner_crossed_x"] == told(now, around)["scanner_x"] == [0]


def test_feet_that_pass_the_threshold_of_a_doorway_go_in_or_out() -> None:
    """Behind the threshold the ground looks higher up, which is less."""
    assert of_one("doorway_crossed_y", *INWARDS, around=DOORWAY) == [0, 0, 0, 0, -1]
    assert of_one("doorway_crossed_y", *INWARDS[::-1], around=DOORWAY) == [0, 0, 0, 1, 0]
    levels = of_one("doorway_y", *INWARDS, around=DOORWAY)
    assert levels == pytest.approx([0.8, 0.4, 0.1, -0.1, -0.4], abs=1e-4)  # in quarters of its height


def test_feet_count_and_not_the_middle() -> None:
    """Somebody rises before a doorway: the head goes up, the feet stay."""
    rising = [(0.42, 0.6 - 0.1 * look, 0.58, 0.75) for look in range(5)]
    middles = [(top + bottom) / 2 for _, top, _, bottom in rising]
    assert max(middles) > 0.6 > min(middles)
    assert not any(of_one("doorway_crossed_y", *rising, around=DOORWAY))
    low = replace(ALONE, doorway=standing((0.4, 0.1, 0.6, 0.6)))  # which the middle passes
    assert not any(of_one("doorway_crossed_y", *rising, around=low))


@pytest.mark.parametrize(("places", "crossed"), ON_THE_LINE)
def test_feet_on_a_threshold_have_not_crossed_it_yet(
    places: tuple[int, ...], crossed: tuple[int, ...]
) -> None:
    for step in (0.0625, 0.031, 0.057):
        some = [(0.42, 0.3, 0.58, 0.7 + step * place) for place in places]
        assert of_one("doorway_crossed_y", *some, around=DOORWAY) == list(crossed)
        assert of_one("doorway_y", *some, around=DOORWAY)[places.index(0)] == pytest.approx(0, abs=1e-5)


def test_who_was_hidden_in_a_doorway_has_passed_it_all_the_same() -> None:
    outside, inside = (0.42, 0.3, 0.58, 0.75), (0.42, 0.28, 0.58, 0.66)
    looks = [*map(sights, [outside] * 2), NOBODY, *map(sights, [inside] * 2)]
    said = [told(files, DOORWAY) for files in lived(*((now, DOORWAY) for now in looks))]
    assert [one["doorway_crossed_y"] for one in said] == [[0], [0], [0], [-1], [0]]
    assert said[2]["doorway_y"] == [0]


@pytest.mark.parametrize(("aside", "passes"), [(0.9, True), (1.1, False), (-0.9, True), (-1.1, False)])
def test_whoever_passes_beside_a_doorway_does_not_enter(aside: float, passes: bool) -> None:
    by = aside * BESIDE * 0.2  # its width
    beside = [(left + by, top, right + by, bottom) for left, top, right, bottom in INWARDS]
    for name in ("doorway_crossed_y", "doorway_y"):
        assert any(of_one(name, *beside, around=DOORWAY)) == passes


def test_without_a_doorway_nobody_enters() -> None:
    there = DOORWAY.doorway
    elsewhere = Around(there.steady_J4, there.steady_J4, there.steady_J4, NOTHING, there)
    for name in ("doorway_y", "doorway_crossed_y"):
        assert not any(of_one(name, *INWARDS, around=elsewhere))
        assert not any(of_one(name, *INWARDS))


def test_a_seat_forgets_on_which_side_stood_who_sat_there_before() -> None:
    outside, inside = (0.42, 0.3, 0.58, 0.75), (0.42, 0.28, 0.58, 0.66)
    looks = [sights(outside), *[NOBODY] * (KEPT + 1), sights(inside)]
    files = lived(*((now, DOORWAY) for now in looks), seats=1)[-1]
    assert told(files, DOORWAY)["born"] == [1]
    assert told(files, DOORWAY)["doorway_crossed_y"] == [0]
