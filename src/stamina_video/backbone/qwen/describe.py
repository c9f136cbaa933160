"""What a full-size model adds and needs, counted on a model built whole but without weights."""

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration

from stamina_video.backbone.qwen.config import QwenConfig
from stamina_video.backbone.qwen.model import Qwen
from stamina_video.semantics import InvalidInput

BFLOAT16, FLOAT32 = 2, 4  # bytes
MOMENTS = 2 * FLOAT32  # AdamW's two averages of every trained parameter
TRAJECTORIES = 8  # of one training batch


@dataclass(frozen=True, slots=True)
class Description:
    """Bytes with arithmetic in bfloat16, recurrence and training state in float32; activations on top."""

    released_parameters: int
    memory_parameters: int
    heads_parameters: int
    frozen_parameters: int  # the vision encoder's: never trained
    window_tokens: int
    window_bytes: int  # keys and values of a full window
    memory_bytes: int  # one stream's associations
    gpus: int

    @property
    def added_parameters(self) -> int:
        return self.memory_parameters + self.heads_parameters

    @property
    def added_share(self) -> float:
        """Of all parameters, the added ones included."""
        return self.added_parameters / (self.released_parameters + self.added_parameters)

    @property
    def trained_parameters(self) -> int:
        return self.released_parameters + self.added_parameters - self.frozen_parameters

    @property
    def optimiser_bytes(self) -> int:
        return MOMENTS * self.trained_parameters

    @property
    def deployed_bytes_per_gpu(self) -> int:
        """A whole model and one stream on each."""
        weights = BFLOAT16 * (self.released_parameters + self.added_parameters)
        return weights + self.window_bytes + self.memory_bytes

    @property
    def training_bytes_per_gpu(self) -> int:
        """Weights, gradients and moments split over all; each carries its share of a batch's streams."""
        whole = (2 * FLOAT32 + MOMENTS) * self.trained_parameters + BFLOAT16 * self.frozen_parameters
        streams = math.ceil(TRAJECTORIES / self.gpus)
        return math.ceil(whole / self.gpus) + streams * (self.window_bytes + self.memory_bytes)


def describe(
    shape: Qwen3VLConfig, config: QwenConfig, heads_parameters: int = 0, gpus: int = 1
) -> Description:
    if gpus < 1:
        raise InvalidInput(f"expected GPUs from 1, got {gpus}")
    if config.window is None:
        raise InvalidInput("expected a window to size, got Full access, which has none")
    with torch.device("meta"):
        qwen = Qwen(Qwen3VLForConditionalGeneration(shape), config)  # type: ignore[no-untyped-call]  # untyped
    text: Any = shape.text_config
    per_token = 2 * text.num_hidden_layers * text.num_key_value_heads * text.head_dim * BFLOAT16
    released = _parameters(qwen.released)
    return Description(
        released_parameters=released,
        memory_parameters=_parameters(qwen.memory),
        heads_parameters=heads_parameters,
        frozen_parameters=released - sum(part.numel() for part in qwen.pretrained_parameters()),
        window_tokens=config.window,
        window_bytes=per_token * config.window,
        memory_bytes=sum(state.numel() * state.element_size() for state in qwen.memory.initial()),
        gpus=gpus,
    )


def _parameters(module: nn.Module) -> int:
    """Shared ones, such as tied embeddings, count once."""
    return sum(parameter.numel() for parameter in module.parameters())
