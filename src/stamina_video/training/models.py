"""The model a recipe starts from: a released or random backbone, fresh heads, and the recipe's controls."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import torch

from stamina_video.backbone import CompactBackbone, load_text_encoder
from stamina_video.backbone.contract import Backbone
from stamina_video.backbone.decoder import CompactDecoder, DecoderConfig
from stamina_video.backbone.delta import DeltaConfig
from stamina_video.backbone.perception import PerceptLayout
from stamina_video.backbone.perception.files import KEPT
from stamina_video.backbone.perception.finder import TrainedEyes
from stamina_video.backbone.perception.gait import GAIT
from stamina_video.backbone.perception.perception import LIFE_CHANNELS
from stamina_video.runtime import Model
from stamina_video.runtime.loading import RELEASED
from stamina_video.semantics import InvalidInput
from stamina_video.training.percepts import CachedEyes
from stamina_video.training.recipe import Recipe
from stamina_video.training.sample import Sample
from stamina_video.training.scaling import scale_events
from stamina_video.training.start import inform
from stamina_video.transitions import Heads, HeadsConfig


def fresh_model(recipe: Recipe, seed: int, eyes: TrainedEyes | None = None) -> Model:
    """The same seed gives the same first weights; a compact model is saved with its eyes."""
    if recipe.model not in _BACKBONES:
        raise InvalidInput(f"expected a model of {', '.join(_BACKBONES)}, got {recipe.model!r}")
    torch.manual_seed(seed)
    backbone = _BACKBONES[recipe.model](recipe)
    if isinstance(backbone, CompactBackbone):
        backbone = backbone.with_eyes(CachedEyes(backbone.eyes.layout, eyes))
    config = HeadsConfig(
        backbone.width,
        backbone.target_width,
        pulses=backbone.pulses,
        **_felt(backbone),
        phase_input=recipe.phase_input,
        fsm=recipe.fsm,
        evened=recipe.seeing is not None,
        lingers=recipe.lingers,
        patient=recipe.patient,
    )
    model = Model(recipe.model, backbone, Heads(config).eval())
    if isinstance(backbone, CompactBackbone):
        inform(model, seed)
    return model


def _felt(backbone: Backbone[Any]) -> dict[str, Any]:
    """Event heads that feel pulses also feel how things move that fit the target, and have instincts."""
    if not isinstance(backbone, CompactBackbone) or not backbone.pulses:
        return {}
    seats = backbone.decoder.config.layout.seats
    return {
        "gathered": len(GAIT),
        "gathered_before": seats,
        "missed": len(LIFE_CHANNELS) - len(GAIT) - LIFE_CHANNELS.index("missed"),
        "forgiven": 1 / KEPT,
        "worded": backbone.text.width,
    }


def first_model(
    recipe: Recipe, seed: int, samples: Sequence[Sample], eyes: TrainedEyes | None = None
) -> Model:
    """A fresh model; one that learns to see reads events at the scale of what it is going to see."""
    model = fresh_model(recipe, seed, eyes)
    if recipe.seeing is not None:
        scale_events(model, samples)
    return model


def _nano(recipe: Recipe) -> Backbone[Any]:
    """Trained on what the eyes have seen already; saved without eyes, and loaded with the real ones."""
    memory = DeltaConfig(heads=4, head_width=32, channel_wise=recipe.channel_wise)
    decoder = CompactDecoder(
        DecoderConfig(PerceptLayout(), width=192, blocks=2, heads=4, memory=memory, pulses=True)
    )
    return CompactBackbone(CachedEyes(decoder.config.layout), load_text_encoder(), decoder.eval())


def _tiny(recipe: Recipe) -> Backbone[Any]:
    from stamina_video.backbone.qwen.tiny import tiny_backbone  # noqa: PLC0415  # an extra

    return tiny_backbone(channel_wise=recipe.channel_wise)


def _released(recipe: Recipe) -> Backbone[Any]:
    from stamina_video.backbone.qwen.backbone import QwenBackbone  # noqa: PLC0415  # an extra
    from stamina_video.backbone.qwen.config import QwenConfig  # noqa: PLC0415  # an extra

    config = replace(QwenConfig(), memory=DeltaConfig(channel_wise=recipe.channel_wise))
    backbone = QwenBackbone.from_released(RELEASED[recipe.model], config=config)
    # AdamW's steps are smaller than bfloat16 can add; autocast computes in bfloat16 all the same.
    backbone.qwen.float()
    return backbone


_BACKBONES: dict[str, Callable[[Recipe], Backbone[Any]]] = {
    "nano": _nano,
    "tiny": _tiny,
    "4b": _released,
    "8b": _released,
}
