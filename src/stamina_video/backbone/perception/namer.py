"""What a thing may be called, and what colour it has: small trained readings of what was seen of it.

A name is judged by features that mean the same for every name (how much louder its class is than usual, and
than the other classes are; what the kinds say that were taught), so that names nothing was taught about are
judged alike. How loud a class is as such is none of them: some never are.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

# K things, V classes of the detector, O taught kinds, N names of the list, F features, C colour numbers

FEATURES = 12
QUIET = 1e-3  # score of a class that says nothing
FAINTEST = -7.0  # log probability of a kind, at least


class Namer(nn.Module):
    """Logits of every name for every thing; the list ends with something and nothing."""

    usual_V: Tensor
    classes_N: Tensor
    kinds_N: Tensor

    def __init__(
        self, columns: Sequence[str], vocabulary: Sequence[str], kinds: Sequence[str], hidden: int = 48
    ) -> None:
        """`kinds` are the names that were taught, in the spotter's order; vocabulary is the detector's."""
        super().__init__()
        self.register_buffer("usual_V", torch.zeros(len(vocabulary)))  # how loud a class often is, measured
        self.register_buffer("classes_N", _places(columns, vocabulary))
        self.register_buffer("kinds_N", _places(columns, kinds))
        self.judge = nn.Sequential(
            nn.Linear(FEATURES, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, 1)
        )

    def forward(
        self,
        scores_KV: Tensor,
        kinds_KO: Tensor,
        things_K: Tensor,
        crowding_K2: Tensor,
        is_taught_KO: Tensor | None = None,
    ) -> Tensor:
        features_KNF = self.features(scores_KV, kinds_KO, things_K, crowding_K2, is_taught_KO)
        logits_KN: Tensor = self.judge(features_KNF).squeeze(-1)
        return logits_KN

    def features(
        self,
        scores_KV: Tensor,
        kinds_KO: Tensor,
        things_K: Tensor,
        crowding_K2: Tensor,
        is_taught_KO: Tensor | None = None,
    ) -> Tensor:
        """(K, N, F) from class scores, log probabilities of kinds and logits of being a thing.

        A part of a thing looks like it: how crowded a box is by surer ones tells the two apart.

        `is_taught_KO` is False where a kind is to be treated as if it had never been taught.
        """
        loud_KV = (scores_KV + QUIET).log()
        over_KV = loud_KV - self.usual_V
        all_K1 = loud_KV.exp().sum(1, keepdim=True).log()
        kinds_KO = kinds_KO.clamp(min=FAINTEST)
        has_class_N, has_kind_N = self.classes_N >= 0, self.kinds_N >= 0
        class_N, kind_N = self.classes_N.clamp(min=0), self.kinds_N.clamp(min=0)
        named_KN = torch.ones_like(loud_KV[:, :1]) * has_class_N
        taught_KN = torch.ones_like(loud_KV[:, :1]) * has_kind_N
        if is_taught_KO is not None:
            kinds_KO = kinds_KO.masked_fill(~is_taught_KO, -torch.inf).log_softmax(-1).clamp(min=FAINTEST)
            taught_KN = taught_KN * is_taught_KO[:, kind_N]
        last = torch.eye(len(class_N), device=loud_KV.device)
        parts = [
            torch.where(has_class_N, over_KV[:, class_N], over_KV.amax(1, keepdim=True)),
            named_KN * (over_KV - _others(over_KV))[:, class_N],
            named_KN,
            taught_KN * (kinds_KO[:, kind_N] - FAINTEST),
            taught_KN,
            torch.where(taught_KN > 0, _others(kinds_KO)[:, kind_N], kinds_KO.amax(1, keepdim=True)),
            things_K[:, None].expand_as(named_KN),
            all_K1.expand_as(named_KN) + 2,
            *(one_K[:, None].expand_as(named_KN) for one_K in crowding_K2.unbind(1)),
            last[-2].expand_as(named_KN),
            last[-1].expand_as(named_KN),
        ]
        return torch.stack(parts, dim=-1)


class Painter(nn.Module):
    """The colour a thing was painted in, whatever the light: a point of Lab, from the colours in its box."""

    def __init__(self, colours: int, kinds: int, hidden: int = 96) -> None:
        super().__init__()
        self.read = nn.Sequential(
            nn.Linear(colours + kinds, hidden),
            nn.GELU(),
            nn.Linear(hidden, hidden),
            nn.GELU(),
            nn.Linear(hidden, 3),
        )

    def forward(self, colours_KC: Tensor, kinds_KO: Tensor) -> Tensor:
        """In units of Lab over `UNIT`."""
        lab_K3: Tensor = self.read(torch.cat([colours_KC, kinds_KO.exp()], dim=1))
        return lab_K3


def _places(columns: Sequence[str], among: Sequence[str]) -> Tensor:
    return torch.tensor([among.index(name) if name in among else -1 for name in columns])


def _others(values_KX: Tensor) -> Tensor:
    """The greatest of all others, for each."""
    best_K2, first_K2 = values_KX.topk(2, dim=1)
    is_best_KX = torch.zeros_like(values_KX, dtype=torch.bool).scatter(1, first_K2[:, :1], value=True)
    return torch.where(is_best_KX, best_K2[:, 1:], best_K2[:, :1])
