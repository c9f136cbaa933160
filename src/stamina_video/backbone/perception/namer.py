"""What a thing may be called, and what colour it has: small trained readings of what was seen of it.

A name is judged by features that mean the same for every name (how much louder its class is than usual, and
than the other classes are; what the kinds say that were taught, and whether it is none of them), so that
names nothing was taught about are judged alike. How loud a class is as such is none of them: some never are.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from stamina_video.backbone.perception.linking import MARKED

# K things, V classes of the detector, O taught kinds, N names of the list, F features, C colour numbers

FEATURES = 15
QUIET = 1e-3  # score of a class that says nothing
FAINTEST = -7.0  # log probability of a kind, at least


class Namer(nn.Module):
    """Logits of every name for every thing; the list ends with something and nothing."""

    usual_V: Tensor
    classes_N: Tensor
    kinds_N: Tensor
    kinds_V: Tensor

    def __init__(
        self, columns: Sequence[str], vocabulary: Sequence[str], kinds: Sequence[str], hidden: int = 64
    ) -> None:
        """`kinds` are the names that were taught and, last, something else; vocabulary is the detector's."""
        super().__init__()
        self.register_buffer("usual_V", torch.zeros(len(vocabulary)))  # how loud a class often is, measured
        self.register_buffer("classes_N", _places(columns, vocabulary))
        self.register_buffer("kinds_N", _places(columns, kinds))
        self.register_buffer("kinds_V", _places(vocabulary, kinds))
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

        A name that was taught is judged by its kind; one that was not, by how little any taught kind fits
        and how loud its class is among those not taught. A part of a thing looks like it: how crowded a box
        is by surer ones tells the two apart.

        `is_taught_KO` is False where a kind is to be treated as if it had never been taught.
        """
        loud_KV = (scores_KV + QUIET).log()
        over_KV = loud_KV - self.usual_V
        if is_taught_KO is None:
            is_taught_KO = torch.ones_like(kinds_KO, dtype=torch.bool)
        else:
            kinds_KO = kinds_KO.masked_fill(~is_taught_KO, -torch.inf).log_softmax(-1)
        strange_KV = over_KV.masked_fill(~self._strange(is_taught_KO), FAINTEST)
        all_K1 = loud_KV.exp().sum(1, keepdim=True).log()
        kinds_KO = kinds_KO.clamp(min=FAINTEST)
        else_K1, taught_K1 = kinds_KO[:, -1:], kinds_KO[:, :-1].amax(1, keepdim=True)
        class_N, kind_N = self.classes_N.clamp(min=0), self.kinds_N.clamp(min=0)
        has_class_N, is_taught_KN = self.classes_N >= 0, (self.kinds_N >= 0) & is_taught_KO[:, kind_N]
        named_KN = torch.ones_like(loud_KV[:, :1]) * has_class_N
        strangest_K1 = strange_KV.amax(1, keepdim=True)
        last = torch.eye(len(class_N), device=loud_KV.device)
        parts = [
            torch.where(has_class_N, over_KV[:, class_N], strangest_K1),
            named_KN * (over_KV - _others(over_KV))[:, class_N],
            named_KN * (over_KV - _others(strange_KV))[:, class_N],
            named_KN,
            torch.where(is_taught_KN, kinds_KO[:, kind_N], else_K1) - FAINTEST,
            torch.where(is_taught_KN, _others(kinds_KO)[:, kind_N], taught_K1),
            is_taught_KN,
            else_K1.expand_as(named_KN),
            taught_K1.expand_as(named_KN),
            things_K[:, None].expand_as(named_KN),
            all_K1.expand_as(named_KN) + 2,
            *(one_K[:, None].expand_as(named_KN) for one_K in crowding_K2.unbind(1)),
            last[-2].expand_as(named_KN),
            last[-1].expand_as(named_KN),
        ]
        return torch.stack([part.to(loud_KV) for part in parts], dim=-1)

    def _strange(self, is_taught_KO: Tensor) -> Tensor:
        """(K, V): which classes name nothing that was taught."""
        taught_KV = is_taught_KO[:, self.kinds_V.clamp(min=0)] & (self.kinds_V >= 0)
        return ~taught_KV


class Marker(nn.Module):
    """A mark by which one and the same thing is known again: of unit length, near for the same one."""

    def __init__(self, features: int, colours: int, hidden: int = 96) -> None:
        super().__init__()
        self.read = nn.Sequential(nn.Linear(features + colours, hidden), nn.GELU(), nn.Linear(hidden, MARKED))

    def forward(self, features_KE: Tensor, colours_KC: Tensor) -> Tensor:
        both_KX = torch.cat(
            [functional.layer_norm(features_KE, features_KE.shape[1:]), 3 * colours_KC], dim=1
        )
        return functional.normalize(self.read(both_KX), dim=1)


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
