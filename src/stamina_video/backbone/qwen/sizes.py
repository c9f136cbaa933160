"""The shapes of the released models our sizes begin with, for building them without weights.

The fields are those of the published configurations of Qwen3-VL-4B-Instruct and Qwen3-VL-8B-Instruct. They
make 4.44 and 8.77 thousand million parameters by our own count, tied embeddings once. A model with weights
never reads them: it is loaded by the config.json beside its weights.
"""

from typing import Any

from transformers import Qwen3VLConfig

_TEXT: dict[str, Any] = {
    "vocab_size": 151_936,
    "num_hidden_layers": 36,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "max_position_embeddings": 262_144,
    "rope_parameters": {
        "rope_type": "default",
        "rope_theta": 5_000_000,
        "mrope_section": [24, 20, 20],
        "mrope_interleaved": True,
    },
}
_VISION: dict[str, Any] = {
    "num_heads": 16,
    "patch_size": 16,
    "spatial_merge_size": 2,
    "temporal_patch_size": 2,
    "num_position_embeddings": 2304,
}


def released_shape(size: str) -> Qwen3VLConfig:
    if size == "4b":
        return Qwen3VLConfig(
            text_config={**_TEXT, "hidden_size": 2560, "intermediate_size": 9728},
            vision_config={
                **_VISION,
                "depth": 24,
                "hidden_size": 1024,
                "intermediate_size": 4096,
                "out_hidden_size": 2560,
                "deepstack_visual_indexes": [5, 11, 17],
            },
            tie_word_embeddings=True,
        )
    assert size == "8b", "callers have checked the size"
    return Qwen3VLConfig(
        text_config={**_TEXT, "hidden_size": 4096, "intermediate_size": 12_288},
        vision_config={
            **_VISION,
            "depth": 27,
            "hidden_size": 1152,
            "intermediate_size": 4304,
            "out_hidden_size": 4096,
            "deepstack_visual_indexes": [8, 16, 24],
        },
        tie_word_embeddings=False,
    )
