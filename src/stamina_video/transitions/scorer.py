"""Scores of legal edges, and the greedy choice among them. The legal edges come from the graph."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu

from stamina_video.semantics import Edge, EventGraph, Operator, Phase, Role, Scope, graph_for
from stamina_video.transitions.config import ROLES, HeadsConfig
from stamina_video.transitions.context import EventContext
from stamina_video.transitions.instincts import Instincts
from stamina_video.transitions.softmax import log_softmax

# M slots, E template edges, H hidden width; any axes (batch, time) may stand before

PHASES = tuple(Phase)
KNOWN = 0.5  # how familiar words must be to count as learned


class EdgeScorer(nn.Module):
    """s(a,b) = wᵀ GELU(z + W_a e_a + W_b e_b + W_r e_r(a,b) + c), softmax over the edges leaving a.

    With instincts, which the paper's scorer has not, s counts as far as words are known, else reflexes do.
    """

    def __init__(self, config: HeadsConfig) -> None:
        super().__init__()
        self.phase_input = config.phase_input
        self.context = EventContext(config)
        self.phases = nn.Embedding(len(PHASES), config.hidden)
        self.roles = nn.Embedding(len(ROLES), config.hidden)
        self.from_source = nn.Linear(config.hidden, config.hidden, bias=False)
        self.from_target_phase = nn.Linear(config.hidden, config.hidden, bias=False)
        self.from_role = nn.Linear(config.hidden, config.hidden)
        self.score = nn.Linear(config.hidden, 1, bias=False)
        self._felt = slice(config.width, config.width + config.pulses)
        self.instincts = Instincts(config) if config.worded else None

    def forward(
        self, inputs: Tensor, target: Tensor, operator: Operator, scope: Scope = Scope.GLOBAL
    ) -> Tensor:
        """Log p(b|a) of every template edge, from every source phase: (..., M, 2W) to (..., M, E).

        Pulses are of the whole picture, so individuals have no reflexes: one cut would be everybody's.
        """
        graph = graph_for(operator)
        z = self.context(inputs, target, operator)
        hidden = gelu(z[..., None, :] + self._edges(graph))
        scores: Tensor = self.score(hidden).squeeze(-1)
        if self.instincts is not None and scope is Scope.GLOBAL:
            scores = self.instincts(scores, inputs[..., self._felt], target, operator, graph)
        return legal_log_softmax(scores, graph)

    @torch.no_grad()
    def knows(self, target: Tensor, operator: Operator, scope: Scope = Scope.GLOBAL) -> bool:
        """Whether its scores are learned likelihoods. Reflexes are thresholds: nothing adds up in them."""
        if self.instincts is None or scope is not Scope.GLOBAL or not self.instincts.taught_OXS.any():
            return True
        return float(self.instincts.familiar(target, operator)) > KNOWN

    def _edges(self, graph: EventGraph) -> Tensor:
        edges_EH: Tensor = self.from_role(self.roles.weight[[ROLES.index(edge.role) for edge in graph.edges]])
        if self.phase_input:  # otherwise e_a = e_b = 0
            phases = self.phases.weight
            sources = phases[[PHASES.index(edge.source) for edge in graph.edges]]
            targets = phases[[PHASES.index(edge.target) for edge in graph.edges]]
            edges_EH = edges_EH + self.from_source(sources) + self.from_target_phase(targets)
        return edges_EH


def legal_log_softmax(scores_E: Tensor, graph: EventGraph) -> Tensor:
    """Normalise over the edges that leave each phase; the template order stays."""
    groups = [[i for i, edge in enumerate(graph.edges) if edge.source == phase] for phase in graph.phases]
    order = [edge for group in groups for edge in group]
    back = sorted(range(len(order)), key=order.__getitem__)
    return torch.cat([log_softmax(scores_E[..., group]) for group in groups], dim=-1)[..., back]


def greedy(
    log_probs_ME: Tensor, graph: EventGraph, phases: Sequence[Phase], present: Sequence[bool]
) -> tuple[Edge, ...]:
    """The best edge leaving each slot's phase; ties prefer hold, then template order. Absent slots hold."""
    return tuple(
        _best(log_probs, graph, phase) if here else Edge(phase, phase, Role.HOLD)
        for log_probs, phase, here in zip(log_probs_ME.tolist(), phases, present, strict=True)
    )


def _best(log_probs: list[float], graph: EventGraph, phase: Phase) -> Edge:
    legal = (
        (score, edge) for score, edge in zip(log_probs, graph.edges, strict=True) if edge.source == phase
    )
    # max keeps the first of equals, which is the template order.
    return max(legal, key=lambda option: (option[0], option[1].role is Role.HOLD))[1]
