"""What stands behind a learned state: everything as it was seen, and whose seat it is."""

from dataclasses import replace

import pytest
import torch

from stamina_video.backbone.perception import PerceptLayout, TokenKind
from stamina_video.backbone.perception.linking import MARKED
from stamina_video.backbone.seats import MARK, NAME, SEAT, evidence, evidence_width, marked, seats
from stamina_video.backbone.tokens import collate
from tests.backbone.percepts import LAYOUT, a_percept


def test_a_token_stands_in_its_seat_alone() -> None:
    layout = PerceptLayout(detections=3, grid=2, regions=2)
    seat_BTN = torch.tensor([[[2, 0, -1, 5, 4]]])
    seated = seats(seat_BTN, torch.ones_like(seat_BTN, dtype=torch.bool), layout)[0, 0]
    assert seated.shape == (5, layout.seats)
    assert seated.argmax(-1)[[0, 1, 3, 4]].tolist() == [2, 0, 5, 4]
    assert seated.sum(-1).tolist() == [SEAT, SEAT, 0, SEAT, SEAT]  # a cell has none


def test_padding_sits_nowhere() -> None:
    seat_BTN = torch.zeros(1, 1, 3, dtype=torch.long)  # padding carries the number of a seat
    present_BTN = torch.tensor([[[True, False, False]]])
    assert seats(seat_BTN, present_BTN, LAYOUT).sum() == SEAT


def test_things_show_their_names_and_paint_and_places_do_not() -> None:
    batch = collate([[(0.0, a_percept(3, tokens=6))]])
    told = evidence(batch)[0, 0]
    assert told.shape == (6, evidence_width(LAYOUT))
    is_thing = batch.kind_BTN[0, 0] == TokenKind.DETECTION
    assert is_thing.any()
    assert not is_thing.all()
    torch.testing.assert_close(told[is_thing, : LAYOUT.names], NAME * batch.names_BTNS[0, 0][is_thing])
    assert not told[~is_thing].any()


@pytest.mark.parametrize("appearance", [40, MARKED, 10, 0])
def test_things_end_with_their_mark_and_their_life(appearance: int) -> None:
    layout = replace(LAYOUT, appearance=appearance)
    batch = collate([[(0.0, a_percept(3, tokens=6, layout=layout))]])
    told = evidence(batch)[0, 0]
    assert told.shape == (6, evidence_width(layout))
    is_thing = batch.kind_BTN[0, 0] == TokenKind.DETECTION
    torch.testing.assert_close(told[is_thing, -layout.life :], batch.life_BTNL[0, 0][is_thing])
    wide = marked(layout)
    assert wide == min(appearance, 16)
    before = evidence_width(layout) - layout.life - wide
    mark_KM = told[is_thing, before : before + wide]
    last_KM = batch.appearance_BTNP[0, 0][is_thing, appearance - wide :]
    torch.testing.assert_close(mark_KM, MARK * last_KM)


def test_a_product_with_a_paint_tells_how_far_it_is() -> None:
    batch = collate([[(0.0, a_percept(3, tokens=6))]])
    seen_N3 = evidence(batch)[0, 0][batch.kind_BTN[0, 0] == TokenKind.DETECTION, LAYOUT.names :][:, :4]
    asked_3 = torch.tensor([0.5, -1.0, 2.0])
    near_N = seen_N3 @ torch.cat([asked_3, torch.ones(1)]) - asked_3.square().sum() / 2
    torch.testing.assert_close(near_N, -0.5 * (seen_N3[:, :3] - asked_3).square().sum(-1))
