"""The frozen model under an experiment: a trained one, or the compact model at its informed start."""

from copy import deepcopy
from dataclasses import dataclass

import torch

from stamina_video.backbone import CompactBackbone, TextEncoder
from stamina_video.backbone.decoder import CompactDecoder, DecoderConfig
from stamina_video.backbone.delta import DeltaConfig
from stamina_video.backbone.perception import PerceptLayout
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput
from stamina_video.training.percepts import CachedEyes
from stamina_video.training.start import inform
from stamina_video.transitions import Heads, HeadsConfig


@dataclass(frozen=True, slots=True)
class Size:
    """Of the decoder. A memory stride beyond the blocks leaves the memory out."""

    width: int = 128
    blocks: int = 2
    window: int = 8
    memory_stride: int = 2


def informed(layout: PerceptLayout, text: TextEncoder, size: Size, seed: int = 0) -> Model:
    """No training at all: attention, memory and appearance are random, names and motion pass through."""
    torch.manual_seed(seed)
    decoder = CompactDecoder(
        DecoderConfig(
            layout,
            width=size.width,
            blocks=size.blocks,
            window=size.window,
            memory_stride=size.memory_stride,
            memory=DeltaConfig(heads=4, head_width=32),
        )
    )
    backbone = CompactBackbone(CachedEyes(layout), text, decoder.eval())
    heads = Heads(HeadsConfig(backbone.width, backbone.target_width))
    model = Model(f"informed-{size.width}", backbone, heads.eval())
    inform(model, seed)
    return model


def without_memory(model: Model) -> Model:
    """The same model whose memory branches say nothing."""
    backbone = compact(model)
    decoder = deepcopy(backbone.decoder)
    with torch.no_grad():
        for name, parameter in decoder.named_parameters():
            if ".memory.out." in name:
                parameter.zero_()
    return Model(
        f"{model.name} without memory", CompactBackbone(backbone.eyes, backbone.text, decoder), model.heads
    )


def trained(model: Model) -> Model:
    """A trained compact model that reads cached percepts."""
    backbone = compact(model)
    return Model(model.name, backbone.with_eyes(CachedEyes(backbone.eyes.layout)), model.heads)


def compact(model: Model) -> CompactBackbone:
    if not isinstance(model.backbone, CompactBackbone):
        raise InvalidInput(f"expected a compact model, got {model.name!r}: its percepts are not cached")
    return model.backbone
