"""The nearest prototypes by cosine, exactly, over any number of identities."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from stamina_video.transitions.cosines import unit
from stamina_video.transitions.registry import ROWS, Registry

# C candidates, K shortlist, N blocks of R rows in groups of G

GROUP = 32


@dataclass(frozen=True, eq=False, slots=True)
class Shortlist:
    """Each candidate's nearest identities, nearest first, the oldest first among equals."""

    ids_CK: Tensor
    cosines_CK: Tensor  # float32
    beyond_C: Tensor | None = None  # cosine of the nearest one left out, where any is

    def column_of(self, candidate: int, identity: int) -> int | None:
        """Where a verified identity stands in the shortlist; None is a retrieval miss."""
        ids: list[int] = self.ids_CK[candidate].tolist()
        return ids.index(identity) if identity in ids else None


@torch.no_grad()
def nearest(registry: Registry, features_CW: Tensor, most: int) -> Shortlist:
    """The `most` nearest identities of every candidate, or all where there are fewer."""
    keep = min(most, len(registry))
    if keep == 0 or len(features_CW) == 0:
        empty = features_CW.new_zeros(len(features_CW), keep, dtype=torch.float32)
        return Shortlist(empty.long(), empty)
    cosines_NCR = _cosines(registry, unit(features_CW))
    rows, ids, values = _contenders(cosines_NCR, most + 1)
    # Grouped by candidate, then nearest, then oldest.
    order = np.lexsort((ids, -values, rows))
    starts_C = np.searchsorted(rows[order], np.arange(len(features_CW)))
    picked_CK = order[starts_C[:, None] + np.arange(keep)]
    device = features_CW.device
    beyond = values[order[starts_C + keep]] if keep < len(registry) else None
    return Shortlist(
        torch.from_numpy(ids[picked_CK]).to(device),
        torch.from_numpy(values[picked_CK]).to(device),
        None if beyond is None else torch.from_numpy(beyond),
    )


def _cosines(registry: Registry, unit_CW: Tensor) -> Tensor:
    cosines_NCR = unit_CW.new_empty(len(registry.blocks), len(unit_CW), ROWS)
    for cosines_CR, block in zip(cosines_NCR, registry.blocks, strict=True):
        torch.mm(unit_CW, block.prototypes_RW.T, out=cosines_CR)
        cosines_CR.mul_(block.scales_R)
    last = len(registry) - (len(registry.blocks) - 1) * ROWS
    cosines_NCR[-1, :, last:] = -torch.inf
    return cosines_NCR


def _contenders(
    cosines_NCR: Tensor, most: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.floating]]:
    """Candidate, id and cosine of all that can be among the nearest, every tie included.

    The `most`-th greatest of the groups' maxima cannot exceed the `most`-th greatest cosine.
    """
    grouped_NCHG = cosines_NCR.view(*cosines_NCR.shape[:2], -1, GROUP)
    maxima_NCH = grouped_NCHG.amax(-1)
    maxima_CM = maxima_NCH.transpose(0, 1).flatten(1)
    floor_C = (
        maxima_CM.topk(most).values[:, -1]
        if most <= maxima_CM.shape[1]
        else maxima_CM.new_full((maxima_CM.shape[0],), -torch.inf)
    )
    block, row, group = (maxima_NCH >= floor_C[:, None]).nonzero(as_tuple=True)
    values_PG = grouped_NCHG[block, row, group]
    place, offset = (values_PG >= floor_C[row, None]).nonzero(as_tuple=True)
    ids = block[place] * ROWS + group[place] * GROUP + offset
    return row[place].cpu().numpy(), ids.cpu().numpy(), values_PG[place, offset].cpu().numpy()
