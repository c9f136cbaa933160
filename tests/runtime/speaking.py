"""The tiny full-size model: a random Qwen3-VL with memory, and random heads."""

from typing import Any

import torch

from stamina_video.runtime import Model
from stamina_video.transitions import Heads, HeadsConfig
from tests.backbone.qwen.tiny import a_backbone


def speaking_model(base: str = "tiny", **changed: Any) -> Model:
    backbone = a_backbone(base=base, **changed)
    torch.manual_seed(5)
    heads = Heads(HeadsConfig(backbone.width, backbone.target_width, hidden=16, attention=16, queries=6))
    return Model("speaking", backbone, heads.eval())
