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
from stamina_video.training.start import Sharpness, asked_seats

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


def test_who_bears_another_mark_is_another_one(model: Model, names: Names) -> None:
    """Equal but for the mark: whoever has the same one is nearer."""
    percept = shown(names, ("cup", "red"), ("cup", "red"))
    marks = np.eye(LAYOUT.appearance, dtype=np.float32)[-2:]
    appearance = percept.appearance_NP.copy()
    appearance[0] = appearance[1]
    appearance[:2, -MARKED:] = marks[:, -MARKED:]
    boxes = percept.boxes_N4.copy()
    boxes[1] = boxes[0]
    with torch.no_grad():
        seen = model.backbone.observe(
            model.backbone.initial(),
            Observation("s", 0, 0.0, replace(percept, appearance_NP=appearance, boxes_N4=boxes), 0),
        )
        tokens_2W = seen.tokens_ND[:2]
        tokens_2W[:, -LAYOUT.seats :] = 0.0  # wherever they sit
        target_D = model.backbone.encode_target("mugs")
        log_probs = model.heads.association(tokens_2W[:1], target_D, tokens_2W[None])[0]
    assert log_probs[0] > log_probs[1] + 0.5


def test_detections_and_regions_have_queries_of_their_own() -> None:
    assert asked_seats(32, LAYOUT) == [*range(24), *range(24, 32)]
    assert asked_seats(6, replace(LAYOUT, detections=8, regions=4)) == [0, 1, 2, 3, 4, 8]
