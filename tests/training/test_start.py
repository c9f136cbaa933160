"""Before any lesson, things whose names and paint fit are found, and no others."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from stamina_video.backbone import load_text_encoder
from stamina_video.backbone.names import Names
from stamina_video.backbone.paints import painted
from stamina_video.backbone.perception import Percept, PerceptLayout, TokenKind
from stamina_video.backbone.perception.detector import PAINT_UNIT
from stamina_video.backbone.perception.gait import GAIT
from stamina_video.backbone.perception.linking import MARKED
from stamina_video.backbone.perception.perception import LIFE_CHANNELS
from stamina_video.runtime import Model
from stamina_video.semantics import Observation
from stamina_video.training.models import fresh_model
from stamina_video.training.recipes import nano
from stamina_video.training.start import Likeness, Sharpness, asked_seats
from stamina_video.transitions.identity import NEW

LAYOUT = PerceptLayout()


@pytest.fixture(scope="module")
def model() -> Model:
    return fresh_model(nano(), 0)


@pytest.fixture(scope="module")
def names() -> Names:
    return Names(load_text_encoder())


def shown(names: Names, *things: tuple[str, str]) -> Percept:
    """Things of a name and a paint, in the last seats there are, and the whole image."""
    tokens = len(things) + 1
    whole = np.zeros(tokens, bool)
    whole[-1] = True
    named = np.zeros((tokens, LAYOUT.names), np.float32)
    colour = np.zeros((tokens, LAYOUT.colour), np.float32)
    boxes = np.tile(np.array([0, 0, 1, 1], np.float32), (tokens, 1))
    for place, (name, paint) in enumerate(things):
        named[place, names.columns.index(name)] = 1
        lab_3 = painted(f"{paint} thing").lab_3
        assert lab_3 is not None
        colour[place, -3:] = lab_3 / PAINT_UNIT
        boxes[place] = (0.1 * place, 0.2, 0.1 * place + 0.08, 0.4)
    return Percept(
        appearance_NP=np.random.default_rng(0)
        .standard_normal((tokens, LAYOUT.appearance))
        .astype(np.float32),
        boxes_N4=boxes,
        names_NS=named,
        scores_N=np.where(whole, 0, 0.9).astype(np.float32),
        motion_NM=np.zeros((tokens, LAYOUT.motion), np.float32),
        colour_NC=colour,
        life_NL=np.zeros((tokens, LAYOUT.life), np.float32),
        kind_N=np.where(whole, TokenKind.GLOBAL, TokenKind.DETECTION).astype(np.int8),
        seat_N=np.where(whole, LAYOUT.seats - 1, 5 + np.arange(tokens)).astype(np.int8),
    )


def visible(model: Model, percept: Percept, description: str) -> list[int]:
    """Which tokens the pooling finds."""
    with torch.no_grad():
        seen = model.backbone.observe(model.backbone.initial(), Observation("s", 0, 0.0, percept, 0))
        found = model.heads.pooling(seen.tokens_ND, model.backbone.encode_target(description))
    looks = found.attention_CJ.argmax(1)
    return sorted(looks[found.visible_C].tolist())


def test_things_of_the_name_are_found_wherever_they_sit(model: Model, names: Names) -> None:
    percept = shown(names, ("cup", "red"), ("vase", "purple"), ("cup", "blue"), ("something", "grey"))
    assert visible(model, percept, "mugs") == [0, 2]
    assert visible(model, percept, "flower vases") == [1]
    assert visible(model, percept, "zebras") == []


def test_paint_is_asked_for_where_a_colour_is_named(model: Model, names: Names) -> None:
    percept = shown(names, ("cup", "red"), ("vase", "purple"), ("cup", "blue"), ("vase", "red"))
    assert visible(model, percept, "red mugs") == [0]
    assert visible(model, percept, "blue mugs") == [2]
    assert visible(model, percept, "purple vases") == [1]
    assert visible(model, percept, "turquoise vases") == []


def test_equal_things_in_two_seats_are_two(model: Model, names: Names) -> None:
    assert visible(model, shown(names, ("cup", "red"), ("cup", "red")), "red mugs") == [0, 1]


def test_a_name_that_no_lesson_had_needs_a_smaller_share(model: Model, names: Names) -> None:
    percept = shown(names, ("cup", "red"), ("vase", "red"))
    halves = replace(percept, names_NS=0.55 * percept.names_NS)
    assert visible(model, halves, "mugs") == []
    assert visible(model, halves, "flower vases") == [1]


def test_what_was_not_seen_for_long_is_visible_no_more(model: Model, names: Names) -> None:
    percept = shown(names, ("cup", "red"), ("cup", "blue"))
    life = percept.life_NL.copy()
    life[0, LIFE_CHANNELS.index("missed")] = 1.0
    assert visible(model, replace(percept, life_NL=life), "mugs") == [1]


def test_what_the_eyes_are_surer_of_is_found_rather_than_what_they_hardly_are(
    model: Model, names: Names
) -> None:
    percept = shown(names, ("cup", "red"), ("cup", "blue"))
    sure, unsure = (looks(model, with_life(percept, "sure", share), "mugs") for share in (1.0, 0.0))
    torch.testing.assert_close(sure - unsure, torch.full_like(sure, Sharpness().score), atol=1e-3, rtol=0)


def with_life(percept: Percept, name: str, value: float) -> Percept:
    """Every thing has it, the whole image does not."""
    life = percept.life_NL.copy()
    life[:-1, LIFE_CHANNELS.index(name)] = value
    return replace(percept, life_NL=life)


@torch.no_grad()
def looks(model: Model, percept: Percept, description: str) -> Tensor:
    """What the first things' own queries think of them, as logits."""
    seen = model.backbone.observe(model.backbone.initial(), Observation("s", 0, 0.0, percept, 0))
    pooling = model.heads.pooling
    scores_QJ = pooling.scores(pooling.asked(model.backbone.encode_target(description)), seen.tokens_ND)
    things = range(len(percept) - 1)
    return torch.stack([scores_QJ[int(percept.seat_N[thing]), thing] for thing in things])


@pytest.mark.parametrize("name", GAIT)
def test_how_a_thing_moves_says_nothing_of_what_it_is(model: Model, names: Names, name: str) -> None:
    percept = shown(names, ("cup", "red"), ("vase", "blue"))
    moving = with_life(percept, name, 3.0)
    torch.testing.assert_close(looks(model, moving, "mugs"), looks(model, percept, "mugs"))


# A mug's seat, where it is from left to right, its mark, and whether it has just come.
Looked = tuple[int, float, str, bool]


def seen_as(model: Model, names: Names, *mugs: Looked) -> Tensor:
    """What the backbone makes of equal red mugs: (K, W)."""
    percept = shown(names, *(("cup", "red") for _ in mugs))
    appearance, life, seats = percept.appearance_NP.copy(), percept.life_NL.copy(), percept.seat_N.copy()
    appearance[:] = appearance[0]
    boxes = percept.boxes_N4.copy()
    for row, (seat, x, mark, born) in enumerate(mugs):
        appearance[row, -MARKED:] = np.eye(MARKED)["abcdef".index(mark)]
        life[row, LIFE_CHANNELS.index("x")] = 2 * (x - 0.5)
        life[row, LIFE_CHANNELS.index("born")] = born
        life[row, LIFE_CHANNELS.index("looks")] = 0.23 if born else 0.5
        seats[row], boxes[row] = seat, boxes[0]
    changed = replace(percept, appearance_NP=appearance, life_NL=life, seat_N=seats, boxes_N4=boxes)
    with torch.no_grad():
        seen = model.backbone.observe(model.backbone.initial(), Observation("s", 0, 0.0, changed, 0))
    return seen.tokens_ND[: len(mugs)]


@torch.no_grad()
def taken_for(model: Model, now_1W: Tensor, known_KW: Tensor) -> int:
    """The place among those known, NEW or DEFER."""
    target_D = model.backbone.encode_target("mugs")
    log_probs_L = model.heads.association(now_1W, target_D, known_KW[None])[0]
    best = int(log_probs_L.argmax())
    return best - len(log_probs_L) if best >= len(known_KW) else best


KNOWN: tuple[Looked, ...] = ((3, 0.2, "a", False), (4, 0.8, "b", False))


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        pytest.param((3, 0.25, "a", False), 0, id="who stays"),
        pytest.param((3, 0.3, "c", False), 0, id="who turns round where he sits"),
        pytest.param((9, 0.25, "a", True), 0, id="who is lost for a moment"),
        pytest.param((9, 0.5, "b", True), 1, id="who comes back with his mark"),
        pytest.param((9, 0.78, "a", True), 0, id="who went where another was"),
        pytest.param((9, 0.5, "c", True), NEW, id="who bears no mark that is known"),
        pytest.param((3, 0.6, "c", True), NEW, id="who takes another's seat"),
    ],
)
def test_who_is_whom_before_any_lesson(model: Model, names: Names, now: Looked, expected: int) -> None:
    known_KW, now_1W = seen_as(model, names, *KNOWN), seen_as(model, names, now)
    assert taken_for(model, now_1W, known_KW) == expected


def test_whoever_comes_first_is_new(model: Model, names: Names) -> None:
    now_1W = seen_as(model, names, (0, 0.5, "a", True))
    assert taken_for(model, now_1W, now_1W[:0]) == NEW


def test_a_difference_weighs_what_was_said_of_it(model: Model, names: Names) -> None:
    """Log odds of one known mug against another that differs in one thing alone."""
    now_1W = seen_as(model, names, (9, 0.2, "a", True))
    target_D = model.backbone.encode_target("mugs")

    def apart(one: Looked, other: Looked) -> float:
        with torch.no_grad():
            known_KW = seen_as(model, names, one, other)
            log_probs_L = model.heads.association(now_1W, target_D, known_KW[None])[0]
        return float(log_probs_L[0] - log_probs_L[1])

    likeness = Likeness()
    across = apart((3, 0.2, "a", False), (4, 0.8, "a", False))
    assert across == pytest.approx(0.6 * likeness.place, rel=0.3)  # directions are drawn
    marks = apart((3, 0.2, "a", False), (4, 0.2, "b", False))
    assert marks == pytest.approx(2**0.5 * likeness.mark, rel=0.3)


def test_detections_and_regions_have_queries_of_their_own() -> None:
    assert asked_seats(32, LAYOUT) == [*range(24), *range(24, 32)]
    assert asked_seats(6, replace(LAYOUT, detections=8, regions=4)) == [0, 1, 2, 3, 4, 8]
