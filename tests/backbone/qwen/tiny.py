"""A random Qwen3-VL small enough for a test: every part of the released model, none of its size."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from torch import Tensor, nn
from transformers import PreTrainedTokenizerFast, Qwen3VLConfig, Qwen3VLForConditionalGeneration
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

from stamina_video.backbone.delta import DeltaConfig
from stamina_video.backbone.qwen.backbone import QwenBackbone
from stamina_video.backbone.qwen.config import QwenConfig
from stamina_video.backbone.qwen.files import Base
from stamina_video.backbone.qwen.hashing import weights_hash
from stamina_video.backbone.qwen.model import Qwen
from stamina_video.semantics import Observation

MARKS = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
)
WORDS = (*MARKS, "red", "mugs", "blue", "cars", "blob", "blobs", "moved", "swing", "what", "happened", "user")
PATCH = 4
OBSERVED = 12  # tokens of one observation: 6 of its timestamp, 2 around the frame, 4 of the frame


def tiny_config(**text: Any) -> Qwen3VLConfig:
    vision = {
        "depth": 3,
        "hidden_size": 16,
        "intermediate_size": 24,
        "num_heads": 2,
        "patch_size": PATCH,
        "spatial_merge_size": 2,
        "temporal_patch_size": 2,
        "out_hidden_size": 32,
        "num_position_embeddings": 16,
        "deepstack_visual_indexes": [0, 1],
    }
    decoder = {
        "vocab_size": len(WORDS) + 12,
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 4,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "initializer_range": 0.3,  # wide, so that what differs shows
        "rope_parameters": {"rope_type": "default", "rope_theta": 5e6, "mrope_section": [4, 2, 2]},
    }
    return Qwen3VLConfig(
        vision_config=vision,
        text_config=decoder | text,
        image_token_id=MARKS.index("<|image_pad|>"),
        video_token_id=MARKS.index("<|video_pad|>"),
        vision_start_token_id=MARKS.index("<|vision_start|>"),
        vision_end_token_id=MARKS.index("<|vision_end|>"),
    )


def released(seed: int = 0, **text: Any) -> Qwen3VLForConditionalGeneration:
    torch.manual_seed(seed)
    model: Qwen3VLForConditionalGeneration = Qwen3VLForConditionalGeneration(tiny_config(**text))  # type: ignore[no-untyped-call]  # untyped there
    model.train(False)
    model.generation_config.eos_token_id = MARKS.index("<|im_end|>")
    return model


def settings(**changed: Any) -> QwenConfig:
    memory = DeltaConfig(heads=2, head_width=8, chunk=8, truncation=8)
    defaults = {"window": 4 * OBSERVED, "visual_tokens": 16, "memory_stride": 2, "answer_tokens": 6}
    return QwenConfig(**(defaults | {"memory": memory} | changed))


def extended(seed: int = 0, **changed: Any) -> Qwen:
    """The released tiny model with memories that have something to say."""
    qwen = Qwen(released(seed), settings(**changed))
    awaken(qwen)
    return qwen


def awaken(qwen: Qwen) -> None:
    """Random instead of zero last projections, and gates half open."""
    torch.manual_seed(7)
    for branch in qwen.memory.deltas:
        nn.init.normal_(branch.out.weight, std=0.3)
        nn.init.zeros_(branch.gate.bias)


def close_gates(qwen: Qwen) -> None:
    for branch in qwen.memory.deltas:
        nn.init.zeros_(branch.gate.weight)
        nn.init.constant_(branch.gate.bias, -torch.inf)


def tokenizer() -> PreTrainedTokenizerFast:
    vocabulary = {word: number for number, word in enumerate((*WORDS, *"<>.0123456789"[:11]))}
    inner = Tokenizer(WordLevel({**vocabulary, "[UNK]": len(vocabulary)}, unk_token="[UNK]"))
    inner.pre_tokenizer = Whitespace()
    made = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]  # untyped there
        tokenizer_object=inner, unk_token="[UNK]", eos_token="<|im_end|>"
    )
    made.add_special_tokens({"additional_special_tokens": [mark for mark in MARKS if mark != "<|im_end|>"]})
    return made


def processor() -> Qwen2VLImageProcessorPil:
    return Qwen2VLImageProcessorPil(patch_size=PATCH, merge_size=2, temporal_patch_size=2)


def a_backbone(seed: int = 0, base: str = "tiny", **changed: Any) -> QwenBackbone:
    qwen = extended(seed, **changed)
    return QwenBackbone(qwen, tokenizer(), processor(), Base(base, None, weights_hash(qwen.released)))


def save_base(folder: Path, seed: int = 0) -> Path:
    """A folder as the hub would give it."""
    parts: tuple[Any, ...] = (released(seed), tokenizer(), processor())
    for part in parts:
        part.save_pretrained(folder)
    return folder


def a_picture(number: int) -> Any:
    """16 × 16 pixels of noise that follows from the number: four tokens."""
    return np.random.default_rng(number).integers(0, 256, (16, 16, 3), dtype=np.uint8)


def observation(index: int, picture: int | None = None, time: float | None = None) -> Observation:
    image = a_picture(index if picture is None else picture)
    return Observation("table", index, index / 2 if time is None else time, image, index)


def multimodal_inputs() -> dict[str, Tensor]:
    """An image of 2 × 3 tokens and a video of two frames of 2 × 2, with words around them."""
    torch.manual_seed(3)
    start, end, image, video = (MARKS.index(f"<|{mark}|>") for mark in _VISION_MARKS)
    ids = [8, 9, start, *[image] * 6, end, 10]
    for _ in range(2):
        ids += [11, start, *[video] * 4, end]
    ids_BL = torch.tensor([[*ids, 12, 13]])
    patch = 3 * 2 * PATCH * PATCH
    return {
        "input_ids": ids_BL,
        "attention_mask": torch.ones_like(ids_BL),
        "mm_token_type_ids": (ids_BL == image).int() + 2 * (ids_BL == video).int(),
        "pixel_values": torch.randn(24, patch),
        "image_grid_thw": torch.tensor([[1, 4, 6]]),
        "pixel_values_videos": torch.randn(32, patch),
        "video_grid_thw": torch.tensor([[2, 4, 4]]),
    }


_VISION_MARKS = ("vision_start", "vision_end", "image_pad", "video_pad")


def generated(model: Any, inputs: dict[str, Tensor], **options: Any) -> Tensor:
    """The released class's own generation, prompt included."""
    words: Tensor = model.generate(**inputs, do_sample=False, **options)
    return words
