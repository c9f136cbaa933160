"""Finds things whatever they are called: a small trained head on the detector's maps. Knows no target.

The detector's classes are eighty, and it says little of what is none of them. Its maps know where something
is all the same; this head reads it from them, with the kinds it was taught.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from stamina_video.backbone.perception.boxes import keep_apart
from stamina_video.backbone.perception.percept import Floats

# B images, H × W cells of a level, C channels of a map, E features, O kinds, K things

FRAME = 448  # pixels on a side of what the detector looks at
FARTHEST = 6.0  # the logarithm of how many cells a side of a box may be away
SAME_THING = 0.55  # overlap over union
MOST = 18  # as many as two frames of close-ups hold
LOWEST = 0.2  # score of what may be a thing


@dataclass(frozen=True, slots=True)
class SpotterConfig:
    """What the head was taught to name, and its size; `levels` and `channels` are the detector's."""

    kinds: tuple[str, ...]
    width: int = 128
    channels: int = 112
    levels: int = 4


@dataclass(frozen=True, slots=True, eq=False)
class Spotted:
    """One level: logits of a thing with its middle in a cell, how many cells away its sides are, its kind."""

    things_BHW: Tensor
    sides_B4HW: Tensor  # left, top, right, bottom, all positive
    kinds_BOHW: Tensor
    features_BEHW: Tensor


@dataclass(frozen=True, slots=True, eq=False)
class Things:
    """K things of one image, best first; boxes are pixels of the frame."""

    boxes_K4: Floats
    scores_K: Floats
    kinds_KO: Floats  # log probabilities
    features_KE: Floats


class Spotter(nn.Module):
    def __init__(self, config: SpotterConfig) -> None:
        super().__init__()
        self.config = config
        width = config.width
        self.entry = nn.ModuleList(nn.Conv2d(config.channels, width, 1) for _ in range(config.levels))
        self.shared = nn.ModuleList(_Block(width, config.levels) for _ in range(2))
        self.what, self.where = (_Block(width, config.levels) for _ in range(2))
        self.things = nn.Conv2d(width, 1, 1)
        self.kinds = nn.Conv2d(width, len(config.kinds), 1)
        self.sides = nn.Conv2d(width, 4, 1)
        self.scales = nn.Parameter(torch.ones(config.levels))
        assert self.things.bias is not None, "a convolution has one unless told otherwise"
        nn.init.constant_(self.things.bias, -4.0)  # most cells show nothing

    def forward(self, maps: Sequence[Tensor]) -> list[Spotted]:
        spotted = []
        for level, (entry, one_BCHW) in enumerate(zip(self.entry, maps, strict=True)):
            shared_BEHW = functional.relu(entry(one_BCHW))
            for block in self.shared:
                shared_BEHW = block(shared_BEHW, level)
            what_BEHW = self.what(shared_BEHW, level)
            sides_B4HW = self.sides(self.where(shared_BEHW, level)) * self.scales[level]
            spotted.append(
                Spotted(
                    self.things(what_BEHW).squeeze(1),
                    sides_B4HW.clamp(-FARTHEST, FARTHEST).exp(),
                    self.kinds(what_BEHW),
                    what_BEHW,
                )
            )
        return spotted

    @torch.no_grad()
    def spot(self, maps: Sequence[Floats], lowest: float = LOWEST, most: int = MOST) -> Things:
        """The things of one image; of boxes that show the same thing the surest is kept."""
        inputs = [torch.from_numpy(one_HWC).permute(2, 0, 1)[None] for one_HWC in maps]
        levels = [_candidates(one, lowest) for one in self.forward(inputs)]
        boxes_K4, scores_K, kinds_KO, features_KE = (
            np.concatenate(parts) for parts in zip(*levels, strict=True)
        )
        order = np.argsort(-scores_K, kind="stable")
        kept = order[keep_apart(boxes_K4[order], most, SAME_THING)]
        return Things(boxes_K4[kept], scores_K[kept], kinds_KO[kept], features_KE[kept])


class _Block(nn.Module):
    """Looks at neighbours channel by channel, then mixes channels; levels share all but their statistics."""

    def __init__(self, width: int, levels: int) -> None:
        super().__init__()
        self.near = nn.Conv2d(width, width, 3, padding=1, groups=width, bias=False)
        self.mix = nn.Conv2d(width, width, 1, bias=False)
        self.norms = nn.ModuleList(nn.BatchNorm2d(width, affine=False) for _ in range(levels))
        self.scale, self.shift = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))

    def forward(self, maps_BEHW: Tensor, level: int) -> Tensor:
        even_BEHW = self.norms[level](self.mix(self.near(maps_BEHW)))
        return functional.relu(even_BEHW * self.scale[:, None, None] + self.shift[:, None, None])


def _candidates(level: Spotted, lowest: float) -> tuple[Floats, Floats, Floats, Floats]:
    scores_HW = level.things_BHW[0].sigmoid()
    rows, columns = (scores_HW > lowest).nonzero(as_tuple=True)
    cell = FRAME / scores_HW.shape[0]
    left, top, right, bottom = level.sides_B4HW[0][:, rows, columns] * cell
    x, y = (columns + 0.5) * cell, (rows + 0.5) * cell
    return (
        torch.stack([x - left, y - top, x + right, y + bottom], dim=1).numpy(),
        scores_HW[rows, columns].numpy(),
        level.kinds_BOHW[0][:, rows, columns].T.log_softmax(-1).numpy(),
        level.features_BEHW[0][:, rows, columns].T.numpy(),
    )
