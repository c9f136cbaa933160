"""What we rely on in transformers beyond its documentation, checked before anything is built on it."""

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

import transformers

from stamina_video.semantics import MissingExtra

TESTED = "5.22.2"

_QWEN = "transformers.models.qwen3_vl.modeling_qwen3_vl"
_CACHE = "transformers.cache_utils"
_DELTA = "transformers.models.qwen3_5.modeling_qwen3_5"

# Where each callable is, and the parameters we pass to it or read in a hook on it.
RELIED_ON: tuple[tuple[str, str, frozenset[str]], ...] = (
    (
        _QWEN,
        "Qwen3VLTextModel.forward",
        frozenset({"inputs_embeds", "past_key_values", "visual_pos_masks", "kwargs"}),
    ),
    (
        _QWEN,
        "Qwen3VLTextDecoderLayer.forward",
        frozenset({"hidden_states", "past_key_values", "kwargs"}),
    ),
    (
        _QWEN,
        "Qwen3VLTextAttention.forward",
        frozenset({"hidden_states", "past_key_values", "kwargs"}),
    ),
    (
        _QWEN,
        "Qwen3VLModel.forward",
        frozenset({"input_ids", "position_ids", "past_key_values", "pixel_values_videos", "video_grid_thw"}),
    ),
    (
        _QWEN,
        "Qwen3VLModel.get_rope_index",
        frozenset({"input_ids", "mm_token_type_ids", "video_grid_thw"}),
    ),
    (_QWEN, "rotate_half", frozenset({"x"})),
    (_CACHE, "DynamicCache", frozenset()),
    (_CACHE, "DynamicLayer.lazy_initialization", frozenset({"key_states", "value_states"})),
    (_CACHE, "DynamicLayer.update", frozenset({"key_states", "value_states"})),
    (
        _DELTA,
        "torch_chunk_gated_delta_rule",
        frozenset({"g", "beta", "chunk_size", "initial_state", "output_final_state"}),
    ),
)


def check_transformers() -> None:
    """One line that says which assumption this version of transformers breaks."""
    for module, name, parameters in RELIED_ON:
        missing = parameters - set(inspect.signature(_found(module, name)).parameters)
        if missing:
            raise broken(f"{name} without {', '.join(sorted(missing))}")


def broken(what: str) -> MissingExtra:
    return MissingExtra(
        f"expected transformers to work as {TESTED} does, got {what} in {transformers.__version__}: "
        f"pip install transformers=={TESTED}"
    )


def _found(module: str, name: str) -> Callable[..., Any]:
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        raise broken(f"no {name}") from None
    return found  # type: ignore[no-any-return]  # whatever it is, it is called
