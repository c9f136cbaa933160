from dataclasses import replace

import numpy as np
import pytest

from stamina_video.backbone.names import Names
from stamina_video.backbone.perception import (
    Detections,
    Glimpse,
    Image,
    Percept,
    Perception,
    PerceptLayout,
    TokenKind,
    labelled,
)
from stamina_video.backbone.perception.colour import COLOUR_CHANNELS
from stamina_video.backbone.perception.detector import Detector
from stamina_video.backbone.perception.files import KEPT
from stamina_video.backbone.perception.motion import MOTION_CHANNELS
from stamina_video.backbone.perception.perception import DECIDED, LIFE_CHANNELS
from stamina_video.semantics import InvalidInput
from tests.backbone.fakes import ToyEncoder, ToyText, toy_image, toy_perception

RED_LEFT = ("red", 0.2, 0.3, 0.15)
BLUE_RIGHT = ("blue", 0.8, 0.4, 0.1)


def same(one: Percept, other: Percept) -> bool:
    return all(np.array_equal(array, other.arrays()[name]) for name, array in one.arrays().items())


def watch(eyes: Perception, *images: Image) -> list[Percept]:
    glimpse: Glimpse | None = None
    percepts = []
    for image in images:
        percept, glimpse = eyes.perceive(image, glimpse)
        percepts.append(percept)
    return percepts


def test_tokens_come_in_a_fixed_order_and_fit_the_layout() -> None:
    eyes = toy_perception()
    (percept,) = watch(eyes, toy_image(RED_LEFT, BLUE_RIGHT))
    assert percept.kind_N.tolist() == [TokenKind.DETECTION] * 2 + [TokenKind.GRID] * 9 + [TokenKind.GLOBAL]
    assert percept.fits(eyes.layout)
    assert eyes.layout.motion == len(MOTION_CHANNELS)
    assert eyes.layout.colour == len(COLOUR_CHANNELS) + 3
    assert eyes.layout.life == len(LIFE_CHANNELS)


def test_the_default_layout_has_a_column_for_every_name_and_for_all_of_a_life() -> None:
    assert PerceptLayout().names == Names(ToyText()).width
    assert PerceptLayout().life == len(LIFE_CHANNELS)
    assert PerceptLayout().motion == len(MOTION_CHANNELS)


def calls(word: str, score: float = 0.9) -> Detector:
    """A detector that finds one thing on the left and calls it by a word."""

    def detector(_: Image, /) -> Detections:
        return labelled([(0.1, 0.1, 0.4, 0.6)], [word], [score])

    return detector


def test_a_detection_is_named_by_the_list_that_targets_are_asked_by() -> None:
    eyes = replace(toy_perception(), detector=calls("bottle"))
    (percept,) = watch(eyes, toy_image())
    column = eyes.names.columns.index("bottle")
    assert percept.names_NS[0].argmax() == column
    assert percept.names_NS[0].sum() == pytest.approx(1, abs=1e-5)
    assert eyes.names.asked("bottles").argmax() == column


def test_a_cell_is_named_by_what_is_found_in_it() -> None:
    eyes = replace(toy_perception(), detector=calls("bottle"))
    (percept,) = watch(eyes, toy_image())
    cells = percept.of_kind(TokenKind.GRID)
    bottle = percept.names_NS[cells, eyes.names.columns.index("bottle")]
    left, _, right, _ = percept.boxes_N4[cells[bottle.argmax()]]
    assert left <= 0.25 <= right
    empty = cells[percept.scores_N[cells] == 0]
    assert len(empty) > 0
    assert not percept.names_NS[empty].any()


def test_words_are_weighed_by_their_probability() -> None:
    def unsure(_: Image, /) -> Detections:
        box = np.array([[0.1, 0.1, 0.5, 0.5]], np.float32)
        weights = np.array([[0.6, 0.2]], np.float32)
        return Detections(
            box, np.array([0.6], np.float32), ("bottle", "cup"), weights, np.zeros((1, 0), np.float32)
        )

    eyes = replace(toy_perception(), detector=unsure)
    (percept,) = watch(eyes, toy_image())
    bottle, cup = (percept.names_NS[0, eyes.names.columns.index(word)] for word in ("bottle", "cup"))
    assert bottle == pytest.approx(3**DECIDED * cup, rel=1e-4)  # the surer name stands out


def test_many_looks_at_one_thing_say_what_it_is() -> None:
    said = iter(["bottle", "bottle", "cup", "bottle"])
    eyes = replace(toy_perception(), detector=lambda _: calls(next(said))(toy_image()))
    seen = watch(eyes, *[toy_image()] * 4)
    bottle = eyes.names.columns.index("bottle")
    assert [percept.names_NS[0].argmax() == bottle for percept in seen] == [True] * 4


def test_a_thing_keeps_its_seat_and_is_kept_for_a_while_unseen() -> None:
    turns = iter([True, True, False, True, *[False] * (KEPT + 1)])
    eyes = replace(
        toy_perception(), detector=lambda image: calls("cup")(image) if next(turns) else labelled([], [], [])
    )
    seen = watch(eyes, *[toy_image()] * (5 + KEPT))
    things = [percept.of_kind(TokenKind.DETECTION) for percept in seen]
    assert [len(rows) for rows in things] == [1] * (4 + KEPT) + [0]
    assert {int(percept.seat_N[0]) for percept in seen[:-1]} == {0}
    missed = [round(float(percept.life_NL[0, 0]) * KEPT) for percept in seen[:-1]]
    assert missed == [0, 0, 1, 0, *range(1, KEPT + 1)]


def life(percept: Percept, name: str) -> list[float]:
    """Of each thing."""
    told: list[float] = percept.life_NL[
        percept.of_kind(TokenKind.DETECTION), LIFE_CHANNELS.index(name)
    ].tolist()
    return told


def test_how_things_move_is_told_of_things_and_of_no_place() -> None:
    blobs = [toy_image(("red", 0.2 + 0.02 * step, 0.3, 0.15), BLUE_RIGHT) for step in range(3)]
    first, second, third = watch(toy_perception(), *blobs)
    assert life(first, "born") == [1, 1]
    assert life(second, "born") == life(first, "step_x") == [0, 0]
    for percept in (second, third):
        moved, still = life(percept, "step_x")
        assert moved > 0.05
        assert still == 0
    elsewhere_N = (third.kind_N == TokenKind.GRID) | (third.kind_N == TokenKind.GLOBAL)
    assert not third.life_NL[elsewhere_N].any()


def test_lists_of_names_without_landmarks_have_none_to_pass() -> None:
    few = Names(ToyText(), {"cup": ("mugs",), "dog": ()})
    (percept,) = watch(replace(toy_perception(), names=few, detector=calls("scanner")), toy_image())
    assert life(percept, "scanned") == life(percept, "scanner_x") == [0]


def test_a_missed_thing_is_lost_once_and_takes_no_step() -> None:
    *_, seen, lost, gone = watch(toy_perception(), *[toy_image(RED_LEFT)] * 2, *[toy_image()] * 2)
    assert [life(percept, "lost") for percept in (seen, lost, gone)] == [[0], [1], [0]]
    assert [life(percept, "here") for percept in (seen, lost, gone)] == [[1], [0], [0]]
    assert life(lost, "step_x") == [0]


def test_who_holds_and_what_things_lie_in_follows_from_their_names() -> None:
    def packing(_: Image, /) -> Detections:
        boxes = [(0.1, 0.1, 0.5, 0.9), (0.4, 0.4, 0.6, 0.6), (0.5, 0.5, 0.9, 0.9)]
        return labelled(boxes, ["person", "cup", "box"], [0.9, 0.8, 0.7])

    (percept,) = watch(replace(toy_perception(), detector=packing), toy_image())
    assert life(percept, "held") == pytest.approx([0, 0.5, 0], abs=1e-5)
    assert life(percept, "inside") == pytest.approx([0, 0.25, 0], abs=1e-5)


@pytest.mark.parametrize(
    ("landmark", "column"), [("doorway", "entered"), ("scanner", "scanned"), ("shelf", "shelved")]
)
def test_what_things_pass_enter_or_stand_on_follows_from_its_name(landmark: str, column: str) -> None:
    def passing(_: Image, /) -> Detections:
        return labelled([(0.1, 0.1, 0.5, 0.9), (0.4, 0.4, 0.6, 0.6)], [landmark, "cup"], [0.9, 0.8])

    (percept,) = watch(replace(toy_perception(), detector=passing), toy_image())
    covered = {name: life(percept, name) for name in ("held", "inside", "entered", "scanned", "shelved")}
    assert covered.pop(column) == pytest.approx([0, 0.5], abs=1e-5)
    assert set(map(tuple, covered.values())) == {(0.0, 0.0)}


@pytest.mark.parametrize("surest", [0, 1])
def test_of_two_landmarks_the_one_with_the_surest_name_is_passed(surest: int) -> None:
    """Whichever of them is the surest thing."""
    columns, places = toy_perception().names.columns, iter((0.4, 0.45, 0.55, 0.6))

    def passing(_: Image, /) -> Detections:
        x = next(places)
        boxes = [(0.45, 0.1, 0.55, 0.9), (0.0, 0.1, 0.1, 0.9), (x - 0.1, 0.4, x + 0.1, 0.6)]
        labels = np.zeros((3, len(columns)), np.float32)
        labels[:2, columns.index("scanner")], labels[:2, columns.index("dog")] = 0.7, 0.3
        labels[surest, [columns.index("scanner"), columns.index("dog")]] = 0.9, 0.1
        labels[2, columns.index("cup")] = 1
        scores = np.array([0.9, 0.8, 0.7], np.float32)
        return Detections(np.array(boxes, np.float32), scores, columns, labels, np.zeros((3, 0), np.float32))

    seen = watch(replace(toy_perception(), detector=passing), *[toy_image()] * 4)
    crossed = [life(percept, "scanner_crossed_x")[2] for percept in seen]
    assert crossed == ([0, 0, 1, 0] if surest == 0 else [0, 0, 0, 0])


@pytest.mark.parametrize(("share", "held"), [(0.45, 0), (0.55, 0.5)])
def test_only_who_is_likely_a_person_holds_things(share: float, held: float) -> None:
    columns = toy_perception().names.columns

    def unsure(_: Image, /) -> Detections:
        boxes = np.array([(0.1, 0.1, 0.5, 0.9), (0.4, 0.4, 0.6, 0.6)], np.float32)
        labels = np.zeros((2, len(columns)), np.float32)
        labels[0, [columns.index("person"), columns.index("dog")]] = share, 1 - share
        labels[1, columns.index("cup")] = 1
        return Detections(boxes, np.full(2, 0.9, np.float32), columns, labels, np.zeros((2, 0), np.float32))

    (percept,) = watch(replace(toy_perception(), detector=unsure), toy_image())
    assert life(percept, "held") == pytest.approx([0, held], abs=1e-5)


def test_regions_have_a_gait_of_their_own() -> None:
    eyes = replace(toy_perception(), detector=lambda _: labelled([], [], []))
    seen = watch(eyes, *(toy_image(("red", 0.2 + 0.06 * step, 0.3, 0.15)) for step in range(5)))
    last = seen[-1]
    regions = last.of_kind(TokenKind.REGION)
    assert len(regions) > 0
    steps = last.life_NL[regions, LIFE_CHANNELS.index("step_x")]
    assert steps.max() > 0


def test_colours_belong_to_the_thing() -> None:
    (percept,) = watch(toy_perception(), toy_image(RED_LEFT, BLUE_RIGHT))
    red, blue = COLOUR_CHANNELS.index("red"), COLOUR_CHANNELS.index("blue")
    assert percept.colour_NC[0, red] > 0.5 > percept.colour_NC[0, blue]
    assert percept.colour_NC[1, blue] > 0.5 > percept.colour_NC[1, red]


def test_what_no_detector_knows_is_seen_when_it_moves() -> None:
    def blind(_: Image, /) -> Detections:
        return labelled([], [], [])

    eyes = replace(toy_perception(), detector=blind)
    start, moved = watch(eyes, toy_image(RED_LEFT), toy_image(("red", 0.3, 0.3, 0.15)))
    assert len(start.of_kind(TokenKind.REGION)) == 0
    regions = moved.of_kind(TokenKind.REGION)
    assert len(regions) >= 1
    assert (moved.motion_NM[regions, MOTION_CHANNELS.index("foreground")] > 0.3).all()
    assert not moved.names_NS[regions].any()


def test_the_same_images_give_the_same_bits_whoever_looks_between() -> None:
    eyes = toy_perception()
    images = [toy_image(("red", 0.2 + 0.03 * step, 0.3, 0.1), BLUE_RIGHT) for step in range(5)]
    alone = watch(eyes, *images)
    glimpse, others = None, None
    for step, image in enumerate(images):
        _, others = eyes.perceive(toy_image(("green", 0.1 * step, 0.2, 0.3), height=80, width=120), others)
        percept, glimpse = eyes.perceive(image, glimpse)
        assert same(percept, alone[step])


def test_a_glimpse_can_be_used_twice() -> None:
    eyes = toy_perception()
    _, glimpse = eyes.perceive(toy_image(RED_LEFT), None)
    before = {name: array.copy() for name, array in glimpse.arrays().items()}
    first, _ = eyes.perceive(toy_image(BLUE_RIGHT), glimpse)
    eyes.perceive(toy_image(RED_LEFT), glimpse)
    again, _ = eyes.perceive(toy_image(BLUE_RIGHT), glimpse)
    assert same(first, again)
    assert all(np.array_equal(array, before[name]) for name, array in glimpse.arrays().items())


def test_a_user_brings_a_detector_with_embeddings() -> None:
    def mine(image_HW3: Image, /) -> Detections:
        boxes = [(0.1 * index, 0.1, 0.1 * index + 0.1, 0.5) for index in range(9)]
        scores = [0.1 * index for index in range(9)]
        return labelled(boxes, ["widget"] * 9, scores, np.arange(18).reshape(9, 2))

    eyes = Perception(mine, Names(ToyText()), ToyEncoder(), embedding=2, detections=4, grid=2)
    (percept,) = watch(eyes, toy_image())
    assert eyes.layout.appearance == ToyEncoder.width + 2
    assert percept.fits(eyes.layout)
    assert percept.appearance_NP[:4, -2:].tolist() == [[16, 17], [14, 15], [12, 13], [10, 11]]
    assert not percept.appearance_NP[4:, -2:].any()
    with pytest.raises(InvalidInput, match="expected embeddings 3 wide from the detector, got 2"):
        replace(eyes, embedding=3).perceive(toy_image(), None)


@pytest.mark.parametrize(
    "image",
    [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3), np.float32), np.zeros((0, 4, 3), np.uint8)],
    ids=["grey", "float", "empty"],
)
def test_what_is_no_image_is_refused(image: Image) -> None:
    with pytest.raises(InvalidInput, match="expected an image of height × width × 3 bytes, got"):
        toy_perception().perceive(image, None)


@pytest.mark.parametrize("size", [(1, 1), (3, 500), (700, 9), (540, 960)])
def test_any_size_will_do(size: tuple[int, int]) -> None:
    eyes = toy_perception()
    height, width = size
    first, second = (toy_image(("red", place, 0.2, 0.2), height=height, width=width) for place in (0.3, 0.5))
    for percept in watch(eyes, first, second):
        assert percept.fits(eyes.layout)
        assert all(np.isfinite(array).all() for array in percept.arrays().values())
