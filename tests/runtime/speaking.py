"""The tiny full-size model: a random Qwen3-VL with memory, and random heads."""

from pathlib import Path
from typing import Any

import torch

from stamina_video.runtime import Model
from stamina_video.transitions import Heads, HeadsConfig
from tests.backbone.qwen.tiny import a_backbone, save_base


def speaking_model(base: str = "tiny", **changed: Any) -> Model:
    backbone = a_backbone(base=base, **changed)
    torch.manual_seed(5)
    heads = Heads(HeadsConfig(backbone.width, backbone.target_width, hidden=16, attention=16, queries=6))
    return Model("speaking", backbone, heads.eval())


def save_speaking(folder: Path) -> Model:
    """Into a folder that `load` takes, its base beside it."""
    model = speaking_model(base=str(save_base(folder.with_name(folder.name + "-base"))))
    model.save_pretrained(folder)
    return model
