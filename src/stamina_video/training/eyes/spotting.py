"""What teaches a spotter: which cells of which level show the middle of a thing, and how well it said so."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from stamina_video.backbone.perception.percept import Floats
from stamina_video.backbone.perception.spotter import FRAME, Spotted
from stamina_video.training.eyes.glance import Glance

# B images, H × W cells, K things, P cells that show one

# A level has things whose longer side is within these pixels of the frame; neighbours may have it, too.
SIZES = ((0, 48), (48, 112), (112, 224), (224, 2 * FRAME))
NEAR_SIZE = 1.25
FOCUS = 2.0  # how soon what is learned is left alone
SHOWN, EMPTY = 0.6, 0.4  # how much cells that show a thing, and cells that do not, count
THINGS, KINDS = 4.0, 0.3  # beside the boxes


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """One level of one image, or of several put together."""

    shown_HW: Tensor
    unsure_HW: Tensor
    sides_HW4: Tensor
    kinds_HW: Tensor


def lessons(glance: Glance, kinds: Sequence[int], spared: Collection[int] = ()) -> tuple[Lesson, ...]:
    """For every level; `kinds` are the columns of the list of names that are taught, all others are one kind.

    Of those `spared` nothing is said but where they are.
    """
    boxes_K4 = glance.told.boxes_K4 * np.tile(glance.sight.filled_2, 2) * FRAME
    kinds_K = np.array([kind_of(name, kinds, spared) for name in glance.told.names_K.tolist()], np.int64)
    cells = [len(one_HWC) for one_HWC in glance.sight.maps]
    return tuple(
        _lesson(boxes_K4, glance.told.sure_K, kinds_K, side, sizes)
        for side, sizes in zip(cells, SIZES, strict=True)
    )


def kind_of(name: int, kinds: Sequence[int], spared: Collection[int]) -> int:
    """The place among the kinds, the last of which is all others; −1 where none is to be said."""
    if name < 0 or name in spared:
        return -1
    return kinds.index(name) if name in kinds else len(kinds)


def _lesson(
    boxes_K4: Floats,
    sure_K: NDArray[np.bool_],
    kinds_K: NDArray[np.int64],
    side: int,
    sizes: tuple[int, int],
) -> Lesson:
    """Unsure things teach nothing, neither way."""
    cell = FRAME / side
    middles = (np.arange(side) + 0.5) * cell
    x_HW, y_HW = np.meshgrid(middles, middles)
    is_shown, unsure = np.zeros((side, side), bool), np.zeros((side, side), bool)
    sides, kinds = np.zeros((side, side, 4), np.float32), np.full((side, side), -1)
    # Small things last: where two share a cell, the smaller one is seen in front.
    order = np.argsort(-np.prod(boxes_K4[:, 2:] - boxes_K4[:, :2], axis=1), kind="stable")
    for place in order:
        left, top, right, bottom = boxes_K4[place]
        width, height = right - left, bottom - top
        near = (np.abs(x_HW - (left + right) / 2) <= min(cell, max(width, cell) / 2)) & (
            np.abs(y_HW - (top + bottom) / 2) <= min(cell, max(height, cell) / 2)
        )
        size = max(width, height)
        if not sure_K[place]:
            unsure |= near
        elif sizes[0] <= size < sizes[1]:
            is_shown |= near
            sides[near] = np.stack([x_HW - left, y_HW - top, right - x_HW, bottom - y_HW], -1)[near] / cell
            kinds[near] = kinds_K[place]
        elif sizes[0] / NEAR_SIZE <= size < sizes[1] * NEAR_SIZE:
            unsure |= near
    return Lesson(*map(torch.from_numpy, (is_shown, unsure & ~is_shown, sides, kinds)))


def together(images: Sequence[Sequence[Lesson]]) -> list[Lesson]:
    """The lessons of several images, level by level."""
    return [
        Lesson(*(torch.stack([getattr(one, name) for one in level]) for name in Lesson.__slots__))
        for level in zip(*images, strict=True)
    ]


def spotting_loss(spotted: Sequence[Spotted], taught: Sequence[Lesson]) -> Tensor:
    """Focal cross-entropy of things, generalised overlap of boxes, cross-entropy of kinds, per cell shown."""
    things, boxes, kinds, many = [], [], [], 0
    for level, lesson in zip(spotted, taught, strict=True):
        shown_BHW = lesson.shown_HW
        things.append(_focal(level.things_BHW, shown_BHW)[~lesson.unsure_HW].sum())
        many += int(shown_BHW.sum())
        sides_P4 = level.sides_B4HW.permute(0, 2, 3, 1)[shown_BHW]
        boxes.append((1 - _overlap(sides_P4, lesson.sides_HW4[shown_BHW])).sum())
        is_named_P = lesson.kinds_HW[shown_BHW] >= 0
        logits_PO = level.kinds_BOHW.permute(0, 2, 3, 1)[shown_BHW][is_named_P]
        kinds.append(
            functional.cross_entropy(logits_PO, lesson.kinds_HW[shown_BHW][is_named_P], reduction="sum")
        )
    total = THINGS * torch.stack(things).sum() + torch.stack(boxes).sum() + KINDS * torch.stack(kinds).sum()
    return total / max(many, 1)


def _focal(logits: Tensor, shown: Tensor) -> Tensor:
    probability = logits.detach().sigmoid()
    weight = torch.where(shown, SHOWN * (1 - probability) ** FOCUS, EMPTY * probability**FOCUS)
    return weight * functional.binary_cross_entropy_with_logits(logits, shown.to(logits), reduction="none")


def _overlap(sides_P4: Tensor, true_P4: Tensor) -> Tensor:
    """Generalised overlap over union of boxes around the same point."""
    near_P4, far_P4 = torch.minimum(sides_P4, true_P4), torch.maximum(sides_P4, true_P4)
    shared_P, hull_P = _area(near_P4), _area(far_P4)
    union_P = _area(sides_P4) + _area(true_P4) - shared_P
    return shared_P / union_P.clamp(min=1e-6) - (hull_P - union_P) / hull_P.clamp(min=1e-6)


def _area(sides_P4: Tensor) -> Tensor:
    return (sides_P4[:, 0] + sides_P4[:, 2]) * (sides_P4[:, 1] + sides_P4[:, 3])
