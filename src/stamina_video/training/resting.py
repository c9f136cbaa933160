"""One head learns while the decoder rests: its states are computed once, kept, and gone over and over."""

from dataclasses import replace

import torch
from torch import Tensor

from stamina_video.backbone import CompactBackbone
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput
from stamina_video.training.sample import Sample
from stamina_video.training.whole import (
    Looked,
    Means,
    event_terms,
    felt,
    looked,
    things_loss,
    watch,
)
from stamina_video.transitions import Heads, LossTerms
from stamina_video.transitions.context import Evening

POOLING, EVENTS = "heads.pooling.", "heads.events."  # the parameters that learn while naming and rereading


class Namer:
    """Words and things: what each query of the pooling should find, in stills kept under their names."""

    def __init__(self) -> None:
        self._kept: dict[str, Looked] = {}

    def __call__(self, model: Model, sample: Sample) -> LossTerms:
        if sample.id not in self._kept:
            self._kept[sample.id] = self._look(model, sample)
        return LossTerms(object=things_loss(model, self._kept[sample.id], sample.id))

    @torch.no_grad()
    def _look(self, model: Model, sample: Sample) -> Looked:
        backbone = compact(model)
        return looked(model, watch(backbone, sample.read()), sample)


class Reader:
    """Events of whole trajectories, read from the means of their observations."""

    def __init__(self, mean: bool = False) -> None:
        self._mean = mean
        self._kept: dict[str, Means] = {}

    def __call__(self, model: Model, sample: Sample) -> LossTerms:
        if not any(lesson.target.operator.is_event for lesson in sample.lessons):
            return LossTerms()
        if sample.id not in self._kept:
            self._kept[sample.id] = self._look(model, sample)
        means = self._kept[sample.id]
        return event_terms(model, _unseen(model, means) if sample.blind else means, sample, self._mean)

    @torch.no_grad()
    def _look(self, model: Model, sample: Sample) -> Means:
        backbone, observations = compact(model), sample.read()
        seats = backbone.decoder.config.layout.seats if model.heads.config.gathered else 0
        return watch(backbone, observations).means(felt(backbone, observations), seats)


def _unseen(model: Model, means: Means) -> Means:
    """The same pulses with a mean that says nothing: the one that all are measured from."""
    evening, width = model.heads.events.context.evening, model.heads.config.width
    middle_W = evening.centre_W if isinstance(evening, Evening) else means.mean_TV.new_zeros(width)
    seen_TW = middle_W.expand(len(means.mean_TV), -1)
    return replace(means, mean_TV=torch.cat([seen_TW, means.mean_TV[:, width:]], dim=1), is_blind=True)


def compact(model: Model) -> CompactBackbone:
    if not isinstance(model.backbone, CompactBackbone):
        raise InvalidInput(f"expected a compact model whose decoder can rest, got {model.name!r}")
    return model.backbone


def begin_anew(model: Model, head: str, seed: int) -> None:
    """Fresh weights for one head, in place, such as the event head's: `heads.events.`."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        fresh = Heads(model.heads.config)
    copies: dict[str, Tensor] = {f"heads.{name}": one for name, one in fresh.named_parameters()}
    with torch.no_grad():
        for name, parameter in model.heads.named_parameters(prefix="heads"):
            if name.startswith(head):
                parameter.copy_(copies[name])
