"""How names are learned: what a thing is called, whether its kind was taught or not."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from stamina_video.backbone.names import NOTHING as NO_THING
from stamina_video.backbone.names import SOMETHING
from stamina_video.backbone.perception.finder import TrainedEyes
from stamina_video.backbone.perception.namer import QUIET, SELDOM, Evidence
from stamina_video.training.eyes.fitting import Report, fit
from stamina_video.training.eyes.glance import Glance
from stamina_video.training.eyes.things import NOTHING, Found
from stamina_video.training.recipe import Course

# M things of all glances, B of a batch, V classes, O kinds, N names

BLURRED = 0.15  # the share of things whose kind is seen dimly: their classes must tell them
STRANGE = 0.5  # the share of things of taught kinds that are named as if their kind had not been taught,
NAMELESS = 0.15  # and of these, the share whose class is silent, too: something without a name
UNTOLD = (
    0.4  # the share of other things with a name that seem to be of a taught kind: nobody said they are not
)
FILMED = 0.35  # the share of real things in a batch, where there are some


@dataclass(frozen=True, eq=False, slots=True)
class Named:
    """Things whose name is known, or that are nothing."""

    seen: Evidence
    names_M: Tensor
    is_real_M: Tensor

    @classmethod
    def of(
        cls,
        eyes: TrainedEyes,
        glances: Sequence[Glance],
        things: Sequence[Found],
        judged: Sequence[Evidence],
        staged: int,
    ) -> "Named":
        """The first `staged` glances are of scenes."""
        nothing = eyes.config.columns.index(NO_THING)
        names = [
            np.where(
                one.there_K == NOTHING,
                nothing,
                np.append(glance.told.names_K, -1)[np.maximum(one.there_K, -1)],
            )
            for glance, one in zip(glances, things, strict=True)
        ]
        names_M = torch.from_numpy(np.concatenate(names))
        # What is unclear has no name.
        names_M[torch.from_numpy(np.concatenate([one.there_K for one in things])) < NOTHING] = -1
        everything = Evidence(
            *(torch.cat([getattr(one, name) for one in judged]) for name in Evidence.__slots__)
        )
        lengths = torch.tensor([len(one) for one in things])
        is_real_M = (torch.arange(len(things)) >= staged).repeat_interleave(lengths)
        known = (names_M >= 0).nonzero().squeeze(-1)
        return cls(everything.rows(known), names_M[known], is_real_M[known])

    def usual(self, classes_N: Tensor, nothing: int) -> Tensor:
        """(2, V, L): how loud each class of the detector is so seldom on drawn things of other names."""
        things_M = ~self.is_real_M & (self.names_M != nothing)
        own_M = classes_N[self.names_M]
        levels_L = 1 - torch.tensor(SELDOM)
        parts = []
        for scores_MV in (self.seen.afar_KV, self.seen.close_KV):
            loud_MV = (scores_MV + QUIET).log()
            others = [loud_MV[things_M & (own_M != place), place] for place in range(loud_MV.shape[1])]
            parts.append(torch.stack([loud_M.quantile(levels_L) for loud_M in others]))
        return torch.stack(parts)

    def weights(self, names: int) -> Tensor:
        """Every name as often as its root: rare ones would never be learned, common ones forgotten."""
        often_N = torch.bincount(self.names_M, minlength=names).clamp(min=1)
        weight_M = often_N[self.names_M].double().rsqrt()
        for part, share in ((self.is_real_M, FILMED), (~self.is_real_M, 1 - FILMED)):
            weight_M[part] *= share / weight_M[part].sum().clamp(min=1e-12)
        return weight_M


def learn_names(eyes: TrainedEyes, named: Named, course: Course, report: Report) -> None:
    namer, columns = eyes.namer, eyes.config.columns
    weight_M = named.weights(len(columns))
    kinds_N, classes_N = namer.kinds_N, namer.classes_N
    something, other = columns.index(SOMETHING), len(eyes.config.spotter.kinds) - 1
    namer.usual_2VL.copy_(named.usual(classes_N, columns.index(NO_THING)))

    def loss() -> Tensor:
        rows_B = torch.multinomial(weight_M, course.batch, replacement=True)
        seen, names_B = named.seen.rows(rows_B), named.names_M[rows_B].clone()
        is_taught_BO = torch.ones_like(seen.kinds_KO, dtype=torch.bool)
        own_B, has_class_B = kinds_N[names_B], classes_N[names_B] >= 0
        strange_B = (own_B >= 0) & (own_B < other) & (torch.rand(len(rows_B)) < STRANGE)
        is_taught_BO[strange_B, own_B[strange_B]] = False
        untold_B = (own_B < 0) & has_class_B & (torch.rand(len(rows_B)) < UNTOLD)
        is_taught_BO[untold_B, other] = False
        nameless_B = strange_B & (~has_class_B | (torch.rand(len(rows_B)) < NAMELESS))
        silent_B = nameless_B & has_class_B
        for scores_BV in (seen.afar_KV, seen.close_KV):  # rows are copies
            scores_BV[silent_B, classes_N[names_B[silent_B]]] = 0.0
        names_B[nameless_B] = something
        seen = replace(seen, kinds_KO=_blurred(seen.kinds_KO))
        return functional.cross_entropy(namer(seen, is_taught_BO), names_B)

    fit(namer, course, loss, "learning names", report)


def _blurred(kinds_BO: Tensor) -> Tensor:
    """Some as if one could hardly tell: part of what is sure goes to all kinds alike."""
    dim_B1 = (torch.rand(len(kinds_BO), 1) < BLURRED) * (0.5 + 0.5 * torch.rand(len(kinds_BO), 1))
    return ((1 - dim_B1) * kinds_BO.exp() + dim_B1 / kinds_BO.shape[1]).clamp(min=1e-6).log()
