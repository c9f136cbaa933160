"""An image as the released model takes it: patches from its own processor, and where each token lies."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

ImageProcessor = Any  # transformers has two for Qwen, of one shape but no common type


@dataclass(frozen=True, slots=True)
class Sight:
    """One observation: a frame repeated to fill a temporal patch, as the processor repeats images."""

    patches: Tensor
    grid_3: Tensor  # temporal, rows, columns, before tokens are merged
    boxes_N4: Tensor  # left, top, right, bottom of every token, as fractions

    @property
    def tokens(self) -> int:
        return len(self.boxes_N4)


def look(processor: ImageProcessor, image: Any, most_tokens: int) -> Sight:
    """Resized to at most this many tokens, its aspect kept."""
    area = (processor.patch_size * processor.merge_size) ** 2
    seen = processor(
        images=[image],
        size={"shortest_edge": area, "longest_edge": area * most_tokens},
        input_data_format="channels_last",
        return_tensors="pt",
    )
    grid_3 = seen["image_grid_thw"][0]
    _, rows, columns = (grid_3 // torch.tensor([1, processor.merge_size, processor.merge_size])).tolist()
    return Sight(seen["pixel_values"], grid_3, _boxes(rows, columns))


def _boxes(rows: int, columns: int) -> Tensor:
    tops, lefts = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
    corners_N4 = torch.stack([lefts, tops, lefts + 1, tops + 1], dim=-1).flatten(0, 1)
    return corners_N4 / torch.tensor([columns, rows, columns, rows])
