"""Our models behind the counters' interface: a session per pass, and the control without a graph."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from stamina_video.backbone import CompactBackbone
from stamina_video.backbone.perception.perception import LONG_SIDE
from stamina_video.backbone.perception.remembering import RememberingEyes
from stamina_video.evaluation.causality import Witness
from stamina_video.evaluation.running.ledgered import LedgerCounting
from stamina_video.runtime import Model, Session
from stamina_video.semantics import Observation, Operator, Target, graph_for
from stamina_video.semantics.pace import Pace, pace_for
from stamina_video.semantics.schedule import Access
from stamina_video.transitions.increments import IncrementHead
from stamina_video.transitions.scorer import EdgeScorer
from stamina_video.video import Gap

SNAPSHOT_EVERY = 10  # observations: what an interrupted pass looks at again at most


def under(model: Model, access: Access) -> Model:
    """The model as an access has it: in Full nothing leaves its window, and prefixes are seen again."""
    if access is Access.STREAM:
        return model
    full = model.full_access
    backbone = full.backbone
    if not isinstance(backbone, CompactBackbone):
        return full
    eyes = RememberingEyes(backbone.eyes)
    return replace(full, backbone=CompactBackbone(eyes, backbone.text, backbone.decoder))


@dataclass(frozen=True)
class ModelCounter:
    """A model under one access."""

    model: Model
    access: Access = Access.STREAM
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "model", under(self.model, self.access))

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def fingerprint(self) -> str:
        return self.model.fingerprint

    @property
    def settings(self) -> Mapping[str, Any]:
        backbone = self.model.backbone
        tokens = getattr(getattr(backbone, "config", None), "visual_tokens", None)
        resize = f"at most {tokens} visual tokens" if tokens else f"long side at most {LONG_SIDE} pixels"
        return {"resize": resize, "fsm": self.model.heads.config.fsm}

    @property
    def answers(self) -> frozenset[Operator]:
        return frozenset(Operator)

    def pace(self, targets: Sequence[Target]) -> Pace:
        if isinstance(self.model.backbone, CompactBackbone):
            return pace_for(targets)
        return Pace(1.0, "the paper's rate")

    def begin(
        self, witness: Witness, fps: float, targets: Sequence[Target], ledger: str | Path
    ) -> "ModelCounting":
        del fps  # a session takes observations as they come
        torch.manual_seed(self.seed)  # at every pass, so that nothing depends on which came before
        return ModelCounting(witness.stream, Session(self.model, targets, ledger, SNAPSHOT_EVERY))


class ModelCounting(LedgerCounting):
    def __init__(self, stream: str, session: Session) -> None:
        super().__init__(stream, session.ledger)
        self._session = session

    def observe(self, item: Observation | Gap) -> None:
        self._session.observe(item)

    def close(self) -> None:
        self._session.close()


class GraphlessScorer(IncrementHead):
    """A trained edge scorer asked one thing only: how likely a completion is, whatever came before."""

    def __init__(self, scorer: EdgeScorer, above: float) -> None:
        torch.nn.Module.__init__(self)
        self.scorer = scorer
        self.above = above

    def forward(self, inputs: Tensor, target: Tensor, operator: Operator) -> Tensor:
        """Logits of the likeliest completing edge, from whichever phase: (..., M, 2W) to (..., M)."""
        completing = [place for place, edge in enumerate(graph_for(operator).edges) if edge.increment]
        log_p: Tensor = self.scorer(inputs, target, operator)[..., completing].amax(-1)
        return log_p - torch.log1p(-log_p.exp().clamp(max=1 - 1e-6))


def without_graph(model: Model) -> Model:
    """The no-FSM control on a trained model: no phases, no legal order, a completion wherever it is likely.

    The paper retrains this condition; a model trained without the graph is already it, and stays as it is.
    """
    scorer = model.heads.events
    if not isinstance(scorer, EdgeScorer):
        return model
    heads = copy.copy(model.heads)
    heads._modules = dict(model.heads._modules)  # the copy's own table: the model given stays as it was
    heads.config = replace(model.heads.config, fsm=False)
    heads.events = GraphlessScorer(scorer, heads.config.increment_above)
    return replace(model, name=f"{model.name}-no-fsm", heads=heads)
