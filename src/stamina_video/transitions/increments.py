"""The "no FSM" control: every slot counts whenever it is sure. No phases, no graph."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu

from stamina_video.semantics import Operator
from stamina_video.transitions.config import HeadsConfig
from stamina_video.transitions.context import EventContext


class IncrementHead(nn.Module):
    """p = σ(wᵀ GELU(z + c) + b): the probability that this observation completes an event."""

    def __init__(self, config: HeadsConfig) -> None:
        super().__init__()
        self.above = config.increment_above
        self.context = EventContext(config)
        self.bias_H = nn.Parameter(torch.zeros(config.hidden))
        self.score = nn.Linear(config.hidden, 1)

    def forward(self, inputs: Tensor, target: Tensor, operator: Operator) -> Tensor:
        """Logits of an increment: (..., M, 2W) to (..., M)."""
        logits: Tensor = self.score(gelu(self.context(inputs, target, operator) + self.bias_H)).squeeze(-1)
        return logits

    def accept(self, logits_M: Tensor, present: Sequence[bool]) -> tuple[bool, ...]:
        """Which slots count now; an absent slot never does."""
        sure = (logits_M.detach().sigmoid() > self.above).tolist()
        return tuple(is_sure and here for is_sure, here in zip(sure, present, strict=True))
