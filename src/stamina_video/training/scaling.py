"""Brings what the event head reads to one scale, measured on what the model sees before it learns.

The mean state of an observation hardly changes while a scene lasts, and what changes is what events are
made of. Through the inverse square root of its covariance a hand that moves is as loud as a wall that stands.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from stamina_video.backbone import CompactBackbone
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput
from stamina_video.training.sample import Sample
from stamina_video.training.whole import watch
from stamina_video.transitions import Heads
from stamina_video.transitions.context import Evening

# T observations, W width of a state

STANDING = 0.15  # of the differences between scenes, beside those within one
LEAST = 1e-4  # of the largest variance: below, a direction is noise
LONGEST = 48  # observations of a scene
MEASURED = 48  # samples: a few of every family


def scale_events(model: Model, samples: Sequence[Sample]) -> None:
    """Measures the event head's scale and sets it in place."""
    backbone, evening = model.backbone, model.heads.events.context.evening
    if not isinstance(backbone, CompactBackbone):
        raise InvalidInput(f"expected a compact model to scale, got {model.name!r}")
    if not isinstance(evening, Evening):
        raise InvalidInput("expected heads with a measured scale, got heads without")
    with torch.no_grad():
        means = [watch(backbone, sample.read()[:LONGEST]).mean_TF for sample in _spread(samples)]
        centre_W, even_WW = _evened(means)
        evening.centre_W.copy_(centre_W)
        evening.even_WW.copy_(even_WW)
        # A global stream reads the mean twice.
        model.heads.events.context.from_input.weight[:, len(centre_W) :] = 0.0


@torch.no_grad()
def silence_mean(model: Model) -> None:
    """Whoever learns without ever seeing would keep what chance says of the mean: let it say nothing."""
    model.heads.events.context.from_input.weight.zero_()


def evened(model: Model) -> Model:
    """The same model with heads of its own that have a place for a measured scale."""
    heads = Heads(replace(model.heads.config, evened=True)).eval()
    heads.load_state_dict(model.heads.state_dict(), strict=False)  # copies; a scale may not be there yet
    return replace(model, heads=heads)


def _spread(samples: Sequence[Sample]) -> Sequence[Sample]:
    """A few of all. Families take turns, so a step that shares no factor with their number meets each."""
    families = len({sample.family for sample in samples})
    step = max(1, len(samples) // MEASURED)
    while math.gcd(step, families) > 1:
        step += 1
    return samples[::step][:MEASURED]


def _evened(means: list[Tensor]) -> tuple[Tensor, Tensor]:
    """The middle of all states, and what makes their changes equally loud in every direction."""
    every_TW = torch.cat(means)
    centre_W = every_TW.mean(0)
    moved_TW = torch.cat([scene_TW - scene_TW.mean(0) for scene_TW in means])
    stood_TW = every_TW - centre_W
    spread_WW = (moved_TW.T @ moved_TW + STANDING * stood_TW.T @ stood_TW) / len(every_TW)
    # In single precision a spread of few observations can come apart into no numbers at all.
    variances_W, directions_WW = torch.linalg.eigh(spread_WW.double())
    scale_W = (variances_W.clamp(min=0) + LEAST * variances_W.max()).rsqrt()
    even_WW = directions_WW @ torch.diag(scale_W) @ directions_WW.T
    return centre_W, even_WW.to(centre_W)
