"""The gated delta memory: slow weights that read and write fast, stream-specific associations.

One module serves every backbone. It knows nothing of attention, blocks or observations.
"""

import math
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional

from stamina_video.backbone.delta_rule import DeltaInputs, DeltaRule, chunked_delta_rule, truncated_delta_rule
from stamina_video.semantics import InvalidInput

# B trajectories, L tokens, E model width, H heads, D head width

SHORTEST_MEMORY, LONGEST_MEMORY = 1e2, 1e5  # tokens; from about one observation to many minutes
GATE_BIAS = -2.0  # the branch starts quiet: its readouts mean little before its projections do


@dataclass(frozen=True, slots=True)
class DeltaConfig:
    """The paper's defaults: 8 heads of width 64, chunks of 128 tokens, gradients over 8 chunks."""

    heads: int = 8
    head_width: int = 64
    chunk: int = 128
    truncation: int = 8
    channel_wise: bool = False  # retention per key channel instead of per head

    def __post_init__(self) -> None:
        for name in ("heads", "head_width", "chunk", "truncation"):
            if getattr(self, name) < 1:
                raise InvalidInput(f"expected memory {name} from 1, got {getattr(self, name)}")


class DeltaMemory(nn.Module):
    """u = LN(v − k), r = q̂ + LN(A q̂), out = σ(gate) · W_o [r of every head], to be added to a residual."""

    def __init__(self, width: int, config: DeltaConfig, rule: DeltaRule | None = None) -> None:
        super().__init__()
        self.config = config
        self.rule = rule or partial(chunked_delta_rule, chunk=config.chunk)
        heads, inner = config.heads, config.heads * config.head_width
        self.query, self.key, self.value = (nn.Linear(width, inner, bias=False) for _ in range(3))
        self.retention = nn.Linear(width, inner if config.channel_wise else heads)
        self.write = nn.Linear(width, heads)
        self.value_norm = nn.LayerNorm(config.head_width)
        self.read_norm = nn.LayerNorm(config.head_width)
        self.initial_HDD = nn.Parameter(torch.zeros(heads, config.head_width, config.head_width))
        self.out = nn.Linear(inner, width, bias=False)
        self.gate = nn.Linear(width, 1)
        self._spread_memory()

    def initial(self, batch: int = 1) -> Tensor:
        """A₀ copied for new trajectories; gradients reach A₀ through the copy."""
        return self.initial_HDD.repeat(batch, 1, 1, 1).to(_recurrent(self.initial_HDD.dtype))

    def forward(
        self, tokens_BLE: Tensor, state_BHDD: Tensor, present_BL: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """The gated branch at every token and the state after the last; absent tokens leave no trace."""
        keys_BHLD = self._heads(self.key(tokens_BLE))
        values_BHLD = self.value_norm(self._heads(self.value(tokens_BLE)) - keys_BHLD)
        queries_BHLD = functional.normalize(self._heads(self.query(tokens_BLE)), dim=-1)
        log_retention_BHLR = functional.logsigmoid(self._heads(self.retention(tokens_BLE)))
        write_BHL1 = self._heads(self.write(tokens_BLE)).sigmoid()
        if present_BL is not None:
            absent_B1L1 = ~present_BL[:, None, :, None]
            log_retention_BHLR = log_retention_BHLR.masked_fill(absent_B1L1, 0.0)
            write_BHL1 = write_BHL1.masked_fill(absent_B1L1, 0.0)
        inputs = DeltaInputs(
            queries_BHLD,
            functional.normalize(keys_BHLD, dim=-1),
            values_BHLD,
            log_retention_BHLR,
            write_BHL1,
        )
        recalled_BHLD, state_BHDD = truncated_delta_rule(
            self.rule,
            self.config.truncation * self.config.chunk,
            DeltaInputs(*(part.to(state_BHDD.dtype) for part in inputs)),
            state_BHDD,
        )
        read_BHLD = queries_BHLD + self.read_norm(recalled_BHLD.to(queries_BHLD.dtype))
        branch_BLE = self.out(read_BHLD.transpose(1, 2).flatten(2))
        return self.gate(tokens_BLE).sigmoid() * branch_BLE, state_BHDD

    def _heads(self, inner_BLX: Tensor) -> Tensor:
        return torch.unflatten(inner_BLX, -1, (self.config.heads, -1)).transpose(1, 2)

    def _spread_memory(self) -> None:
        """Starts the heads at time constants from short to long: σ(log n) forgets over about n tokens."""
        with torch.no_grad():
            constants_H = torch.linspace(
                math.log(SHORTEST_MEMORY), math.log(LONGEST_MEMORY), self.config.heads
            )
            self.retention.bias.copy_(
                constants_H.repeat_interleave(len(self.retention.bias) // self.config.heads)
            )
            self.gate.bias.fill_(GATE_BIAS)


def _recurrent(dtype: torch.dtype) -> torch.dtype:
    """The recurrence never runs below float32."""
    return torch.promote_types(dtype, torch.float32)
