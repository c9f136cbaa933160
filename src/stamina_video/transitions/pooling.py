"""Target-conditioned pooling: visual vectors in, candidates out. Knows nothing of identities or events."""

import math

import torch
from torch import Tensor, nn

from stamina_video.transitions.candidates import Candidates, surviving
from stamina_video.transitions.config import HeadsConfig

# Q pooling queries, J visual vectors, W their width, D attention width, C survivors


class Pooling(nn.Module):
    """x_i = Σ_j α_ij v_j, α_ij ∝ exp[(q_i + W_d e_d)ᵀ W_v v_j / √D]; visibility σ(w_vᵀ x_i + b_v)."""

    def __init__(self, config: HeadsConfig) -> None:
        super().__init__()
        self.visible_above = config.visible_above
        self.duplicate_cosine = config.duplicate_cosine
        self._gathered, self._missed = config.gathered_columns, config.missed_column
        self._forgiven = config.forgiven
        # Unit scale: near-equal queries would pool near-equal candidates, and duplicates get no gradient.
        self.queries_QD = nn.Parameter(torch.randn(config.queries, config.attention))
        self.from_target = nn.Linear(config.target_width, config.attention, bias=False)
        self.from_visual = nn.Linear(config.width, config.attention, bias=False)
        self.visibility = nn.Linear(config.width, 1)

    def forward(self, tokens_JW: Tensor, target: Tensor) -> Candidates:
        if len(tokens_JW) == 0:
            return _nothing(tokens_JW)
        attention_QJ = self.attend(tokens_JW, target)
        features_QW = attention_QJ @ tokens_JW
        visibilities_Q = self.visibility(features_QW).squeeze(-1).sigmoid()
        queries = surviving(features_QW, visibilities_Q, self.duplicate_cosine)
        kept_C = torch.tensor(queries, device=tokens_JW.device)
        visibilities_C = visibilities_Q[kept_C]
        return Candidates(
            features_QW[kept_C],
            visibilities_C,
            visibilities_C.detach() > self.visible_above,
            tuple(queries),
            attention_QJ.detach()[kept_C],
        )

    @torch.no_grad()
    def gather(self, tokens_JW: Tensor, target: Tensor) -> Tensor:
        """ν_i, then x_i in the columns that are gathered, (..., J, W) to (..., Q, 1 + G).

        Whoever has just gone is looked for as if seen, for what he did by going. Events teach no pooling.
        """
        if self._missed is not None:
            tokens_JW = tokens_JW.clone()
            tokens_JW[..., self._missed] = (tokens_JW[..., self._missed] - self._forgiven).clamp(min=0)
        asked_QW = self.asked(target)
        features_QW = self.scores(asked_QW, tokens_JW).softmax(-1) @ tokens_JW
        visible_Q1 = self.visibility(features_QW).sigmoid()
        return torch.cat([visible_Q1, features_QW[..., self._gathered]], dim=-1)

    def attend(self, tokens_JW: Tensor, target: Tensor) -> Tensor:
        return self.scores(self.asked(target), tokens_JW).softmax(-1)

    def asked(self, target: Tensor) -> Tensor:
        """What each query looks for, (..., D) to (..., Q, W): any axes may stand before."""
        asked_QD = self.queries_QD + self.from_target(target).unsqueeze(-2)
        # Queries are fewer than visual vectors, so W_v goes to their side of the product.
        asked_QW: Tensor = asked_QD @ self.from_visual.weight
        return asked_QW

    def scores(self, asked_QW: Tensor, tokens_JW: Tensor) -> Tensor:
        return asked_QW @ tokens_JW.mT / math.sqrt(self.queries_QD.shape[1])


def _nothing(tokens_JW: Tensor) -> Candidates:
    none = tokens_JW.new_zeros(0)
    return Candidates(tokens_JW, none, none > 0, (), tokens_JW.new_zeros(0, 0))
