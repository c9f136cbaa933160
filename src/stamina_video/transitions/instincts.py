"""What an event head does about words it was never taught: plain reactions to pulses, not learned.

A head that learned from some scenes knows by heart what happens there, and is sure of itself elsewhere, too.
Its word counts as far as the target's words are near to some that it was taught; for the rest reflexes do.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from stamina_video.semantics import EventGraph, InvalidInput, Operator
from stamina_video.transitions.config import EVENT_OPERATORS, ROLES, HeadsConfig
from stamina_video.transitions.cosines import cosines, unit

# M slots, E template edges, O event operators, R roles, P pulses, X texts, S words: the part of a target's
# vector that says what it means; any axes (batch, time) may stand before

MOST = 128  # texts of an operator that are remembered
FAMILIAR = 0.78  # cosine with the nearest text above which words are known …
DOUBT = 0.03  # … within this much


class Instincts(nn.Module):
    """Reflexes, linear in the pulses, and the texts that the head was taught. Silent until some were."""

    reflexes_ORP: Tensor  # the last column is felt always
    taught_OXS: Tensor  # zeros where no text is

    def __init__(self, config: HeadsConfig) -> None:
        super().__init__()
        operators = len(EVENT_OPERATORS)
        self.register_buffer("reflexes_ORP", torch.zeros(operators, len(ROLES), config.pulses + 1))
        self.register_buffer("taught_OXS", torch.zeros(operators, MOST, config.worded))

    @torch.no_grad()
    def remember(self, operator: Operator, targets: Sequence[Tensor]) -> None:
        """These targets are what the head is taught, and no others."""
        if len(targets) > MOST:
            raise InvalidInput(f"expected at most {MOST} texts of {operator} to teach, got {len(targets)}")
        taught_XS = self.taught_OXS[EVENT_OPERATORS.index(operator)].zero_()
        for place, target_D in enumerate(targets):
            taught_XS[place] = unit(target_D[: taught_XS.shape[1]])

    def familiar(self, target: Tensor, operator: Operator) -> Tensor:
        """How well the words of a target are known, from 0 to 1."""
        taught_XS = self.taught_OXS[EVENT_OPERATORS.index(operator)]
        nearest = cosines(target[..., : taught_XS.shape[1]], taught_XS).amax(-1)
        return torch.sigmoid((nearest - FAMILIAR) / DOUBT)

    def forward(
        self, learned_E: Tensor, pulses: Tensor, target: Tensor, operator: Operator, graph: EventGraph
    ) -> Tensor:
        """Scores of edges, (..., M, E), from those that were learned and (..., M, P)."""
        if not self.taught_OXS.any():
            return learned_E
        reflexes_RP = self.reflexes_ORP[EVENT_OPERATORS.index(operator)]
        reflexes_EP = reflexes_RP[[ROLES.index(edge.role) for edge in graph.edges]]
        felt_E = functional.linear(pulses, reflexes_EP[:, :-1], reflexes_EP[:, -1])
        known = self.familiar(target, operator).to(learned_E)
        return torch.lerp(felt_E, learned_E, known[..., None])
