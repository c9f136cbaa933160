"""How time enters the decoder: rotations by timestamp, and the time since the previous observation."""

import math

import torch
from torch import Tensor

SHORTEST_PERIOD, LONGEST_PERIOD = 0.25, 256.0  # seconds: half a fast repetition, a slow scene
ELAPSED_WIDTH = 2
_OCTAVES = 8.0  # elapsed times from 1/256 to 256 seconds are told apart


def rotate(vectors_BTNHD: Tensor, times_BT: Tensor) -> Tensor:
    """Turns pairs in the first half of D by angles that grow with time, at periods from short to long.

    Products of two rotated vectors depend on the time between them alone, whatever the rate; the
    second half of D stays, for matches at any distance.
    """
    pairs = vectors_BTNHD.shape[-1] // 4
    periods_F = torch.logspace(
        math.log10(SHORTEST_PERIOD), math.log10(LONGEST_PERIOD), pairs, dtype=torch.float64
    )
    # float64 until the turn is known: after a day, float32 could not tell neighbouring frames apart.
    angles_BTF = 2 * math.pi * times_BT.unsqueeze(-1) / periods_F.to(times_BT.device)
    angles_BT11F = angles_BTF[:, :, None, None]
    cos, sin = angles_BT11F.cos().to(vectors_BTNHD.dtype), angles_BT11F.sin().to(vectors_BTNHD.dtype)
    left, right, still = torch.tensor_split(vectors_BTNHD, (pairs, 2 * pairs), dim=-1)
    return torch.cat([left * cos - right * sin, left * sin + right * cos, still], dim=-1)


def elapsed_features(times_BT: Tensor, previous_B: Tensor | None) -> Tensor:
    """(B, T, 2): whether an observation came before, and the logarithm of the seconds since, in [−1, 1]."""
    if previous_B is None:
        since_BT = times_BT.diff(prepend=times_BT[:, :1])
    else:
        since_BT = times_BT.diff(prepend=previous_B.unsqueeze(1))
    log_BT = since_BT.clamp(2.0**-_OCTAVES, 2.0**_OCTAVES).log2() / _OCTAVES
    known_BT = torch.ones_like(log_BT)
    if previous_B is None:
        known_BT[:, 0] = 0.0
    return torch.stack([known_BT, known_BT * log_BT], dim=-1).float()
