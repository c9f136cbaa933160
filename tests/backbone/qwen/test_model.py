import inspect
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from transformers import DynamicCache

from stamina_video.backbone.qwen.model import Qwen
from tests.backbone.qwen.tiny import close_gates, extended, generated, multimodal_inputs, released, settings


def forwarded(model: Any) -> Tensor:
    with torch.no_grad():
        logits: Tensor = model(**multimodal_inputs()).logits
    return logits


def spoken(model: Any) -> Tensor:
    return generated(model, multimodal_inputs(), max_new_tokens=8)


@pytest.mark.parametrize("attention", ["sdpa", "eager"])
def test_with_closed_gates_the_released_model_is_what_it_was(attention: str) -> None:
    plain = released()
    qwen = extended()
    close_gates(qwen)
    plain.set_attn_implementation(attention)
    qwen.released.set_attn_implementation(attention)
    assert torch.equal(forwarded(qwen.released), forwarded(plain))
    assert torch.equal(spoken(qwen.released), spoken(plain))


def test_open_gates_speak() -> None:
    assert not torch.equal(forwarded(extended().released), forwarded(released()))


def test_fresh_branches_add_nothing() -> None:
    assert torch.equal(forwarded(Qwen(released(), settings()).released), forwarded(released()))


def test_the_inputs_go_through_deepstack_and_three_axes_of_positions() -> None:
    """What the comparison above rests on: the tiny model uses the parts that set Qwen3-VL apart."""
    plain, without = released(), released()
    for merger in without.model.visual.deepstack_merger_list:
        torch.nn.init.zeros_(merger.linear_fc2.weight)
    assert not torch.allclose(forwarded(plain), forwarded(without))
    inputs = multimodal_inputs()
    positions, _ = plain.model.get_rope_index(
        **{
            name: inputs[name]
            for name in ("input_ids", "mm_token_type_ids", "image_grid_thw", "video_grid_thw")
        }
    )
    assert not torch.equal(positions[0], positions[1])
    assert not torch.equal(positions[1], positions[2])


def test_bfloat16_keeps_its_recurrence_in_float32() -> None:
    qwen = Qwen(released().bfloat16(), settings())
    assert {parameter.dtype for parameter in qwen.parameters()} == {torch.bfloat16}
    cache = DynamicCache()
    with torch.no_grad():
        logits = qwen.released(**multimodal_inputs(), past_key_values=cache, use_cache=True).logits
    assert logits.dtype == torch.bfloat16
    assert {memory.dtype for memory in qwen.memory.held(cache)} == {torch.float32}


def test_nothing_names_a_device() -> None:
    source = Path(inspect.getfile(Qwen)).parent
    assert not any("cuda" in path.read_text("utf-8") for path in source.glob("*.py"))
