"""The released Qwen3-VL and our memories as one module; no code of the former is repeated here."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn
from transformers import Qwen3VLForConditionalGeneration
from transformers.cache_utils import DynamicCache

from stamina_video.backbone.qwen.config import QwenConfig
from stamina_video.backbone.qwen.memory import DecoderMemory


class Qwen(nn.Module):
    """`released` stays what it was to everyone who calls it: with the branches' gates closed, to the bit."""

    def __init__(self, released: Qwen3VLForConditionalGeneration, config: QwenConfig) -> None:
        super().__init__()
        text: Any = released.config.text_config
        self.config = config
        self.released = released
        self.memory = DecoderMemory(text.hidden_size, text.num_hidden_layers, config)
        self.memory.to(device=self.device, dtype=self.dtype)
        self.memory.attach(released.model.language_model)
        self._freeze_vision()
        self.eval()

    @property
    def device(self) -> torch.device:
        device: torch.device = self.released.lm_head.weight.device
        return device

    @property
    def dtype(self) -> torch.dtype:
        dtype: torch.dtype = self.released.lm_head.weight.dtype
        return dtype

    @property
    def width(self) -> int:
        return self.memory.width

    def new_parameters(self) -> Iterator[nn.Parameter]:
        """What warm-up trains, beside the heads."""
        return self.memory.parameters()

    def pretrained_parameters(self) -> Iterator[nn.Parameter]:
        """What joint training adds, at its lower rate: the decoder and the visual projector."""
        return (parameter for parameter in self.released.parameters() if parameter.requires_grad)

    def decode(
        self,
        ids_L: Tensor,
        positions_3L: Tensor,
        cache: DynamicCache,
        patches: Tensor | None = None,
        grid_3: Tensor | None = None,
    ) -> Tensor:
        """(L, width): final decoder states at new tokens, which the cache has taken in."""
        output = self.released.model(
            input_ids=ids_L.unsqueeze(0),
            position_ids=positions_3L.unsqueeze(1),
            past_key_values=cache,
            pixel_values_videos=patches,
            video_grid_thw=None if grid_3 is None else grid_3.unsqueeze(0),
            use_cache=True,
        )
        states_BLE: Tensor = output.last_hidden_state
        return states_BLE[0]

    def _freeze_vision(self) -> None:
        """The encoder never learns; its mergers are the projector, which does."""
        visual = self.released.model.visual
        visual.requires_grad_(False)
        for projector in (visual.merger, visual.deepstack_merger_list):
            projector.requires_grad_(True)
