"""What a trained compact model counts where a kind of token, or a property of all, is kept from it."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace

import numpy as np
import torch

from stamina_video.backbone.perception import Percept, TokenKind
from stamina_video.backbone.perception.gait import GAIT
from stamina_video.runtime import Model
from stamina_video.semantics import Observation
from stamina_video.training.held_out import Reading, read_counts
from stamina_video.training.sample import Sample

Look = Callable[[Percept], Percept]


def whole(percept: Percept) -> Percept:
    return percept


def without_kind(kind: TokenKind) -> Look:
    def look(percept: Percept) -> Percept:
        kept_N = percept.kind_N != kind
        return Percept(**{name: array[kept_N] for name, array in percept.arrays().items()})

    return look


def without_property(array: str) -> Look:
    """It is zero everywhere, as it is where there is nothing to tell."""

    def look(percept: Percept) -> Percept:
        return replace(percept, **{array: np.zeros_like(getattr(percept, array))})

    return look


def unfelt(model: Model) -> Model:
    """The same model whose event head hears no pulse and reads no deed."""
    heads = deepcopy(model.heads)
    context = heads.events.context
    with torch.no_grad():
        if context.from_pulses_HP is not None:
            context.from_pulses_HP.zero_()
        if context.deeds is not None:
            context.deeds.told.weight.zero_()
    return replace(model, heads=heads)


def without_gait(percept: Percept) -> Percept:
    life_NL = percept.life_NL.copy()
    life_NL[:, -len(GAIT) :] = 0
    return replace(percept, life_NL=life_NL)


WHOLE, PULSES = "nothing", "pulses"
LOOKS: dict[str, Look] = {
    WHOLE: whole,
    "detections": without_kind(TokenKind.DETECTION),
    "moving regions": without_kind(TokenKind.REGION),
    "the grid": without_kind(TokenKind.GRID),
    "names": without_property("names_NS"),
    "appearance": without_property("appearance_NP"),
    "colour": without_property("colour_NC"),
    "motion": without_property("motion_NM"),
    "gait": without_gait,
}


def counted(model: Model, samples: Sequence[Sample], look: Look) -> list[Reading]:
    return read_counts(model, [_seen(sample, look) for sample in samples])


def _seen(sample: Sample, look: Look) -> Sample:
    def read() -> list[Observation]:
        return [replace(one, image=look(one.image)) for one in sample.read()]

    return replace(sample, read=read)
