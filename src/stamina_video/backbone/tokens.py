"""Percepts as padded tensors: what the decoder reads, for one observation or for whole trajectories."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from stamina_video.backbone.perception.percept import Percept
from stamina_video.semantics import InvalidInput

# B trajectories, T observations, N tokens, widths: P appearance, S names, M motion, C colour, L life


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """T observations of each of B trajectories; `present_BTN` is False where padding stands."""

    times_BT: Tensor  # float64: a stream may run for days
    present_BTN: Tensor
    appearance_BTNP: Tensor
    boxes_BTN4: Tensor
    names_BTNS: Tensor
    scores_BTN: Tensor
    motion_BTNM: Tensor
    colour_BTNC: Tensor
    life_BTNL: Tensor
    kind_BTN: Tensor
    seat_BTN: Tensor


Trajectory = Sequence[tuple[float, Percept]]


def collate(trajectories: Sequence[Trajectory]) -> TokenBatch:
    """Pads observations to the most tokens, and shorter trajectories with observations of no token."""
    if not trajectories or not all(trajectories):
        raise InvalidInput("expected at least one observation in every trajectory, got none")
    percepts = [percept for trajectory in trajectories for _, percept in trajectory]
    lengths = [len(trajectory) for trajectory in trajectories]
    # A padded observation repeats the last time, so that no time passes in it.
    times_BT = torch.tensor(
        [
            [trajectory[min(step, len(trajectory) - 1)][0] for step in range(max(lengths))]
            for trajectory in trajectories
        ],
        dtype=torch.float64,
    )

    def padded(arrays: list[NDArray[Any]]) -> Tensor:
        flat_XN = pad_sequence([torch.from_numpy(array) for array in arrays], batch_first=True)
        return pad_sequence(list(torch.split(flat_XN, lengths)), batch_first=True)

    return TokenBatch(
        times_BT,
        padded([np.ones(len(percept.scores_N), dtype=bool) for percept in percepts]),
        padded([percept.appearance_NP for percept in percepts]),
        padded([percept.boxes_N4 for percept in percepts]),
        padded([percept.names_NS for percept in percepts]),
        padded([percept.scores_N for percept in percepts]),
        padded([percept.motion_NM for percept in percepts]),
        padded([percept.colour_NC for percept in percepts]),
        padded([percept.life_NL for percept in percepts]),
        padded([percept.kind_N for percept in percepts]).long(),
        padded([percept.seat_N for percept in percepts]).long(),
    )
