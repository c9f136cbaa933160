"""Attention over the tokens of the last few observations; what it keeps is a value."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from stamina_video.backbone.clock import rotate

# B trajectories, T observations, N tokens of one, E width, H heads, D head width


@dataclass(frozen=True, slots=True)
class Seen:
    """One past observation as attention reads it: keys already turned by their time."""

    keys_BHND: Tensor
    values_BHND: Tensor
    present_BN: Tensor

    def alone(self) -> "Seen":
        """A copy that does not hold the whole sequence in memory, as a view of it would."""
        return Seen(self.keys_BHND.clone(), self.values_BHND.clone(), self.present_BN.clone())


Window = tuple[Seen, ...]  # oldest first; forks share it, appending makes another


class WindowAttention(nn.Module):
    """Full attention inside an observation, causal between observations, back over `window` of them."""

    def __init__(self, width: int, heads: int, window: int | None) -> None:
        super().__init__()
        self.heads = heads
        self.window = window  # None: everything since the origin
        self.project = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def forward(
        self, tokens_BTNE: Tensor, times_BT: Tensor, present_BTN: Tensor, past: Window
    ) -> tuple[Tensor, Window]:
        queries, keys, values = (
            torch.unflatten(part, -1, (self.heads, -1)) for part in self.project(tokens_BTNE).chunk(3, dim=-1)
        )
        queries_BTHND = rotate(queries, times_BT).transpose(2, 3)
        keys_BTHND = rotate(keys, times_BT).transpose(2, 3)
        values_BTHND = values.transpose(2, 3)
        # unbind, not slices: the gradient of a slice is as large as the whole sequence
        seen = past + tuple(map(Seen, keys_BTHND.unbind(1), values_BTHND.unbind(1), present_BTN.unbind(1)))
        attended = []
        for step, queries_BHND in enumerate(queries_BTHND.unbind(1), start=len(past) + 1):
            attended.append(_attend(queries_BHND, seen[self._oldest(step) : step]))
        attended_BTNE = torch.stack(attended, dim=1).transpose(2, 3).flatten(3)
        oldest = self._oldest(len(seen) + 1)
        fresh = tuple(one.alone() for one in seen[max(oldest, len(past)) :])
        return self.out(attended_BTNE), past[oldest:] + fresh

    def _oldest(self, step: int) -> int:
        return 0 if self.window is None else max(0, step - self.window)


def _attend(queries_BHND: Tensor, seen: Window) -> Tensor:
    present_BS = torch.cat([one.present_BN for one in seen], dim=1)
    return functional.scaled_dot_product_attention(
        queries_BHND,
        torch.cat([one.keys_BHND for one in seen], dim=2),
        torch.cat([one.values_BHND for one in seen], dim=2),
        attn_mask=present_BS[:, None, None, :],
    )
