"""Cosines in float32, whatever precision the heads run in: thresholds and ties must not depend on it."""

import torch
from torch import Tensor
from torch.nn.functional import normalize

# C and S rows of width W


def unit(rows_CW: Tensor) -> Tensor:
    """Rows of length one; a row of zeros stays zero."""
    return normalize(rows_CW.float(), dim=-1)


@torch.no_grad()
def cosines(rows_CW: Tensor, others_SW: Tensor) -> Tensor:
    """Every row against every other; autocast would round the product to half precision."""
    with torch.autocast(rows_CW.device.type, enabled=False):
        unit_CW = unit(rows_CW)
        return unit_CW @ (unit_CW if others_SW is rows_CW else unit(others_SW)).T
