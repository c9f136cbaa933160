"""How close-ups are learned to be read, and pictures to be told apart: drawn or filmed."""

import math
from collections.abc import Collection, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from stamina_video.backbone.perception.finder import TrainedEyes, look_of
from stamina_video.backbone.perception.percept import Floats
from stamina_video.training.eyes.fitting import Report, fit
from stamina_video.training.eyes.glance import Glance
from stamina_video.training.eyes.spotting import kind_of
from stamina_video.training.eyes.things import NOTHING, UNCLEAR, Found
from stamina_video.training.recipe import Course

# M things of all glances, B of a batch

TOLD = 0.6  # the share of things in a batch; the rest is nothing
FILMED = 0.3  # the share of a batch that goes to clips, where there are some
SMOOTH = 0.05  # of the kinds: nobody is quite sure
MEASURED = 500  # close-ups that say how channels are spread
TELLING = Course(300, 256, 1e-2)
SHRUNK = 0.1  # of what looks of one kind have in common
LEAST_SPREAD = 1e-6


def learn_drawn(eyes: TrainedEyes, staged: Sequence[Glance], real: Sequence[Glance], report: Report) -> None:
    """Without clips nobody can tell: every picture may be either."""
    with torch.no_grad():
        for line in (eyes.drawn, eyes.filmed):
            line.weight.zero_()
            line.bias.zero_()
    if not real:
        return
    drawn_MX, filmed_MX = (np.stack([look_of(glance.sight) for glance in part]) for part in (staged, real))
    with torch.no_grad():
        weight_X, bias = parted(filmed_MX, drawn_MX)
        eyes.filmed.weight.copy_(torch.from_numpy(weight_X))
        eyes.filmed.bias.fill_(bias)
    means_MX = torch.from_numpy(np.concatenate([drawn_MX, filmed_MX])[:, : eyes.config.fields])
    means_MX = means_MX - eyes.middle_look
    is_drawn_M = (torch.arange(len(means_MX)) < len(staged)).float()

    def loss() -> Tensor:
        half = TELLING.batch // 2
        rows_B = torch.cat(
            [torch.randint(len(staged), (half,)), len(staged) + torch.randint(len(real), (half,))]
        )
        logits_B = eyes.drawn(means_MX[rows_B]).squeeze(-1)
        return functional.binary_cross_entropy_with_logits(logits_B, is_drawn_M[rows_B])

    fit(eyes.drawn, TELLING, loss, "telling drawn from filmed", report)


def parted(these_MX: Floats, others_MX: Floats) -> tuple[Floats, float]:
    """Fisher's line between two kinds of looks: a logit, positive of the first.

    Few videos are filmed, and a line that is learned step by step tells them by heart; so each number
    counts in its own spread, and what they have in common is shrunk towards nothing.
    """
    parts = (these_MX.astype(np.float64), others_MX.astype(np.float64))
    means = [part_MX.mean(0) for part_MX in parts]
    from_middle = [((part_MX - means[1]) ** 2).mean(0) for part_MX in parts]
    spread_X = np.sqrt(from_middle[0] + from_middle[1]) + LEAST_SPREAD
    own_MX = np.concatenate(
        [
            (part_MX - mean_X) / spread_X / math.sqrt(2 * len(part_MX))
            for part_MX, mean_X in zip(parts, means, strict=True)
        ]
    )
    within_XX = own_MX.T @ own_MX
    even = np.trace(within_XX) / len(within_XX)
    within_XX = (1 - SHRUNK) * within_XX + SHRUNK * even * np.eye(len(within_XX))
    weight_X = np.linalg.solve(within_XX, (means[0] - means[1]) / spread_X) / spread_X
    return np.asarray(weight_X, np.float32), float(-weight_X @ (means[0] + means[1]) / 2)


def learn_to_read(
    eyes: TrainedEyes,
    glances: Sequence[Glance],
    things: Sequence[Found],
    staged: int,
    kinds: Sequence[int],
    spared: Collection[int],
    course: Course,
    report: Report,
) -> None:
    """The first `staged` glances are of scenes. Of names that are `spared` no kind is said."""
    patches_MPPC = np.concatenate([one.seen.patches_KPPC for one in things if len(one)])
    features_ME = np.concatenate([one.seen.features_KE for one in things if len(one)])
    there_M = np.concatenate([one.there_K for one in things])
    names = [
        np.append(glance.told.names_K, -1)[np.maximum(one.there_K, -1)]
        for glance, one in zip(glances, things, strict=True)
    ]
    kinds_M = torch.tensor([kind_of(name, kinds, spared) for name in np.concatenate(names).tolist()])
    is_real_M = np.repeat(np.arange(len(things)) >= staged, [len(one) for one in things])
    weight_M = _weights(kinds_M.numpy(), there_M, is_real_M)
    reader = eyes.reader.train()
    some_XC = patches_MPPC[:: max(1, len(patches_MPPC) // MEASURED)].reshape(-1, patches_MPPC.shape[-1])
    sample_XC = torch.from_numpy(some_XC.astype(np.float32))
    reader.middle_C.copy_(sample_XC.mean(0))
    reader.spread_C.copy_(sample_XC.std(0).clamp(min=1e-3))

    def loss() -> Tensor:
        rows_B = torch.multinomial(weight_M, course.batch, replacement=True).numpy()
        patches_BPPC = torch.from_numpy(patches_MPPC[rows_B].astype(np.float32))
        if torch.rand(()) < 0.5:  # in a mirror
            patches_BPPC = patches_BPPC.flip(2)
        features_BE = reader(patches_BPPC, torch.from_numpy(features_ME[rows_B]))
        kinds_BO, there_B = reader.said(features_BE)
        is_there_B = torch.from_numpy((there_M[rows_B] >= 0).astype(np.float32))
        error = functional.binary_cross_entropy_with_logits(there_B, is_there_B)
        own_B = kinds_M[rows_B]
        told_B = own_B >= 0
        if told_B.any():
            error = error + functional.cross_entropy(kinds_BO[told_B], own_B[told_B], label_smoothing=SMOOTH)
        return error

    fit(reader, course, loss, "learning to read close-ups", report)
    reader.eval()


def _weights(kinds_M: NDArray[np.int64], there_M: NDArray[np.int64], is_real_M: NDArray[np.bool_]) -> Tensor:
    """How often each thing is shown: kinds by their roots, real things and nothing in fixed shares."""
    often = np.bincount(kinds_M + 1, minlength=1)
    weight_M = 1 / np.sqrt(often[kinds_M + 1])
    weight_M[there_M == UNCLEAR] = 0.0
    for is_real in (False, True):
        for is_nothing in (False, True):
            part = (is_real_M == is_real) & ((there_M == NOTHING) == is_nothing)
            share = (FILMED if is_real else 1 - FILMED) * (1 - TOLD if is_nothing else TOLD)
            weight_M[part] *= share / max(weight_M[part].sum(), 1e-12)
    return torch.from_numpy(weight_M)
