"""Which individual a candidate is: scores over the shortlist, NEW and DEFER, and the hard choice."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import gelu

from stamina_video.transitions.assignment import assign
from stamina_video.transitions.config import HeadsConfig
from stamina_video.transitions.softmax import log_softmax

# C candidates, K shortlisted identities, L = K + 2 classes, W candidate width, H hidden width

NEW, DEFER = -2, -1  # the last two columns of the association's log probabilities


class Association(nn.Module):
    """g_id = w_idᵀ GELU(W_x x + W_d e_d + W_q q̄_c + c_id), softmax over shortlist ∪ {NEW, DEFER}."""

    def __init__(self, config: HeadsConfig) -> None:
        super().__init__()
        self.classes_2W = nn.Parameter(torch.randn(2, config.width) / config.width**0.5)  # NEW, DEFER
        self.from_candidate = nn.Linear(config.width, config.hidden)
        self.from_target = nn.Linear(config.target_width, config.hidden, bias=False)
        self.from_prototype = nn.Linear(config.width, config.hidden, bias=False)
        self.score = nn.Linear(config.hidden, 1, bias=False)

    def forward(self, features_CW: Tensor, target: Tensor, prototypes_CKW: Tensor) -> Tensor:
        """Log probabilities; columns are the shortlist in its order, then NEW, then DEFER."""
        here_CH = self.from_candidate(features_CW) + self.from_target(target)
        known_CKH = self.from_prototype(prototypes_CKW.detach().to(features_CW))
        scores_CK = self.score(gelu(here_CH[:, None] + known_CKH)).squeeze(-1)
        scores_C2 = self.score(gelu(here_CH[:, None] + self.from_prototype(self.classes_2W))).squeeze(-1)
        return log_softmax(torch.cat([scores_CK, scores_C2], dim=-1))


@dataclass(frozen=True, slots=True)
class Resolution:
    """Each visible candidate's identity, in candidate order; None is deferred."""

    identities: tuple[int | None, ...]
    known: int  # identities before this observation: ids from here on are new

    def is_new(self, candidate: int) -> bool:
        identity = self.identities[candidate]
        return identity is not None and identity >= self.known


@torch.no_grad()
def resolve(ids_CK: Tensor, log_probs_CL: Tensor, known: int) -> Resolution:
    """Assign one to one, maximising summed log probability; ties prefer DEFER, the oldest, NEW."""
    log_probs = log_probs_CL.double().cpu().numpy()
    ids = ids_CK.cpu().numpy()
    oldest_first, column = np.unique(ids, return_inverse=True)
    scores = np.full((len(ids), len(oldest_first) + 2), -np.inf)
    scores[:, 0] = log_probs[:, DEFER]
    scores[:, -1] = log_probs[:, NEW]
    np.put_along_axis(scores, column.reshape(ids.shape) + 1, log_probs[:, :NEW], axis=1)
    private = np.zeros(scores.shape[1], dtype=bool)
    private[[0, -1]] = True
    identities: list[int | None] = []
    following = known
    for option in assign(scores, private).tolist():
        if option == 0:
            identities.append(None)
        elif option <= len(oldest_first):
            identities.append(int(oldest_first[option - 1]))
        else:
            identities.append(following)
            following += 1
    return Resolution(tuple(identities), known)
