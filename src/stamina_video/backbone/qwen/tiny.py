"""A random Qwen3-VL small enough to train in a test: every part of the released model, none of its size."""

from typing import Any

import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import PreTrainedTokenizerFast, Qwen3VLConfig, Qwen3VLForConditionalGeneration
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

from stamina_video.backbone.delta import DeltaConfig
from stamina_video.backbone.qwen.backbone import QwenBackbone
from stamina_video.backbone.qwen.config import QwenConfig
from stamina_video.backbone.qwen.files import Base
from stamina_video.backbone.qwen.hashing import weights_hash
from stamina_video.backbone.qwen.model import Qwen

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


def tiny_released(seed: int = 0, **text: Any) -> Qwen3VLForConditionalGeneration:
    torch.manual_seed(seed)
    model: Qwen3VLForConditionalGeneration = Qwen3VLForConditionalGeneration(tiny_config(**text))  # type: ignore[no-untyped-call]  # untyped there
    model.train(False)
    model.generation_config.eos_token_id = MARKS.index("<|im_end|>")
    return model


def tiny_tokenizer() -> PreTrainedTokenizerFast:
    """Words it does not know are all the same to it; digits and marks it tells apart."""
    vocabulary = {word: number for number, word in enumerate((*WORDS, *"<>.0123456789"[:11]))}
    inner = Tokenizer(WordLevel({**vocabulary, "[UNK]": len(vocabulary)}, unk_token="[UNK]"))
    inner.pre_tokenizer = Whitespace()
    made = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]  # untyped there
        tokenizer_object=inner, unk_token="[UNK]", eos_token="<|im_end|>"
    )
    made.add_special_tokens({"additional_special_tokens": [mark for mark in MARKS if mark != "<|im_end|>"]})
    return made


def tiny_processor() -> Qwen2VLImageProcessorPil:
    return Qwen2VLImageProcessorPil(patch_size=PATCH, merge_size=2, temporal_patch_size=2)


def tiny_backbone(seed: int = 0, channel_wise: bool = False) -> QwenBackbone:
    """With fresh memories, as a released model gets them."""
    memory = DeltaConfig(heads=2, head_width=8, chunk=8, truncation=8, channel_wise=channel_wise)
    config = QwenConfig(window=48, visual_tokens=16, memory_stride=2, memory=memory, answer_tokens=6)
    released = tiny_released(seed)
    base = Base("tiny", None, weights_hash(released))
    return QwenBackbone(Qwen(released, config), tiny_tokenizer(), tiny_processor(), base)
