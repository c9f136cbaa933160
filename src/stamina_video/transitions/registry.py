"""The identities accepted so far, as a value: one prototype each, never evicted. Forking is free.

An identity's id is its place in the order of acceptance, so a smaller id is an older identity. Rows live
in blocks that forks share; a write copies only the blocks it touches. Prototypes are float32 whatever
precision wrote them, so that heads of any precision may read a registry and retrieval orders it alike.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

# N identities, R rows of a block, W prototype width, C written or asked identities

ROWS = 512


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """Rows of identities; those beyond the registry's size are blank."""

    prototypes_RW: Tensor
    scales_R: Tensor  # one over the prototype's length
    accepted_R: Tensor  # seconds
    seen_R: Tensor  # seconds, of the last match

    @classmethod
    def blank(cls, like: Tensor) -> "Block":
        times = torch.zeros(ROWS, dtype=torch.float64)
        return cls(like.new_zeros(ROWS, like.shape[-1]), like.new_zeros(ROWS), times, times)

    def with_rows(self, rows: list[int], born: list[bool], features_CW: Tensor, time: float) -> "Block":
        block = Block(
            self.prototypes_RW.clone(), self.scales_R.clone(), self.accepted_R.clone(), self.seen_R.clone()
        )
        places = torch.tensor(rows, device=features_CW.device)
        block.prototypes_RW.index_copy_(0, places, features_CW)
        lengths_C = torch.linalg.vector_norm(features_CW, dim=-1)
        block.scales_R.index_copy_(0, places, lengths_C.clamp_min(1e-12).reciprocal())
        accepted, seen = block.accepted_R.numpy(), block.seen_R.numpy()
        accepted[[row for row, new in zip(rows, born, strict=True) if new]] = time
        seen[rows] = time
        return block


@dataclass(frozen=True, eq=False, slots=True)
class Registry:
    width: int
    size: int = 0
    blocks: tuple[Block, ...] = ()

    def __len__(self) -> int:
        return self.size

    def write(self, ids: Sequence[int], features_CW: Tensor, time: float) -> "Registry":
        """Replace the prototypes of known ids and append the next ones; the receiver keeps its own."""
        size = max((self.size, *(identity + 1 for identity in ids)))
        assert len(set(ids)) == len(ids), "an identity is written once an observation"
        assert set(range(self.size, size)) <= set(ids), "new identities take the next ids"
        features_CW = features_CW.detach().float()
        blocks = list(self.blocks)
        blocks += [Block.blank(features_CW)] * (-(-size // ROWS) - len(blocks))
        for index in sorted({identity // ROWS for identity in ids}):
            mine = [place for place, identity in enumerate(ids) if identity // ROWS == index]
            rows = [ids[place] % ROWS for place in mine]
            born = [ids[place] >= self.size for place in mine]
            blocks[index] = blocks[index].with_rows(rows, born, features_CW[mine], time)
        return replace(self, size=size, blocks=tuple(blocks))

    def prototypes(self, ids: Tensor) -> Tensor:
        """The stored vectors of these ids, one more axis than `ids`."""
        if not self.blocks:
            return torch.zeros(*ids.shape, self.width)
        flat = ids.reshape(-1)
        owners = flat // ROWS
        rows_CW = self.blocks[0].prototypes_RW.new_empty(len(flat), self.width)
        for index in sorted(set(owners.tolist())):
            mine = (owners == index).nonzero().squeeze(1)
            rows_CW.index_copy_(0, mine, self.blocks[index].prototypes_RW.index_select(0, flat[mine] % ROWS))
        return rows_CW.reshape(*ids.shape, self.width)

    def accepted(self, identity: int) -> float:
        return float(self._block(identity).accepted_R.numpy()[identity % ROWS])

    def seen(self, identity: int) -> float:
        return float(self._block(identity).seen_R.numpy()[identity % ROWS])

    def to_tensors(self) -> dict[str, Tensor]:
        """Every row in id order."""
        blocks = self.blocks or (Block.blank(torch.zeros(0, self.width)),)
        columns = zip(*(_parts(block) for block in blocks), strict=True)
        return {
            name: torch.cat(parts)[: self.size].contiguous()
            for name, parts in zip(_COLUMNS, columns, strict=True)
        }

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, Tensor]) -> "Registry":
        size, width = tensors["prototypes"].shape
        columns = [torch.split(_padded(tensors[name].to(dtype)), ROWS) for name, dtype in _COLUMNS.items()]
        blocks = tuple(Block(*parts) for parts in zip(*columns, strict=True))
        return cls(width, size, blocks[: -(-size // ROWS)])

    def _block(self, identity: int) -> Block:
        assert 0 <= identity < self.size, f"identity {identity} of {self.size}"
        return self.blocks[identity // ROWS]


_COLUMNS = {
    "prototypes": torch.float32,
    "scales": torch.float32,
    "accepted": torch.float64,
    "seen": torch.float64,
}


def _parts(block: Block) -> tuple[Tensor, ...]:
    return block.prototypes_RW, block.scales_R, block.accepted_R, block.seen_R


def _padded(rows_N: Tensor) -> Tensor:
    missing = -len(rows_N) % ROWS
    return torch.cat([rows_N, rows_N.new_zeros(missing, *rows_N.shape[1:])])
