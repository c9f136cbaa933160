"""Which candidate shows which verified individual: by their boxes, one to one. Labels only, never inputs."""

from collections.abc import Sequence

import torch
from scipy.optimize import linear_sum_assignment
from torch import Tensor

from stamina_video.training.sample import Shown
from stamina_video.transitions.candidates import Candidates

SAME = 0.5  # overlap over union


def matched(candidates: Candidates, boxes_J4: Tensor, shown: Sequence[Shown]) -> dict[int, str]:
    """Identities by candidate; candidates that look at nobody verified, or at two alike, are left out."""
    if not shown or len(candidates.attention_CJ) == 0:
        return {}
    return paired(boxes_J4[candidates.attention_CJ.argmax(1)], shown)


def paired(boxes_C4: Tensor, shown: Sequence[Shown]) -> dict[int, str]:
    """Identities by box; of several that show one, the closest has it."""
    if not shown or len(boxes_C4) == 0:
        return {}
    overlaps_CS = _overlaps(boxes_C4, torch.tensor([one.box for one in shown]))
    rows, columns = linear_sum_assignment(overlaps_CS.numpy(), maximize=True)
    return {
        row: shown[column].identity
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        if overlaps_CS[row, column] >= SAME
    }


def _overlaps(first_A4: Tensor, second_B4: Tensor) -> Tensor:
    left_top = torch.maximum(first_A4[:, None, :2], second_B4[None, :, :2])
    right_bottom = torch.minimum(first_A4[:, None, 2:], second_B4[None, :, 2:])
    shared_AB = (right_bottom - left_top).clamp(min=0).prod(-1)
    areas_A, areas_B = ((boxes[:, 2:] - boxes[:, :2]).prod(-1) for boxes in (first_A4, second_B4))
    return shared_AB / (areas_A[:, None] + areas_B[None] - shared_AB).clamp(min=1e-9)
