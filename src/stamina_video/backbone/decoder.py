"""The small causal decoder of the compact backbone: percept tokens in, the features the heads read out.

One forward serves deployment (one observation) and training (whole trajectories). It knows nothing of
images, targets or counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import torch
from torch import Tensor, nn

from stamina_video.backbone.delta import DeltaConfig, DeltaMemory
from stamina_video.backbone.embedding import TokenEmbedding
from stamina_video.backbone.perception.percept import PerceptLayout
from stamina_video.backbone.seats import evidence, evidence_width, seats
from stamina_video.backbone.tokens import TokenBatch
from stamina_video.backbone.window import Seen, Window, WindowAttention
from stamina_video.semantics import InvalidInput

# B trajectories, T observations, N tokens of one, E width, F = E + evidence + seats


@dataclass(frozen=True, slots=True)
class DecoderConfig:
    layout: PerceptLayout
    width: int = 192
    blocks: int = 3
    heads: int = 4
    window: int | None = 8  # observations, the current one included; None is Full access
    memory_stride: int = 2  # every how many blocks a memory stands beside the attention
    memory: DeltaConfig = field(default_factory=DeltaConfig)
    pulses: bool = False  # whether plain measures of change stand beside the mean state

    def __post_init__(self) -> None:
        for name in ("width", "blocks", "heads", "memory_stride"):
            if getattr(self, name) < 1:
                raise InvalidInput(f"expected decoder {name} from 1, got {getattr(self, name)}")
        if self.width % self.heads:
            raise InvalidInput(f"expected a width that {self.heads} heads divide, got {self.width}")
        if self.window is not None and self.window < 1:
            raise InvalidInput(f"expected a window from 1 observation, got {self.window}")

    @property
    def features(self) -> int:
        """How wide a final state is: what was learned about the token, what was seen of it, and its seat."""
        return self.width + evidence_width(self.layout) + self.layout.seats


@dataclass(frozen=True, slots=True)
class BlockState:
    window: Window
    memory_BHDD: Tensor | None


@dataclass(frozen=True, slots=True)
class DecoderState:
    """What the past left behind, per block, and when the last observation was made."""

    blocks: tuple[BlockState, ...]
    time_B: Tensor | None = None

    def detached(self) -> "DecoderState":
        """The same values, where gradients end."""
        named = {name: tensor.detach() for name, tensor in self.tensors().items()}
        return DecoderState.from_tensors(named, len(self.blocks))

    def tensors(self) -> dict[str, Tensor]:
        """Every tensor by name, for snapshots."""
        named = {} if self.time_B is None else {"time": self.time_B}
        for number, block in enumerate(self.blocks):
            if block.memory_BHDD is not None:
                named[f"{number}.memory"] = block.memory_BHDD
            for place, seen in enumerate(block.window):
                named[f"{number}.seen.{place}.keys"] = seen.keys_BHND
                named[f"{number}.seen.{place}.values"] = seen.values_BHND
                named[f"{number}.seen.{place}.present"] = seen.present_BN
        return named

    @classmethod
    def from_tensors(cls, named: Mapping[str, Tensor], blocks: int) -> "DecoderState":
        def seen(prefix: str) -> Seen:
            return Seen(*(named[f"{prefix}.{part}"] for part in ("keys", "values", "present")))

        def block(number: int) -> BlockState:
            places = sum(name.startswith(f"{number}.seen.") for name in named) // 3
            window = tuple(seen(f"{number}.seen.{place}") for place in range(places))
            return BlockState(window, named.get(f"{number}.memory"))

        return cls(tuple(map(block, range(blocks))), named.get("time"))


@dataclass(frozen=True, slots=True)
class Decoded:
    """Final states at every token (zero where absent), their mean per observation, and the state after."""

    tokens_BTNF: Tensor
    mean_BTF: Tensor
    state: DecoderState


class CompactDecoder(nn.Module):
    def __init__(self, config: DecoderConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = TokenEmbedding(config.layout, config.width)
        self.blocks = nn.ModuleList(Block(config, number) for number in range(config.blocks))
        self.norm = nn.LayerNorm(config.width)

    def initial(self, batch: int = 1) -> DecoderState:
        return DecoderState(tuple(cast(Block, block).initial(batch) for block in self.blocks))

    def forward(self, batch: TokenBatch, state: DecoderState) -> Decoded:
        tokens_BTNE = self.embedding(batch, state.time_B)
        after = []
        for block, before in zip(self.blocks, state.blocks, strict=True):
            tokens_BTNE, block_state = block(tokens_BTNE, batch.times_BT, batch.present_BTN, before)
            after.append(block_state)
        learned_BTNE = self.norm(tokens_BTNE) * batch.present_BTN.unsqueeze(-1)
        seats_BTNS = seats(batch.seat_BTN, batch.present_BTN, self.config.layout)
        tokens_BTNF = torch.cat([learned_BTNE, evidence(batch), seats_BTNS.to(learned_BTNE)], dim=-1)
        present_BT1 = batch.present_BTN.sum(-1, keepdim=True).clamp(min=1)
        mean_BTF = tokens_BTNF.sum(2) / present_BT1
        return Decoded(tokens_BTNF, mean_BTF, DecoderState(tuple(after), batch.times_BT[:, -1]))


class Block(nn.Module):
    """Attention and, in every stride-th block, memory side by side; then the feed-forward."""

    def __init__(self, config: DecoderConfig, number: int) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(config.width)
        self.attention = WindowAttention(config.width, config.heads, config.window)
        has_memory = (number + 1) % config.memory_stride == 0
        self.memory = DeltaMemory(config.width, config.memory) if has_memory else None
        self.feed_norm = nn.LayerNorm(config.width)
        self.feed = nn.Sequential(
            nn.Linear(config.width, 4 * config.width), nn.GELU(), nn.Linear(4 * config.width, config.width)
        )

    def initial(self, batch: int) -> BlockState:
        return BlockState((), None if self.memory is None else self.memory.initial(batch))

    def forward(
        self, tokens_BTNE: Tensor, times_BT: Tensor, present_BTN: Tensor, state: BlockState
    ) -> tuple[Tensor, BlockState]:
        normed_BTNE = self.attention_norm(tokens_BTNE)
        attended_BTNE, window = self.attention(normed_BTNE, times_BT, present_BTN, state.window)
        tokens_BTNE = tokens_BTNE + attended_BTNE
        memory_BHDD = state.memory_BHDD
        if self.memory is not None:
            recalled_BLE, memory_BHDD = self.memory(
                normed_BTNE.flatten(1, 2), memory_BHDD, present_BTN.flatten(1, 2)
            )
            tokens_BTNE = tokens_BTNE + recalled_BLE.view_as(tokens_BTNE)
        tokens_BTNE = tokens_BTNE + self.feed(self.feed_norm(tokens_BTNE))
        return tokens_BTNE, BlockState(window, memory_BHDD)
