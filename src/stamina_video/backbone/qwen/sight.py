"""One observation as the released model takes it: a timestamp and a frame, in its own tokens and patches."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import PreTrainedTokenizerBase

from stamina_video.backbone.qwen.model import Qwen
from stamina_video.semantics import InvalidInput

# L tokens, N of them visual

ImageProcessor = Any  # transformers has two for Qwen, of one shape but no common type
VIDEO = 2  # the released code's type of a token that stands for a part of a video; 0 is text


@dataclass(frozen=True, slots=True)
class Sight:
    """A frame is repeated to fill a temporal patch, as the released processor repeats images."""

    ids_L: Tensor
    is_visual_L: Tensor
    positions_3L: Tensor  # time, row and column, from 0
    patches: Tensor
    grid_3: Tensor  # temporal, rows, columns, before tokens are merged
    boxes_N4: Tensor  # left, top, right, bottom of every visual token, as fractions

    @property
    def span(self) -> int:
        """How many positions it takes; fewer than tokens, for a frame's share them."""
        return int(self.positions_3L.max()) + 1


class Sights:
    """Makes sights with the released processor and tokenizer, on the model's device."""

    def __init__(self, qwen: Qwen, tokenizer: PreTrainedTokenizerBase, processor: ImageProcessor) -> None:
        self._qwen = qwen
        self._config: Any = qwen.released.config
        self._tokenizer = tokenizer
        self._processor = processor

    def see(self, image: Any, time: float, most_tokens: int) -> Sight:
        """The image at its aspect, in at most so many visual tokens."""
        patches, grid_3 = self._patches(image, most_tokens)
        merge = self._config.vision_config.spatial_merge_size
        boxes_N4 = _boxes(int(grid_3[1]) // merge, int(grid_3[2]) // merge)
        ids_L, is_visual_L = self._tokens(time, len(boxes_N4))
        positions_3BL: Tensor
        positions_3BL, _ = self._qwen.released.model.get_rope_index(
            ids_L.unsqueeze(0),
            mm_token_type_ids=(VIDEO * is_visual_L.int()).unsqueeze(0),
            video_grid_thw=grid_3.unsqueeze(0),
        )
        parts = (ids_L, is_visual_L, positions_3BL[:, 0], patches, grid_3, boxes_N4)
        return Sight(*(part.to(self._qwen.device) for part in parts))

    def _patches(self, image: Any, most_tokens: int) -> tuple[Tensor, Tensor]:
        if not isinstance(image, np.ndarray) or image.ndim != 3 or image.shape[-1] != 3:
            raise InvalidInput(f"expected an image of height × width × 3, got {_shape(image)}")
        area = (self._processor.patch_size * self._processor.merge_size) ** 2
        try:
            seen = self._processor(
                images=[image],
                size={"shortest_edge": area, "longest_edge": area * most_tokens},
                input_data_format="channels_last",
                return_tensors="pt",
            )
        except ValueError as error:
            raise InvalidInput(f"expected an image Qwen3-VL can see, got {_shape(image)}: {error}") from None
        return seen["pixel_values"], seen["image_grid_thw"][0]

    def _tokens(self, time: float, visual: int) -> tuple[Tensor, Tensor]:
        """As the released processor writes every frame of a video into a prompt."""
        stamp = self._tokenizer(f"<{time:.1f} seconds>", add_special_tokens=False)["input_ids"]
        frame = [self._config.video_token_id] * visual
        ids = [*stamp, self._config.vision_start_token_id, *frame, self._config.vision_end_token_id]
        is_visual_L = torch.zeros(len(ids), dtype=torch.bool)
        is_visual_L[len(stamp) + 1 : -1] = True
        return torch.tensor(ids), is_visual_L


def _boxes(rows: int, columns: int) -> Tensor:
    tops, lefts = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
    corners_N4 = torch.stack([lefts, tops, lefts + 1, tops + 1], dim=-1).flatten(0, 1)
    return corners_N4 / torch.tensor([columns, rows, columns, rows])


def _shape(image: Any) -> str:
    return " × ".join(map(str, image.shape)) if isinstance(image, np.ndarray) else type(image).__name__
