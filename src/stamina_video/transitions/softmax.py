"""Log probabilities from scores of any precision."""

import torch
from torch import Tensor


def log_softmax(scores: Tensor) -> Tensor:
    """Over the last axis, in float32 at least: half precision does not sum to one."""
    return scores.log_softmax(-1, dtype=torch.promote_types(scores.dtype, torch.float32))
