from typing import Any

import pytest

from stamina_video.backbone.qwen.config import QwenConfig
from stamina_video.semantics import InvalidInput


def test_the_defaults_are_the_papers() -> None:
    config = QwenConfig()
    assert (config.window, config.memory_stride) == (4096, 4)
    assert (config.memory.heads, config.memory.head_width) == (8, 64)
    assert (config.memory.chunk, config.memory.truncation) == (128, 8)


def test_every_stride_th_block_has_a_memory() -> None:
    assert QwenConfig(memory_stride=4).memory_blocks(10) == (3, 7)
    assert QwenConfig(memory_stride=1).memory_blocks(3) == (0, 1, 2)


@pytest.mark.parametrize(
    "changed",
    [{"window": 0}, {"visual_tokens": 0}, {"memory_stride": 0}, {"positions": 0}, {"answer_tokens": 0}],
)
def test_impossible_settings_are_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"from 1.* got 0"):
        QwenConfig(**changed)
