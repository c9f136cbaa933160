"""The tiny Qwen3-VL with memories that have something to say, and pictures for it."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from stamina_video.backbone.delta import DeltaConfig
from stamina_video.backbone.qwen.backbone import QwenBackbone
from stamina_video.backbone.qwen.config import QwenConfig
from stamina_video.backbone.qwen.files import Base
from stamina_video.backbone.qwen.hashing import weights_hash
from stamina_video.backbone.qwen.model import Qwen
from stamina_video.backbone.qwen.tiny import (
    MARKS,
    PATCH,
    tiny_config,
    tiny_processor,
    tiny_released,
    tiny_tokenizer,
)
from stamina_video.semantics import Observation

__all__ = [
    "MARKS",
    "OBSERVED",
    "a_backbone",
    "a_picture",
    "awaken",
    "close_gates",
    "extended",
    "generated",
    "multimodal_inputs",
    "observation",
    "processor",
    "released",
    "save_base",
    "settings",
    "tiny_config",
    "tokenizer",
]

released, tokenizer, processor = tiny_released, tiny_tokenizer, tiny_processor
OBSERVED = 12  # tokens of one observation: 6 of its timestamp, 2 around the frame, 4 of the frame


def settings(**changed: Any) -> QwenConfig:
    memory = DeltaConfig(heads=2, head_width=8, chunk=8, truncation=8)
    defaults = {"window": 4 * OBSERVED, "visual_tokens": 16, "memory_stride": 2, "answer_tokens": 6}
    return QwenConfig(**(defaults | {"memory": memory} | changed))


def extended(seed: int = 0, **changed: Any) -> Qwen:
    """The released tiny model with memories that have something to say."""
    qwen = Qwen(released(seed), settings(**changed))
    awaken(qwen)
    return qwen


def awaken(qwen: Qwen) -> None:
    """Random instead of zero last projections, and gates half open."""
    torch.manual_seed(7)
    for branch in qwen.memory.deltas:
        nn.init.normal_(branch.out.weight, std=0.3)
        nn.init.zeros_(branch.gate.bias)


def close_gates(qwen: Qwen) -> None:
    for branch in qwen.memory.deltas:
        nn.init.zeros_(branch.gate.weight)
        nn.init.constant_(branch.gate.bias, -torch.inf)


def a_backbone(seed: int = 0, base: str = "tiny", **changed: Any) -> QwenBackbone:
    qwen = extended(seed, **changed)
    return QwenBackbone(qwen, tokenizer(), processor(), Base(base, None, weights_hash(qwen.released)))


def save_base(folder: Path, seed: int = 0) -> Path:
    """A folder as the hub would give it."""
    parts: tuple[Any, ...] = (released(seed), tokenizer(), processor())
    for part in parts:
        part.save_pretrained(folder)
    return folder


def a_picture(number: int) -> Any:
    """16 × 16 pixels of noise that follows from the number: four tokens."""
    return np.random.default_rng(number).integers(0, 256, (16, 16, 3), dtype=np.uint8)


def observation(index: int, picture: int | None = None, time: float | None = None) -> Observation:
    image = a_picture(index if picture is None else picture)
    return Observation("table", index, index / 2 if time is None else time, image, index)


def multimodal_inputs() -> dict[str, Tensor]:
    """An image of 2 × 3 tokens and a video of two frames of 2 × 2, with words around them."""
    torch.manual_seed(3)
    start, end, image, video = (MARKS.index(f"<|{mark}|>") for mark in _VISION_MARKS)
    ids = [8, 9, start, *[image] * 6, end, 10]
    for _ in range(2):
        ids += [11, start, *[video] * 4, end]
    ids_BL = torch.tensor([[*ids, 12, 13]])
    patch = 3 * 2 * PATCH * PATCH
    return {
        "input_ids": ids_BL,
        "attention_mask": torch.ones_like(ids_BL),
        "mm_token_type_ids": (ids_BL == image).int() + 2 * (ids_BL == video).int(),
        "pixel_values": torch.randn(24, patch),
        "image_grid_thw": torch.tensor([[1, 4, 6]]),
        "pixel_values_videos": torch.randn(32, patch),
        "video_grid_thw": torch.tensor([[2, 4, 4]]),
    }


_VISION_MARKS = ("vision_start", "vision_end", "image_pad", "video_pad")


def generated(model: Any, inputs: dict[str, Tensor], **options: Any) -> Tensor:
    """The released class's own generation, prompt included."""
    words: Tensor = model.generate(**inputs, do_sample=False, **options)
    return words
