"""What attention keeps of a stream: keys and values of the latest observations, and their positions."""

from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor
from transformers.cache_utils import DynamicCache, DynamicLayer
from transformers.models.qwen3_vl.modeling_qwen3_vl import rotate_half

from stamina_video.semantics import InvalidInput

# H key-value heads, L tokens, D head width


@dataclass(frozen=True, slots=True)
class Window:
    """Keys stand as the released attention turned them: by the positions they were observed at.

    An observation leaves whole. Positions go on as if it were still there, so that what remains keeps
    its distances; only when they grow too large are all of them moved back together.
    """

    keys: tuple[Tensor, ...] = ()  # (1, H, L, D) of every block; empty at the origin
    values: tuple[Tensor, ...] = ()
    lengths: tuple[int, ...] = ()  # tokens of every observation kept, oldest first
    starts: tuple[int, ...] = ()  # the position of its first token
    position: int = 0  # of the next token

    @property
    def tokens(self) -> int:
        return sum(self.lengths)

    def room_for(self, tokens: int, most: int | None) -> "Window":
        """The oldest observations leave until the new tokens fit."""
        if most is None or self.tokens + tokens <= most:
            return self
        if tokens > most:
            raise InvalidInput(f"expected an observation of at most {most} tokens, the window, got {tokens}")
        gone = leaving = 0
        while self.tokens - gone + tokens > most:
            gone += self.lengths[leaving]
            leaving += 1
        return replace(
            self,
            keys=tuple(part[:, :, gone:] for part in self.keys),
            values=tuple(part[:, :, gone:] for part in self.values),
            lengths=self.lengths[leaving:],
            starts=self.starts[leaving:],
        )

    def moved_back(self, frequencies_F: Tensor) -> "Window":
        """The same window with its oldest token at position 0; attention reads distances alone."""
        back = self.starts[0] if self.starts else self.position
        return replace(
            self,
            keys=tuple(turned(part, -back, frequencies_F) for part in self.keys),
            starts=tuple(start - back for start in self.starts),
            position=self.position - back,
        )

    def cache(self) -> DynamicCache:
        """A cache that shares these tensors: growing it makes others."""
        layers = [DynamicLayer() for _ in self.keys]  # type: ignore[no-untyped-call]  # untyped there
        return _cache(layers, self)

    def fork(self, room: int) -> DynamicCache:
        """A cache to be dropped: it copies the window once, when it is first written, with room for more."""
        return _cache([RoomyLayer(room) for _ in self.keys], self)

    def appended(self, cache: DynamicCache, tokens: int, position: int) -> "Window":
        """What the cache holds after it took in an observation; `position` is the next token's."""
        layers: list[Any] = cache.layers
        return Window(
            tuple(layer.keys for layer in layers),
            tuple(layer.values for layer in layers),
            (*self.lengths, tokens),
            (*self.starts, self.position),
            position,
        )


class RoomyLayer(DynamicLayer):  # type: ignore[no-untyped-call]  # its base registers itself untyped
    """Grows in place: what it began with is copied once, instead of once for every new token."""

    def __init__(self, room: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # untyped there
        self._room = room
        self._buffers: tuple[Tensor, Tensor] | None = None

    def update(
        self, key_states: Tensor, value_states: Tensor, *_args: Any, **_kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        assert self.keys is not None, "a fork begins with the window it was made of"
        assert self.values is not None, "a fork begins with the window it was made of"
        start, end = self.keys.shape[-2], self.keys.shape[-2] + key_states.shape[-2]
        if self._buffers is None or self._buffers[0].shape[-2] < end:
            self._buffers = (
                _roomier(self.keys, end + self._room),
                _roomier(self.values, end + self._room),
            )
        for buffer, new in zip(self._buffers, (key_states, value_states), strict=True):
            buffer[:, :, start:end] = new
        self.keys, self.values = (buffer[:, :, :end] for buffer in self._buffers)
        return self.keys, self.values


def turned(keys: Tensor, by: int, frequencies_F: Tensor) -> Tensor:
    """Keys as if observed `by` positions later, on all three axes of M-RoPE alike."""
    # float64, which not every device has: `by` is large, and a turn is what is left over.
    angles_F = by * frequencies_F.cpu().double()
    cos_D, sin_D = (torch.cat([wave, wave]).to(keys) for wave in (angles_F.cos(), angles_F.sin()))
    crossed: Tensor = rotate_half(keys)  # type: ignore[no-untyped-call]  # untyped there
    return keys * cos_D + crossed * sin_D


def _cache(layers: list[Any], window: Window) -> DynamicCache:
    cache = DynamicCache()
    for layer, keys, values in zip(layers, window.keys, window.values, strict=True):
        layer.lazy_initialization(keys, values)
        layer.keys, layer.values = keys, values
        cache.layers.append(layer)
    return cache


def _roomier(part: Tensor, tokens: int) -> Tensor:
    buffer = part.new_empty((*part.shape[:2], tokens, part.shape[-1]))
    buffer[:, :, : part.shape[-2]] = part
    return buffer
