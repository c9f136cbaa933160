"""The full-size backbone on a random mid-size model: `python -m benchmarks.qwen`."""

import time
from functools import partial
from typing import Any

import numpy as np
import torch
from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration
from transformers.cache_utils import DynamicCache

from benchmarks.measuring import MINUTE, fastest_ms, growth_rows, recurrence_row
from benchmarks.table import Row, markdown
from stamina_video.backbone.qwen.backbone import QwenBackbone
from stamina_video.backbone.qwen.config import QwenConfig
from stamina_video.backbone.qwen.files import Base
from stamina_video.backbone.qwen.model import Qwen
from stamina_video.backbone.qwen.questions import generate
from stamina_video.backbone.qwen.rule import released_delta_rule
from stamina_video.backbone.qwen.sight import Sight
from stamina_video.backbone.qwen.state import QwenState
from stamina_video.semantics import Observation
from tests.backbone.qwen.tiny import MARKS, processor, tokenizer

OVERHEAD = 1.15
SIDE = 64  # pixels: 8 × 8 tokens with the tiny processor's patches
OBSERVED = 72  # tokens of one observation, its timestamp's included

# One thread: its processor time is what the machine's other load cannot lengthen.
least_ms = partial(fastest_ms, clock=time.process_time)


def rows() -> list[Row]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # threads that wait for each other would count as work
    torch.manual_seed(0)
    try:
        with torch.no_grad():
            return [_overhead(), *_long_stream(), *_forks(), _recurrence()]
    finally:
        torch.set_num_threads(threads)


def _overhead() -> Row:
    """One observation into a full window, against the released forward over a cache of the same length."""
    backbone = _backbone(width=1024, blocks=8, window=8 * OBSERVED)
    state = _played(backbone, backbone.initial(), range(9))
    plain = _released(width=1024, blocks=8)
    window = state.window.room_for(OBSERVED, backbone.config.window)
    ours, theirs = least_ms(
        partial(backbone.observe, state, _observation(9)),
        lambda: _released_forward(plain, window.cache(), _seen(backbone, 9), window.position),
        repeats=10,
    )
    ratio = ours / theirs
    return Row(
        f"one observation with memory and window ÷ the released forward, window of {8 * OBSERVED} tokens",
        f"{ratio:.2f} ({ours:.0f} ms)",
        f"≤ {OVERHEAD}",
        ratio <= OVERHEAD,
    )


def _long_stream() -> list[Row]:
    backbone = _backbone(width=128, blocks=4, window=48, visual_tokens=4)
    early = _played(backbone, backbone.initial(), range(MINUTE))
    late = _played(backbone, early, range(MINUTE, 30 * MINUTE))
    minute_1, minute_30 = least_ms(
        partial(backbone.observe, early, _observation(MINUTE)),
        partial(backbone.observe, late, _observation(30 * MINUTE)),
        repeats=100,
    )
    return growth_rows(minute_1, minute_30, early, late)


def _forks() -> list[Row]:
    """What a question costs before its first word, in a window and in one eight times as long."""
    measured = []
    for kept in (4, 32):
        backbone = _backbone(width=128, blocks=4, window=kept * OBSERVED)
        state = _played(backbone, backbone.initial(), range(kept))
        forked, copied = least_ms(partial(state.window.fork, room=64), partial(_written, state), repeats=200)
        measured.append((kept * OBSERVED, forked, copied))
    (short, fork_short, copy_short), (long, fork_long, copy_long) = measured
    answer_ms = _answer_ms()
    return [
        Row(
            f"fork, windows of {short} and {long} tokens (no byte copied)",
            f"{1e3 * fork_short:.0f} and {1e3 * fork_long:.0f} µs",
            "does not grow",
            fork_long <= 2 * fork_short,
        ),
        Row(
            "the fork's one copy of the window, on its first word",
            f"{copy_short:.2f} and {copy_long:.2f} ms",
            "measured",
            True,
        ),
        Row("answer of 16 words, mid-size, full window", f"{answer_ms:.0f} ms", "measured", True),
    ]


def _answer_ms() -> float:
    backbone = _backbone(width=512, blocks=8, window=8 * OBSERVED)
    state = _played(backbone, backbone.initial(), range(8))
    backbone.qwen.released.generation_config.eos_token_id = None
    (spent,) = least_ms(partial(generate, backbone.qwen, state, torch.tensor([8, 9, 10])), repeats=3)
    return spent


def _recurrence() -> Row:
    name = "the released chunked rule"
    return recurrence_row(name, released_delta_rule, tokens=256, repeats=2, clock=time.process_time)


def _released(width: int, blocks: int) -> Qwen3VLForConditionalGeneration:
    """In the proportions of the 4B and 8B: heads of 128, four queries a key, three widths of feed-forward."""
    torch.manual_seed(0)
    video = MARKS.index("<|video_pad|>")
    shape = Qwen3VLConfig(
        text_config={
            "vocab_size": 64,
            "hidden_size": width,
            "intermediate_size": 3 * width,
            "num_hidden_layers": blocks,
            "num_attention_heads": max(4, width // 128),
            "num_key_value_heads": max(1, width // 512),
            "head_dim": 128,
            "rope_parameters": {"rope_type": "default", "rope_theta": 5e6, "mrope_section": [24, 20, 20]},
        },
        vision_config={
            "depth": 4,
            "hidden_size": 256,
            "intermediate_size": 1024,
            "num_heads": 4,
            "patch_size": 4,
            "out_hidden_size": width,
            "num_position_embeddings": 256,
            "deepstack_visual_indexes": [1, 2],
        },
        video_token_id=video,
        image_token_id=video - 1,
        vision_start_token_id=MARKS.index("<|vision_start|>"),
        vision_end_token_id=MARKS.index("<|vision_end|>"),
    )
    return Qwen3VLForConditionalGeneration(shape)  # type: ignore[no-untyped-call]  # untyped there


def _backbone(width: int, blocks: int, window: int, visual_tokens: int = 64) -> QwenBackbone:
    config = QwenConfig(window=window, visual_tokens=visual_tokens, answer_tokens=16)
    qwen = Qwen(_released(width, blocks), config)
    return QwenBackbone(qwen, tokenizer(), processor(), Base("random", None, ""))


def _seen(backbone: QwenBackbone, number: int) -> Sight:
    return backbone.sights.see(_image(number), float(number), backbone.config.visual_tokens)


def _released_forward(model: Any, cache: DynamicCache, sight: Sight, position: int) -> None:
    model.model(
        input_ids=sight.ids_L[None],
        position_ids=position + sight.positions_3L[:, None],
        past_key_values=cache,
        pixel_values_videos=sight.patches,
        video_grid_thw=sight.grid_3[None],
        use_cache=True,
    )


def _played(backbone: QwenBackbone, state: QwenState, numbers: range) -> QwenState:
    for number in numbers:
        state = backbone.observe(state, _observation(number)).state
    return state


def _observation(number: int) -> Observation:
    return Observation("bench", number, float(number), _image(number), number)


def _image(number: int) -> Any:
    return np.random.default_rng(number % MINUTE).integers(0, 256, (SIDE, SIDE, 3), dtype=np.uint8)


def _written(state: QwenState) -> None:
    """The first word's keys and values into a fork: the copy that must be made."""
    for layer in state.window.fork(room=64).layers:
        written: Any = layer
        written.update(written.keys[:, :, :1], written.values[:, :, :1])


if __name__ == "__main__":
    print(markdown(rows()))
