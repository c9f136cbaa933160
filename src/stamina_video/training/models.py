"""The model a recipe starts from: a released or random backbone, fresh heads, and the recipe's controls."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from stamina_video.backbone.contract import Backbone
from stamina_video.backbone.delta import DeltaConfig
from stamina_video.runtime import Model
from stamina_video.runtime.loading import RELEASED
from stamina_video.semantics import InvalidInput
from stamina_video.training.recipe import Recipe
from stamina_video.transitions import Heads, HeadsConfig


def fresh_model(recipe: Recipe, seed: int) -> Model:
    """The same seed gives the same first weights."""
    if recipe.model not in _BACKBONES:
        raise InvalidInput(f"expected a model of {', '.join(_BACKBONES)}, got {recipe.model!r}")
    torch.manual_seed(seed)
    backbone = _BACKBONES[recipe.model](recipe)
    config = HeadsConfig(
        backbone.width, backbone.target_width, phase_input=recipe.phase_input, fsm=recipe.fsm
    )
    return Model(recipe.model, backbone, Heads(config).eval())


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


_BACKBONES: dict[str, Callable[[Recipe], Backbone[Any]]] = {"tiny": _tiny, "4b": _released, "8b": _released}
