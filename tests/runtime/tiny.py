"""A tiny random model and a made-up stream: everything real but the weights and the eyes."""

import torch

from stamina_video.runtime import Model
from stamina_video.semantics import Observation, Target
from stamina_video.transitions import Heads, HeadsConfig
from tests.backbone.test_compact import a_backbone, a_picture

TARGETS = (
    Target("red blobs", "O2-Unique"),
    Target("red blobs", "O1-Snap"),
    Target("blob moved", "E1-Action", "entity"),
    Target("swing", "E2-Periodic"),
)


def tiny_model(seed: int = 17) -> Model:
    backbone = a_backbone()
    torch.manual_seed(seed)
    heads = Heads(HeadsConfig(backbone.width, backbone.target_width, hidden=16, attention=16, queries=6))
    return Model("tiny", backbone, heads.eval())


def observation(index: int, stream: str = "table") -> Observation:
    return Observation(stream, index, index / 2, a_picture(index), 15 * index)
