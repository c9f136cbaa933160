"""What stands behind a token's learned state as it was seen: seat, names, paint, mark and life.

Appearance cannot tell two equal mugs apart and places move, but a thing keeps its seat while it is in view: a
pooling query asks for one seat and no other. A seat says nothing about who sits in it. Names and paint are
compared with a target's words as they are; whatever a decoder learns, it cannot unlearn them.
"""

import torch
from torch import Tensor
from torch.nn import functional

from stamina_video.backbone.perception.linking import MARKED
from stamina_video.backbone.perception.percept import PerceptLayout, TokenKind
from stamina_video.backbone.tokens import TokenBatch

# B trajectories, T observations, N tokens, S seats, X = names + 4 + mark + life

# Beside a normalised state some 14 long, so that two equal things in two seats stay two candidates: their
# cosine is 0.91, and candidates closer than 0.95 pass for one.
SEAT = 5.0
NAME, PAINT = 4.0, 1.0
PAINTED = 3  # the last colours of a thing are its paint
MARK = 6.0


def evidence_width(layout: PerceptLayout) -> int:
    return layout.names + PAINTED + 1 + marked(layout) + layout.life


def marked(layout: PerceptLayout) -> int:
    """How many numbers a mark has; tokens too narrow for one have what they have."""
    return min(MARKED, layout.appearance)


def evidence(batch: TokenBatch) -> Tensor:
    """(B, T, N, X) of things: shares of names, paint, minus half the paint's square, mark and life.

    With a target's paint y, y · x − x² / 2 falls with the distance of the two: a product tells how near.
    """
    is_thing_BTN1 = ((batch.kind_BTN == TokenKind.DETECTION) & batch.present_BTN).unsqueeze(-1)
    paint_BTN3 = batch.colour_BTNC[..., -PAINTED:]
    square_BTN1 = -0.5 * paint_BTN3.square().sum(-1, keepdim=True)
    mark_BTNM = batch.appearance_BTNP[..., -MARKED:]
    parts = [
        NAME * batch.names_BTNS,
        PAINT * paint_BTN3,
        PAINT * square_BTN1,
        MARK * mark_BTNM,
        batch.life_BTNL,
    ]
    told_BTNX = torch.cat(parts, dim=-1)
    return told_BTNX * is_thing_BTN1


def seats(seat_BTN: Tensor, present_BTN: Tensor, layout: PerceptLayout) -> Tensor:
    """(B, T, N, S), one at a token's seat; cells have none."""
    seated_BTN1 = ((seat_BTN >= 0) & present_BTN).unsqueeze(-1)
    return SEAT * functional.one_hot(seat_BTN.clamp(min=0), layout.seats) * seated_BTN1
