"""What a thing may be called, and what colour it has: small trained readings of what was seen of it.

A name is judged by features that mean the same for every name (how much louder its class is than usual, and
than the other classes are; what the kinds say that were taught, and whether it is none of them), so that
names nothing was taught about are judged alike. How loud a class is as such is none of them: some never are.
Kinds were taught by drawn pictures, classes by photographs: which of them to trust depends on the picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from stamina_video.backbone.perception.linking import MARKED

# K things, V classes of the detector, O taught kinds, N names of the list, F features, C colour numbers

FEATURES = 21
QUIET = 1e-3  # score of a class that says nothing
# How seldom a class is as loud as it is measured to be, on things that it does not name.
SELDOM = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.004)
LEAST_STEP = 0.1  # between two loudnesses, in their logarithm: no class tells smaller ones apart
BEYOND = 3.0  # steps beyond the seldomest that count
FAINTEST = -7.0  # log probability of a kind, at least
CLOSE_WORTH = 0.5  # of a class score in a close-up, beside one from afar
SPOKEN = 0.3  # both together, from which the detector's word outweighs its silence


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What there is to judge K things by: seen from afar (in the whole picture) and in close-ups."""

    afar_KV: Tensor  # class scores of the detector
    close_KV: Tensor
    kinds_KO: Tensor  # log probabilities of the kinds that were taught and, last, of something else
    spotted_K: Tensor  # logits of being a thing, by the spotter …
    there_K: Tensor  # … and by who read the close-up
    crowding_K2: Tensor
    drawn_K: Tensor  # whether the picture is drawn (1) or filmed (0)

    def rows(self, rows: Tensor) -> "Evidence":
        return Evidence(*(getattr(self, name)[rows] for name in self.__slots__))


class Namer(nn.Module):
    """Logits of every name for every thing; the list ends with something and nothing."""

    usual_2VL: Tensor
    classes_N: Tensor
    kinds_N: Tensor
    kinds_V: Tensor

    def __init__(
        self, columns: Sequence[str], vocabulary: Sequence[str], kinds: Sequence[str], hidden: int = 64
    ) -> None:
        """`kinds` are the names that were taught and, last, something else; vocabulary is the detector's."""
        super().__init__()
        # How loud a class is so seldom without cause, measured: from afar and in close-ups.
        self.register_buffer("usual_2VL", torch.zeros(2, len(vocabulary), len(SELDOM)))
        self.register_buffer("classes_N", _places(columns, vocabulary))
        self.register_buffer("kinds_N", _places(columns, kinds))
        self.register_buffer("kinds_V", _places(vocabulary, kinds))
        self.judge = nn.Sequential(
            nn.Linear(FEATURES, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, 1)
        )

    def forward(self, seen: Evidence, is_taught_KO: Tensor | None = None) -> Tensor:
        logits_KN: Tensor = self.judge(self.features(seen, is_taught_KO)).squeeze(-1)
        return logits_KN

    def features(self, seen: Evidence, is_taught_KO: Tensor | None = None) -> Tensor:
        """(K, N, F).

        A name that was taught is judged by its kind; one that was not, by how little any taught kind fits
        and how loud its class is among those not taught. A part of a thing looks like it: how crowded a box
        is by surer ones tells the two apart.

        `is_taught_KO` is False where a kind is to be treated as if it had never been taught.
        """
        kinds_KO = seen.kinds_KO
        if is_taught_KO is None:
            is_taught_KO = torch.ones_like(kinds_KO, dtype=torch.bool)
        else:
            kinds_KO = kinds_KO.masked_fill(~is_taught_KO, -torch.inf).log_softmax(-1)
        kinds_KO = kinds_KO.clamp(min=FAINTEST)
        else_K1, taught_K1 = kinds_KO[:, -1:], kinds_KO[:, :-1].amax(1, keepdim=True)
        kind_N = self.kinds_N.clamp(min=0)
        is_taught_KN = (self.kinds_N >= 0) & is_taught_KO[:, kind_N]
        strange_KV = self._strange(is_taught_KO)
        named_KN = torch.ones_like(kinds_KO[:, :1]) * (self.classes_N >= 0)
        last = torch.eye(len(kind_N), device=kinds_KO.device)
        parts = [
            *self._heard(seen.afar_KV, self.usual_2VL[0], strange_KV, named_KN),
            *self._heard(seen.close_KV, self.usual_2VL[1], strange_KV, named_KN),
            named_KN,
            torch.where(is_taught_KN, kinds_KO[:, kind_N], else_K1) - FAINTEST,
            torch.where(is_taught_KN, _others(kinds_KO)[:, kind_N], taught_K1),
            is_taught_KN,
            *(one_K1.expand_as(named_KN) for one_K1 in (else_K1, taught_K1)),
            *(
                one_K[:, None].expand_as(named_KN)
                for one_K in (seen.spotted_K, seen.there_K, *seen.crowding_K2.unbind(1), seen.drawn_K)
            ),
            last[-2].expand_as(named_KN),
            last[-1].expand_as(named_KN),
        ]
        return torch.stack([part.to(kinds_KO) for part in parts], dim=-1)

    def heard(self, named_KN: Tensor, afar_KV: Tensor, close_KV: Tensor) -> Tensor:
        """Shares of names by the detector's own word, as far as it speaks; the rest as they were named.

        Whether a thing is there at all is not the detector's to say.
        """
        has_class_N, class_N = self.classes_N >= 0, self.classes_N.clamp(min=0)
        loud_KN = ((afar_KV + CLOSE_WORTH * close_KV)[:, class_N] * has_class_N).square()
        spoken_KN = loud_KN / (loud_KN.sum(1, keepdim=True) + SPOKEN**2)
        there_K1, unsaid_K1 = 1 - named_KN[:, -1:], 1 - spoken_KN.sum(1, keepdim=True)
        named_KN = named_KN[:, :-1]
        named_KN = spoken_KN[:, :-1] * there_K1 + unsaid_K1 * named_KN
        return torch.cat([named_KN, 1 - there_K1], dim=1)

    def _heard(
        self, scores_KV: Tensor, usual_VL: Tensor, strange_KV: Tensor, named_KN: Tensor
    ) -> tuple[Tensor, ...]:
        """(K, N) each: how surprising it is that the class of a name is so loud, how much more so than of all
        others, and of those of names that were not taught; and how loud all are together."""
        loud_KV = (scores_KV + QUIET).log()
        over_KV = surprise(loud_KV, usual_VL)
        quiet_KV = over_KV.masked_fill(~strange_KV, FAINTEST)
        class_N, has_class_N = self.classes_N.clamp(min=0), self.classes_N >= 0
        return (
            torch.where(has_class_N, over_KV[:, class_N], quiet_KV.amax(1, keepdim=True)),
            named_KN * (over_KV - _others(over_KV))[:, class_N],
            named_KN * (over_KV - _others(quiet_KV))[:, class_N],
            (loud_KV.exp().sum(1, keepdim=True).log() + 2).expand_as(named_KN),
        )

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


def surprise(loud_KV: Tensor, usual_VL: Tensor) -> Tensor:
    """Minus the logarithm of how seldom each class is this loud without cause; 0 where it often is."""
    worth_L = -torch.tensor(SELDOM).log().to(loud_KV).diff()
    steps_VL = usual_VL.diff(dim=1).clamp(min=LEAST_STEP)
    over_KVL = ((loud_KV[..., None] - usual_VL[:, :-1]) / steps_VL).clamp(min=0)
    most_L = torch.ones_like(worth_L)
    most_L[-1] = BEYOND
    return (torch.minimum(over_KVL, most_L) * worth_L).sum(-1)


def _places(columns: Sequence[str], among: Sequence[str]) -> Tensor:
    return torch.tensor([among.index(name) if name in among else -1 for name in columns])


def _others(values_KX: Tensor) -> Tensor:
    """The greatest of all others, for each."""
    best_K2, first_K2 = values_KX.topk(2, dim=1)
    is_best_KX = torch.zeros_like(values_KX, dtype=torch.bool).scatter(1, first_K2[:, :1], value=True)
    return torch.where(is_best_KX, best_K2[:, 1:], best_K2[:, :1])
