"""Events read over and over from what a decoder at rest has seen: its states are computed once and kept."""

import torch
from torch import Tensor

from stamina_video.backbone import CompactBackbone
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput
from stamina_video.training.sample import Sample
from stamina_video.training.whole import Means, event_terms, watch
from stamina_video.transitions import Heads, LossTerms

EVENTS = "heads.events."  # the parameters that learn


class Reader:
    """The objective of the stage; the means of a sample are kept under its name."""

    def __init__(self, mean: bool = False) -> None:
        self._mean = mean
        self._kept: dict[str, Means] = {}

    def __call__(self, model: Model, sample: Sample) -> LossTerms:
        if not any(lesson.target.operator.is_event for lesson in sample.lessons):
            return LossTerms()
        return event_terms(model, self._means(model, sample), sample, self._mean)

    def _means(self, model: Model, sample: Sample) -> Means:
        if sample.id not in self._kept:
            self._kept[sample.id] = read_means(model, sample)
        return self._kept[sample.id]


@torch.no_grad()
def read_means(model: Model, sample: Sample) -> Means:
    backbone = model.backbone
    if not isinstance(backbone, CompactBackbone):
        raise InvalidInput(f"expected a compact model to read, got {model.name!r}")
    return watch(backbone, sample.read()).means


def begin_anew(model: Model, seed: int) -> None:
    """Fresh weights for the event head, in place: what it learned while the decoder moved fits no more."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        fresh = Heads(model.heads.config).events
    copies: dict[str, Tensor] = dict(fresh.named_parameters())
    with torch.no_grad():
        for name, parameter in model.heads.events.named_parameters():
            parameter.copy_(copies[name])
