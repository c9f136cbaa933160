"""Percept tokens to decoder inputs: one linear projection per property, summed and normalised."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from stamina_video.backbone.clock import ELAPSED_WIDTH, elapsed_features
from stamina_video.backbone.perception.percept import PerceptLayout, TokenKind
from stamina_video.backbone.tokens import TokenBatch
from stamina_video.semantics import InvalidInput

BOX_OCTAVES = 6  # the finest wave resolves a hundredth of the image
BOX_WIDTH = 4 * (2 * BOX_OCTAVES + 1)


class TokenEmbedding(nn.Module):
    def __init__(self, layout: PerceptLayout, width: int) -> None:
        super().__init__()
        self.layout = layout
        self.appearance = nn.Linear(layout.appearance, width)
        self.names = nn.Linear(layout.names, width, bias=False)
        self.place = nn.Linear(BOX_WIDTH, width, bias=False)
        self.motion = nn.Linear(layout.motion, width, bias=False)
        self.colour = nn.Linear(layout.colour, width, bias=False)
        self.score = nn.Linear(1, width, bias=False)
        self.life = nn.Linear(layout.life, width, bias=False)
        self.kind = nn.Embedding(len(TokenKind), width)
        self.elapsed = nn.Linear(ELAPSED_WIDTH, width, bias=False)
        self.norm = nn.LayerNorm(width)

    def forward(self, batch: TokenBatch, previous_B: Tensor | None) -> Tensor:
        """(B, T, N, width); `previous_B` is the time of the observation before the first."""
        self._check(batch)
        # Networks differ in the scale of their features by orders of magnitude.
        appearance_BTNP = functional.layer_norm(batch.appearance_BTNP, (self.layout.appearance,))
        elapsed_BTE = self.elapsed(elapsed_features(batch.times_BT, previous_B))
        embedded: Tensor = self.norm(
            self.appearance(appearance_BTNP)
            + self.names(batch.names_BTNS)
            + self.place(box_waves(batch.boxes_BTN4))
            + self.motion(batch.motion_BTNM)
            + self.colour(batch.colour_BTNC)
            + self.score(batch.scores_BTN.unsqueeze(-1))
            + self.life(batch.life_BTNL)
            + self.kind(batch.kind_BTN)
            + elapsed_BTE.unsqueeze(2)
        )
        return embedded

    def _check(self, batch: TokenBatch) -> None:
        parts = {
            "appearance": batch.appearance_BTNP,
            "names": batch.names_BTNS,
            "motion": batch.motion_BTNM,
            "colour": batch.colour_BTNC,
            "life": batch.life_BTNL,
        }
        for name, part in parts.items():
            expected = getattr(self.layout, name)
            if part.shape[-1] != expected:
                raise InvalidInput(f"expected {name} of width {expected}, got {part.shape[-1]}")


def box_waves(boxes_4: Tensor) -> Tensor:
    """The coordinates of normalised boxes and their sines and cosines at halving wavelengths."""
    octaves_F = 2.0 ** torch.arange(BOX_OCTAVES, device=boxes_4.device)
    angles = (math.pi * boxes_4.unsqueeze(-1) * octaves_F).flatten(-2)
    return torch.cat([boxes_4, angles.sin(), angles.cos()], dim=-1)
