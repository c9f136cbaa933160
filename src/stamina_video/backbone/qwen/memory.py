"""Gated delta memories beside the attention of a released decoder, joined to it by hooks alone.

A forward of the decoder begins with the states its cache is known to hold, and leaves the states after it
with the cache: prefill, decoding and streaming are the same path. Text reads the memories and writes nothing.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn
from transformers.cache_utils import Cache
from transformers.models.qwen3_vl.modeling_qwen3_vl import Qwen3VLTextModel

from stamina_video.backbone.delta import DeltaMemory
from stamina_video.backbone.qwen.assumptions import broken
from stamina_video.backbone.qwen.config import QwenConfig
from stamina_video.backbone.qwen.rule import released_delta_rule
from stamina_video.semantics import InvalidInput

# B trajectories, L tokens, E decoder width, H heads, D head width

PASS = "memory_pass"  # the argument that travels from the decoder to the hooks on its attentions

Memories = tuple[Tensor, ...]  # (B, H, D, D) of each branch, in the order of the blocks


@dataclass(frozen=True, slots=True)
class MemoryPass:
    """One forward of the decoder: which tokens write, the states before it, and those after, as they come."""

    before: Memories
    visual_BL: Tensor
    after: dict[int, Tensor] = field(default_factory=dict)


class DecoderMemory(nn.Module):
    """One branch for every stride-th block. Fresh branches add nothing: their last projection is zero."""

    def __init__(self, width: int, blocks: int, config: QwenConfig) -> None:
        super().__init__()
        self.width = width
        self.blocks = config.memory_blocks(blocks)
        if not self.blocks:
            raise InvalidInput(f"expected at least {config.memory_stride} decoder blocks, got {blocks}")
        rule = partial(released_delta_rule, chunk=config.memory.chunk)
        self.branches = nn.ModuleList(DeltaMemory(width, config.memory, rule) for _ in self.blocks)
        for branch in self.deltas:
            nn.init.zeros_(branch.out.weight)
        self._held: WeakKeyDictionary[Cache, Memories] = WeakKeyDictionary()

    @property
    def deltas(self) -> tuple[DeltaMemory, ...]:
        return tuple(cast(DeltaMemory, branch) for branch in self.branches)

    def initial(self, batch: int = 1) -> Memories:
        return tuple(branch.initial(batch) for branch in self.deltas)

    def hold(self, cache: Cache, memories: Memories) -> None:
        """The next forward over this cache begins with these states."""
        self._held[cache] = memories

    def held(self, cache: Cache) -> Memories:
        return self._held[cache]

    def attach(self, decoder: Qwen3VLTextModel) -> None:
        decoder.register_forward_pre_hook(self._begin, with_kwargs=True)
        decoder.register_forward_hook(self._end, with_kwargs=True)
        for place, block in enumerate(self.blocks):
            attention = cast(nn.Module, decoder.layers[block].self_attn)
            attention.register_forward_hook(partial(self._beside, place), with_kwargs=True)

    def _begin(
        self, _decoder: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        tokens_BLE, visual_BL = kwargs.get("inputs_embeds"), kwargs.get("visual_pos_masks")
        if tokens_BLE is None:
            raise broken("a decoder called without inputs_embeds")
        if visual_BL is None:
            visual_BL = torch.zeros(tokens_BLE.shape[:2], dtype=torch.bool, device=tokens_BLE.device)
        before = self._before(kwargs.get("past_key_values"), len(tokens_BLE))
        return args, kwargs | {PASS: MemoryPass(before, visual_BL.to(tokens_BLE.device))}

    def _before(self, cache: Cache | None, batch: int) -> Memories:
        if cache is None:
            return self.initial(batch)
        if cache not in self._held:
            if cache.get_seq_length():
                raise InvalidInput("expected a cache that this model filled, got one without its memory")
            return self.initial(batch)
        return self._held[cache]

    def _beside(
        self, place: int, _attention: nn.Module, _args: tuple[Any, ...], kwargs: dict[str, Any], output: Any
    ) -> tuple[Tensor, Any]:
        if PASS not in kwargs or "hidden_states" not in kwargs or not isinstance(output, tuple):
            raise broken("an attention called in another way")
        attended_BLE, weights = output
        through: MemoryPass = kwargs[PASS]
        branch_BLE, through.after[place] = self.branches[place](
            kwargs["hidden_states"], through.before[place], through.visual_BL
        )
        return attended_BLE + branch_BLE, weights

    def _end(self, _decoder: nn.Module, _args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> None:
        cache = output.past_key_values
        if cache is not None:
            after = kwargs[PASS].after
            self._held[cache] = tuple(after[place] for place in range(len(self.branches)))
