"""What we rely on in transformers beyond its documentation, checked before anything is built on it."""

import inspect
from collections.abc import Callable
from typing import Any

import transformers
from transformers.cache_utils import DynamicLayer
from transformers.models.qwen3_vl import modeling_qwen3_vl as released

from stamina_video.semantics import MissingExtra

TESTED = "5.22.2"

# Each callable, and the parameters we pass to it or read in a hook on it.
RELIED_ON: tuple[tuple[str, Callable[..., Any], frozenset[str]], ...] = (
    (
        "Qwen3VLTextModel.forward",
        released.Qwen3VLTextModel.forward,
        frozenset({"inputs_embeds", "past_key_values", "visual_pos_masks", "kwargs"}),
    ),
    (
        "Qwen3VLTextDecoderLayer.forward",
        released.Qwen3VLTextDecoderLayer.forward,
        frozenset({"hidden_states", "past_key_values", "kwargs"}),
    ),
    (
        "Qwen3VLTextAttention.forward",
        released.Qwen3VLTextAttention.forward,
        frozenset({"hidden_states", "past_key_values", "kwargs"}),
    ),
    (
        "Qwen3VLModel.forward",
        released.Qwen3VLModel.forward,
        frozenset({"input_ids", "position_ids", "past_key_values", "pixel_values_videos", "video_grid_thw"}),
    ),
    (
        "Qwen3VLModel.get_rope_index",
        released.Qwen3VLModel.get_rope_index,
        frozenset({"input_ids", "mm_token_type_ids", "video_grid_thw"}),
    ),
    ("DynamicLayer.update", DynamicLayer.update, frozenset({"key_states", "value_states"})),
)


def check_transformers() -> None:
    """One line that says which assumption this version of transformers breaks."""
    for name, function, parameters in RELIED_ON:
        missing = parameters - set(inspect.signature(function).parameters)
        if missing:
            raise broken(f"{name} without {', '.join(sorted(missing))}")


def broken(what: str) -> MissingExtra:
    return MissingExtra(
        f"expected transformers to work as {TESTED} does, got {what} in {transformers.__version__}: "
        f"pip install transformers=={TESTED}"
    )
