"""Whether a thing now is one of a moment ago: a small trained reading of how two sights differ."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn

from stamina_video.backbone.perception.boxes import overlaps
from stamina_video.backbone.perception.percept import Floats

# K things now, S things before, F features

FEATURES = 10
MARKED = 16  # the last numbers of what a thing looks like are its mark
FARTHEST = 6.0  # in sizes of the two


@dataclass(frozen=True, slots=True, eq=False)
class Sights:
    """Things of one look, or what is kept of things of looks before."""

    boxes_K4: Floats
    scores_K: Floats
    names_KN: Floats  # shares of the names
    paints_K3: Floats
    features_KE: Floats
    moved_K2: Floats  # since the look before, by the flow in the box, as shares of the image

    def __len__(self) -> int:
        return len(self.boxes_K4)


class Links(Protocol):
    def links(self, now: Sights, before: Sights, missed_S: Floats, /) -> Floats:
        """Log odds that the one is the other: (K, S)."""
        ...


class Overlapping:
    """For eyes that were never trained: whatever overlaps, once the flow is undone, is the same."""

    def links(self, now: Sights, before: Sights, missed_S: Floats, /) -> Floats:
        del missed_S
        features_KSF = differences(now, before, np.zeros(len(before), np.float32))
        return np.asarray(8 * (features_KSF[..., :2].max(axis=-1) - 0.2), np.float32)


class Linker(nn.Module):
    def __init__(self, hidden: int = 24) -> None:
        super().__init__()
        self.read = nn.Sequential(nn.Linear(FEATURES, hidden), nn.GELU(), nn.Linear(hidden, 1))

    def forward(self, features_KSF: Tensor) -> Tensor:
        logits_KS: Tensor = self.read(features_KSF).squeeze(-1)
        return logits_KS

    @torch.no_grad()
    def links(self, now: Sights, before: Sights, missed_S: Floats, /) -> Floats:
        return np.asarray(
            self.forward(torch.from_numpy(differences(now, before, missed_S))).numpy(), np.float32
        )


def differences(now: Sights, before: Sights, missed_S: Floats) -> Floats:
    """(K, S, F): where, how large, how alike; `missed_S` is for how many looks each was not seen."""
    back_K4 = now.boxes_K4 - np.tile(now.moved_K2, 2)
    middle_K2, middle_S2 = ((boxes[:, :2] + boxes[:, 2:]) / 2 for boxes in (back_K4, before.boxes_K4))
    size_K, size_S = (
        np.sqrt(np.maximum(np.prod(boxes[:, 2:] - boxes[:, :2], axis=1), 1e-6))
        for boxes in (now.boxes_K4, before.boxes_K4)
    )
    far_KS = np.linalg.norm(middle_K2[:, None] - middle_S2, axis=-1) / np.sqrt(size_K[:, None] * size_S)
    shape = far_KS.shape
    parts = [
        overlaps(back_K4, before.boxes_K4),
        overlaps(now.boxes_K4, before.boxes_K4),
        np.minimum(far_KS, FARTHEST),
        np.abs(np.log(size_K[:, None] / size_S)),
        _cosines(now.features_KE, before.features_KE),
        _cosines(now.features_KE[:, -MARKED:], before.features_KE[:, -MARKED:]),
        np.sqrt(now.names_KN) @ np.sqrt(before.names_KN).T,
        np.minimum(np.linalg.norm(now.paints_K3[:, None] - before.paints_K3, axis=-1), FARTHEST),
        np.broadcast_to(np.minimum(now.scores_K[:, None], before.scores_K), shape),
        np.broadcast_to(missed_S, shape),
    ]
    return np.stack(parts, axis=-1).astype(np.float32)


def _cosines(one_KE: Floats, other_SE: Floats) -> Floats:
    lengths = (
        np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6) for vectors in (one_KE, other_SE)
    )
    first, second = lengths
    return np.asarray((one_KE / first) @ (other_SE / second).T, np.float32)
