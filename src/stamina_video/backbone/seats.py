"""Which place in the list of things a token has: what lets a pooling query ask for one thing and no other.

The eyes list detections best first, then moving regions. Appearance cannot tell two equal mugs apart and
places move, but a list has a first and a second entry whatever stands there. A seat says nothing about who
sits in it: from one observation to the next, things change seats.
"""

import torch
from torch import Tensor
from torch.nn import functional

from stamina_video.backbone.perception.percept import PerceptLayout, TokenKind

# B trajectories, T observations, N tokens, S seats

# Beside a normalised state some 14 long, so that two equal things in two seats stay two candidates: their
# cosine is 0.92, and candidates closer than 0.95 pass for one.
LENGTH = 4.0


def seats(kind_BTN: Tensor, present_BTN: Tensor, layout: PerceptLayout) -> Tensor:
    """(B, T, N, S), one at a token's seat: detections, regions, the whole image; cells have none."""
    seated = torch.zeros(*kind_BTN.shape, layout.seats, device=kind_BTN.device)
    first = 0
    for kind, number in (
        (TokenKind.DETECTION, layout.detections),
        (TokenKind.REGION, layout.regions),
        (TokenKind.GLOBAL, 1),
    ):
        mine_BTN = (kind_BTN == kind) & present_BTN
        place_BTN = first + (mine_BTN.cumsum(-1) - 1).clamp(0, max(number - 1, 0))
        seated += functional.one_hot(place_BTN, layout.seats) * mine_BTN.unsqueeze(-1)
        first += number
    return LENGTH * seated
