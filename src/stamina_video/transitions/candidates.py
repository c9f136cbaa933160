"""What pooling found in one observation: deduplicated candidates in their order of precedence."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from stamina_video.transitions.cosines import cosines

# C surviving candidates, Q pooling queries, J visual vectors, W their width


@dataclass(frozen=True, eq=False, slots=True)
class Candidates:
    """Survivors in order: visibility descending, then query index. The visible ones stand first."""

    features_CW: Tensor
    visibilities_C: Tensor
    visible_C: Tensor  # hard: above the threshold; soft losses use every survivor
    queries: tuple[int, ...]
    attention_CJ: Tensor  # detached: where each candidate looks

    @property
    def visible(self) -> int:
        return int(self.visible_C.sum())

    def looks_at(self, candidate: int, most: int = 8) -> list[int]:
        """The visual vectors with at least half the strongest attention, strongest first."""
        weights_J = self.attention_CJ[candidate].float().cpu().numpy()
        near = (weights_J >= weights_J.max() / 2).nonzero()[0]
        strongest: list[int] = near[(-weights_J[near]).argsort(kind="stable")][:most].tolist()
        return strongest


@torch.no_grad()
def surviving(features_QW: Tensor, visibilities_Q: Tensor, duplicate_cosine: float) -> list[int]:
    """Query indices in candidate order, without those too similar to an earlier survivor."""
    order = np.argsort(-visibilities_Q.float().cpu().numpy(), kind="stable")
    similar_QQ = (cosines(features_QW, features_QW) >= duplicate_cosine).cpu().numpy()[order][:, order]
    distinct_Q = np.ones(len(order), dtype=bool)
    kept: list[int] = []
    for position in range(len(order)):
        if distinct_Q[position]:
            kept.append(position)
            distinct_Q &= ~similar_QQ[position]
    survivors: list[int] = order[kept].tolist()
    return survivors
