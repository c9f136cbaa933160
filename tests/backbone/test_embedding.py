from dataclasses import replace

import pytest
import torch

from stamina_video.backbone.embedding import BOX_WIDTH, TokenEmbedding, box_waves
from stamina_video.backbone.tokens import collate
from tests.backbone.percepts import LAYOUT, a_percept


def test_boxes_become_waves_that_tell_near_places_apart() -> None:
    left, right = torch.tensor([[0.50, 0.5, 0.6, 0.6], [0.51, 0.5, 0.61, 0.6]])
    assert box_waves(left).shape == (BOX_WIDTH,)
    assert torch.equal(box_waves(left)[:4], left)
    assert (box_waves(left) - box_waves(right)).norm() > 10 * (left - right).norm()


@pytest.mark.parametrize(
    "part",
    [
        "appearance_BTNP",
        "boxes_BTN4",
        "names_BTNS",
        "scores_BTN",
        "motion_BTNM",
        "colour_BTNC",
        "life_BTNL",
        "kind_BTN",
    ],
)
def test_every_property_of_a_token_is_seen_and_only_by_that_token(part: str) -> None:
    torch.manual_seed(0)
    embedding = TokenEmbedding(LAYOUT, 12)
    batch = collate([[(0.0, a_percept(0, tokens=2))]])
    changed = getattr(batch, part).clone()
    changed[0, 0, 1] = (changed[0, 0, 1] + 1) % 4 if part == "kind_BTN" else -2 * changed[0, 0, 1] + 0.1
    before, after = embedding(batch, None), embedding(replace(batch, **{part: changed}), None)
    assert torch.equal(before[0, 0, 0], after[0, 0, 0])
    assert (before - after)[0, 0, 1].abs().max() > 1e-3


def test_the_scale_of_appearance_does_not_matter() -> None:
    embedding = TokenEmbedding(LAYOUT, 12)
    batch = collate([[(0.0, a_percept(0))]])
    louder = replace(batch, appearance_BTNP=1000 * batch.appearance_BTNP)
    torch.testing.assert_close(embedding(louder, None), embedding(batch, None), rtol=1e-4, atol=1e-4)
