"""Heads set by hand, so that a test can say what is in the picture and know what must be decided.

Axes 0 to 5 of a visual vector name things, axis 6 is blur, axis 7 is background. Query i finds thing i or
else the background; things are visible, background is not; a sharp thing matches its own prototype or is
NEW, a blurred one is DEFERred.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from stamina_video.semantics import Features
from stamina_video.transitions.config import HeadsConfig
from stamina_video.transitions.heads import Heads
from stamina_video.transitions.pooling import Pooling

THINGS, BLUR, BACKGROUND, WIDTH = 6, 6, 7, 8
CONFIG = HeadsConfig(width=WIDTH, target_width=4, hidden=2 * WIDTH, attention=WIDTH, queries=THINGS)


@torch.no_grad()
def hand_made_heads(config: HeadsConfig = CONFIG) -> Heads:
    torch.manual_seed(1)
    heads = Heads(config)
    _find_things(heads.pooling)
    _prefer_the_nearest(heads)
    return heads


def _find_things(pooling: Pooling) -> None:
    pooling.from_visual.weight.copy_(torch.eye(WIDTH))
    pooling.from_target.weight.zero_()
    pooling.queries_QD.zero_()
    pooling.queries_QD[:, :THINGS] = 400 * torch.eye(THINGS)
    pooling.queries_QD[:, BACKGROUND] = 200
    pooling.visibility.weight.copy_(torch.tensor([[8.0, 7, 6, 5, 4, 3, 0, -9]]))
    pooling.visibility.bias.zero_()


def _prefer_the_nearest(heads: Heads, sharpness: float = 50.0) -> None:
    """g_id ≈ −sharpness · |x − q|₁, for GELU(u) + GELU(−u) ≈ |u|."""
    association = heads.association
    both = sharpness * torch.cat([torch.eye(WIDTH), -torch.eye(WIDTH)])
    association.from_candidate.weight.copy_(both)
    association.from_candidate.bias.zero_()
    association.from_target.weight.zero_()
    association.from_prototype.weight.copy_(-both)
    association.score.weight.fill_(-1.0)
    association.classes_2W.zero_()
    association.classes_2W[1, BLUR] = 2.0


def picture(index: int, things: Sequence[int] = (), blurred: Sequence[int] = ()) -> Features:
    """Background, then these things, one visual vector each."""
    tokens = torch.zeros(1 + len(things) + len(blurred), WIDTH)
    tokens[0, BACKGROUND] = 1
    for row, thing in enumerate([*things, *blurred], start=1):
        tokens[row, thing] = 1
        tokens[row, BLUR] = 2.0 * (row > len(things))
    return features(index, tokens)


def features(index: int, tokens: Tensor) -> Features:
    return Features(index, float(index), tokens, tokens.mean(0), torch.tensor([1.0, 0, 0, 0]))
