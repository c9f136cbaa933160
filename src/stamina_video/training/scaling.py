"""Brings what the event head reads to one scale, measured on what the model sees before it learns.

The mean state of an observation hardly changes while a scene lasts, and what changes is what events are
made of. Through the inverse square root of its covariance a hand that moves is as loud as a wall that stands.
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from stamina_video.backbone import CompactBackbone
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput
from stamina_video.training.sample import Sample
from stamina_video.training.whole import watch
from stamina_video.transitions.scorer import EdgeScorer

# T observations, W width of a state, H hidden width

STANDING = 0.15  # of the differences between scenes, beside those within one
LEAST = 1e-4  # of the largest variance: below, a direction is noise
LONGEST = 48  # observations of a scene
MEASURED = 24  # samples: a few of every family


def scale_events(model: Model, samples: Sequence[Sample], seed: int) -> None:
    """Sets the weights of the head's visual side in place; events of increments have none to set."""
    backbone, events = model.backbone, model.heads.events
    if not isinstance(backbone, CompactBackbone):
        raise InvalidInput(f"expected a compact model to scale, got {model.name!r}")
    if not isinstance(events, EdgeScorer):
        return
    with torch.no_grad():
        means = [watch(backbone, sample.read()[:LONGEST]).mean_TF for sample in samples[:MEASURED]]
        centre_W, even_WW = _evened(means)
        hidden, width = events.context.from_input.out_features, len(centre_W)
        generator = torch.Generator().manual_seed(seed)
        drawn_HW = torch.randn(hidden, width, generator=generator) / math.sqrt(width) @ even_WW
        weight_HI = events.context.from_input.weight
        weight_HI[:, :width] = drawn_HW
        weight_HI[:, width:] = 0.0  # a global stream reads the mean twice
        events.from_role.bias.sub_(drawn_HW @ centre_W)


def _evened(means: list[Tensor]) -> tuple[Tensor, Tensor]:
    """The middle of all states, and what makes their changes equally loud in every direction."""
    every_TW = torch.cat(means)
    centre_W = every_TW.mean(0)
    moved_TW = torch.cat([scene_TW - scene_TW.mean(0) for scene_TW in means])
    stood_TW = every_TW - centre_W
    spread_WW = (moved_TW.T @ moved_TW + STANDING * stood_TW.T @ stood_TW) / len(every_TW)
    variances_W, directions_WW = torch.linalg.eigh(spread_WW)
    scale_W = (variances_W + LEAST * variances_W.max()).rsqrt()
    return centre_W, directions_WW @ torch.diag(scale_W) @ directions_WW.T
