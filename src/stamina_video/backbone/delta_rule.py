"""The gated delta recurrence: a plain loop, and the chunked form it judges. Knows nothing of weights.

    Ā_i = γ_i A_{i−1},  A_i = Ā_i + η_i (u_i − Ā_i k_i) k_iᵀ,  readout A_i q_i

Retention γ is one number per head or one per key channel (a last axis of 1 or D); it comes as log γ.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

# B trajectories, H heads, L tokens, D head width, R retention width (1 or D), K chunks of C tokens


class DeltaInputs(NamedTuple):
    """What L tokens ask, write and forget; keys and queries are of unit length."""

    queries_BHLD: Tensor
    keys_BHLD: Tensor
    values_BHLD: Tensor
    log_retention_BHLR: Tensor
    write_BHL1: Tensor


# Advances a state (B, H, D, D) over the tokens: the readout at each, and the state after the last.
DeltaRule = Callable[[DeltaInputs, Tensor], tuple[Tensor, Tensor]]


def looped_delta_rule(inputs: DeltaInputs, state_BHDD: Tensor) -> tuple[Tensor, Tensor]:
    """One token after the other, as the equation stands."""
    readouts = []
    for query, key, value, log_retention, write in zip(*(part.unbind(2) for part in inputs), strict=True):
        retained_BHDD = state_BHDD * log_retention.exp().unsqueeze(-2)
        surprise_BHD1 = value.unsqueeze(-1) - retained_BHDD @ key.unsqueeze(-1)
        state_BHDD = retained_BHDD + write.unsqueeze(-1) * surprise_BHD1 @ key.unsqueeze(-2)
        readouts.append((state_BHDD @ query.unsqueeze(-1)).squeeze(-1))
    return torch.stack(readouts, dim=2), state_BHDD


def chunked_delta_rule(inputs: DeltaInputs, state_BHDD: Tensor, chunk: int = 128) -> tuple[Tensor, Tensor]:
    """The same values from matrix products over chunks.

    With G the running sum of log γ inside a chunk and A the state before it, the corrections
    w_i = η_i (u_i − Ā_i k_i) solve the unit lower triangular system
        w_i + η_i Σ_{j<i} (k_i·k_j) e^{G_i−G_j} w_j = η_i (u_i − A e^{G_i} k_i),
    which is linear in A: all chunks are solved at once, and only small products run in sequence.
    """
    tokens = inputs.keys_BHLD.shape[2]
    chunk = min(chunk, tokens)
    queries, keys, values, log_retention, write = (_in_chunks(part, chunk) for part in inputs)
    decay = log_retention.cumsum(-2)
    kept = decay.exp()
    apart = _decays_between(decay)
    system = write * _decayed_products(keys, keys, apart)  # its diagonal is not read
    right = write * torch.cat([values, kept * keys], dim=-1)
    solved = torch.linalg.solve_triangular(system, right, upper=False, unitriangular=True)
    wanted, predicted = solved.chunk(2, dim=-1)
    steps = (
        wanted,
        predicted,
        kept * queries,
        _decayed_products(queries, keys, apart),
        keys * (decay[..., -1:, :] - decay).exp(),
        kept[..., -1:, :],
    )
    readouts = []
    # unbind, not slices: the gradient of a slice is as large as the whole
    for want, predict, ask, attend, keep_key, keep in zip(*(part.unbind(2) for part in steps), strict=True):
        corrections_BHCD = want - predict @ state_BHDD.mT
        readouts.append(ask @ state_BHDD.mT + attend @ corrections_BHCD)
        state_BHDD = state_BHDD * keep + corrections_BHCD.mT @ keep_key
    return torch.cat(readouts, dim=2)[:, :, :tokens], state_BHDD


def truncated_delta_rule(
    rule: DeltaRule, span: int, inputs: DeltaInputs, state_BHDD: Tensor
) -> tuple[Tensor, Tensor]:
    """Any rule, with gradients that end every `span` tokens while the values persist."""
    readouts = []
    for index, pieces in enumerate(zip(*(torch.split(part, span, dim=2) for part in inputs), strict=True)):
        before_BHDD = state_BHDD.detach() if index else state_BHDD
        readouts_BHLD, state_BHDD = rule(DeltaInputs(*pieces), before_BHDD)
        readouts.append(readouts_BHLD)
    return torch.cat(readouts, dim=2), state_BHDD


def _in_chunks(part_BHLX: Tensor, chunk: int) -> Tensor:
    """(B, H, K, C, X); zeros fill the last chunk: they write nothing and retain everything."""
    missing = -part_BHLX.shape[2] % chunk
    return torch.unflatten(functional.pad(part_BHLX, (0, 0, 0, missing)), 2, (-1, chunk))


def _decays_between(decay: Tensor) -> Tensor:
    """(…, C, C, R): e^{G_i−G_j} for j ≤ i, else 0; only differences that cannot overflow are raised."""
    size = decay.shape[-2]
    later = torch.ones(size, size, dtype=torch.bool, device=decay.device).triu(1).unsqueeze(-1)
    return (decay.unsqueeze(-2) - decay.unsqueeze(-3)).masked_fill(later, -torch.inf).exp()


def _decayed_products(left: Tensor, right: Tensor, apart: Tensor) -> Tensor:
    """(…, C, C): left_i · right_j, each channel decayed from j to i."""
    if apart.shape[-1] == 1:
        return left @ right.mT * apart.squeeze(-1)
    return torch.einsum("...id,...jd,...ijd->...ij", left, right, apart)
