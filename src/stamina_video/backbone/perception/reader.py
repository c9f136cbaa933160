"""Reads close-ups: whether something is there, of which taught kind, what it looks like. Knows no target."""

import torch
from torch import Tensor, nn
from torch.nn import functional

# K things, P cells on a patch's side, C channels of a patch, E features, O kinds

NARROW, WIDE = 64, 96
POOLED = 3  # cells on a side that are left in the end
FORGOTTEN = 0.2  # the share of features that a lesson must do without


class Reader(nn.Module):
    """Features of what a close-up shows, from the maps there and from what the spotter saw from afar."""

    middle_C: Tensor
    spread_C: Tensor

    def __init__(self, channels: int, seen: int, width: int, kinds: int) -> None:
        super().__init__()
        self.register_buffer("middle_C", torch.zeros(channels))
        self.register_buffer("spread_C", torch.ones(channels))
        self.enter = nn.Conv2d(channels, NARROW, 1)
        self.near = nn.Conv2d(NARROW, WIDE, 3, padding=1)
        self.wider = nn.Conv2d(WIDE, WIDE, 3, padding=1)
        self.norms = nn.ModuleList(nn.BatchNorm2d(width) for width in (NARROW, WIDE, WIDE))
        self.read = nn.Linear(WIDE * POOLED**2 + seen, width)
        self.kinds = nn.Linear(width, kinds)
        self.there = nn.Linear(width, 1)

    def forward(self, patches_KPPC: Tensor, seen_KX: Tensor) -> Tensor:
        """(K, E); `seen_KX` is what the spotter saw of each."""
        maps = ((patches_KPPC - self.middle_C) / self.spread_C).permute(0, 3, 1, 2)
        for layer, norm in zip((self.enter, self.near, self.wider), self.norms, strict=True):
            maps = functional.relu(norm(layer(maps)))
        pooled_KX = functional.adaptive_avg_pool2d(maps, POOLED).flatten(1)
        both_KX = torch.cat([pooled_KX, functional.layer_norm(seen_KX, seen_KX.shape[1:])], dim=1)
        features_KE: Tensor = functional.gelu(
            self.read(functional.dropout(both_KX, FORGOTTEN, self.training))
        )
        return features_KE

    def said(self, features_KE: Tensor) -> tuple[Tensor, Tensor]:
        """Log probabilities of the kinds, (K, O), and logits of being a thing at all."""
        return self.kinds(features_KE).log_softmax(-1), self.there(features_KE).squeeze(-1)
