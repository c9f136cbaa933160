"""What the full-size backbone carries from one observation to the next: a value."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from stamina_video.backbone.qwen.memory import Memories
from stamina_video.backbone.qwen.window import Window


@dataclass(frozen=True, slots=True)
class QwenState:
    window: Window
    memories: Memories
    time: float | None = None  # of the last observation
    unrolled: int = 0  # tokens since gradients last ended; a snapshot has none

    def detached(self) -> "QwenState":
        """The same values, where gradients end."""
        keys, values = (tuple(map(Tensor.detach, part)) for part in (self.window.keys, self.window.values))
        window = replace(self.window, keys=keys, values=values)
        return QwenState(window, tuple(map(Tensor.detach, self.memories)), self.time)

    def tensors(self) -> dict[str, Tensor]:
        """Every number as a tensor: a snapshot does not grow with the digits of a position."""
        window = self.window
        named = {f"memory.{place}": state for place, state in enumerate(self.memories)}
        named |= {f"keys.{block}": keys for block, keys in enumerate(window.keys)}
        named |= {f"values.{block}": values for block, values in enumerate(window.values)}
        named["observations"] = torch.tensor([window.lengths, window.starts], dtype=torch.int64)
        named["position"] = torch.tensor(window.position)
        if self.time is not None:
            named["time"] = torch.tensor(self.time, dtype=torch.float64)
        return named

    @classmethod
    def from_tensors(cls, named: Mapping[str, Tensor]) -> "QwenState":
        def under(prefix: str) -> tuple[Tensor, ...]:
            count = sum(name.startswith(prefix) for name in named)
            return tuple(named[f"{prefix}{number}"] for number in range(count))

        lengths, starts = named["observations"].tolist()
        position = int(named["position"])
        window = Window(under("keys."), under("values."), tuple(lengths), tuple(starts), position)
        time = named.get("time")
        return cls(window, under("memory."), None if time is None else float(time))
