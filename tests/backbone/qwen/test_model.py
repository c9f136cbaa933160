from typing import Any

import pytest
import torch
from torch import Tensor

from stamina_video.backbone.qwen.model import Qwen
from tests.backbone.qwen.tiny import close_gates, extended, multimodal_inputs, released, settings

GENERATED = 8


def forwarded(model: Any) -> Tensor:
    with torch.no_grad():
        logits: Tensor = model(**multimodal_inputs()).logits
    return logits


def generated(model: Any) -> Tensor:
    words: Tensor = model.generate(**multimodal_inputs(), max_new_tokens=GENERATED, do_sample=False)
    return words


@pytest.mark.parametrize("attention", ["sdpa", "eager"])
def test_with_closed_gates_the_released_model_is_what_it_was(attention: str) -> None:
    plain = released()
    qwen = extended()
    close_gates(qwen)
    plain.set_attn_implementation(attention)
    qwen.released.set_attn_implementation(attention)
    assert torch.equal(forwarded(qwen.released), forwarded(plain))
    assert torch.equal(generated(qwen.released), generated(plain))


def test_open_gates_speak() -> None:
    assert not torch.equal(forwarded(extended().released), forwarded(released()))


def test_fresh_branches_add_nothing() -> None:
    assert torch.equal(forwarded(Qwen(released(), settings()).released), forwarded(released()))
