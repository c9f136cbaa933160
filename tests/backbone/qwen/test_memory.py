import copy
import gc
from dataclasses import replace

import pytest
import torch
from transformers import DynamicCache

from stamina_video.backbone.delta import DeltaMemory
from stamina_video.backbone.qwen.config import QwenConfig
from stamina_video.backbone.qwen.memory import DecoderMemory
from stamina_video.backbone.qwen.tiny import MARKS
from stamina_video.semantics import InvalidInput
from tests.backbone.qwen.tiny import extended, generated, multimodal_inputs, settings


def test_every_fourth_block_has_a_branch_of_the_papers_size() -> None:
    memory = DecoderMemory(64, 36, QwenConfig())
    assert memory.blocks == (3, 7, 11, 15, 19, 23, 27, 31, 35)
    assert all(isinstance(branch, DeltaMemory) for branch in memory.branches)
    assert [tuple(state.shape) for state in memory.initial()] == [(1, 8, 64, 64)] * 9
    assert not any(state.any() for state in memory.initial())


def test_too_few_blocks_are_refused() -> None:
    with pytest.raises(InvalidInput, match="expected at least 4 decoder blocks, got 3"):
        DecoderMemory(64, 3, QwenConfig())


def test_visual_tokens_write_and_words_only_read() -> None:
    qwen, inputs = extended(), multimodal_inputs()
    cache = DynamicCache()
    with torch.no_grad():
        qwen.released(**inputs, past_key_values=cache, use_cache=True)
        written = qwen.memory.held(cache)
        assert all(state.any() for state in written)
        positions = torch.full((3, 1, 1), 40)
        qwen.released(input_ids=torch.tensor([[9]]), position_ids=positions, past_key_values=cache)
    assert all(torch.equal(*pair) for pair in zip(written, qwen.memory.held(cache), strict=True))


def test_decoding_word_by_word_reads_the_memory_that_the_prefill_wrote() -> None:
    """Cached and uncached generation agree: the states found in the cache are those a new forward makes."""
    qwen, inputs = extended(), multimodal_inputs()
    marks = list(range(len(MARKS)))  # without a cache, a generated mark would ask for a picture
    cached, anew = (
        generated(qwen.released, inputs, max_new_tokens=5, suppress_tokens=marks, use_cache=use_cache)
        for use_cache in (True, False)
    )
    assert torch.equal(cached, anew)


def test_the_states_of_a_dropped_cache_are_dropped_with_it() -> None:
    qwen = extended()
    with torch.no_grad():
        qwen.released(**multimodal_inputs(), past_key_values=DynamicCache(), use_cache=True)
    gc.collect()
    assert len(qwen.memory._held) == 0


def test_a_cache_that_another_model_filled_is_refused() -> None:
    qwen, inputs = extended(), multimodal_inputs()
    cache = DynamicCache()
    with torch.no_grad():
        qwen.released(**inputs, past_key_values=cache, use_cache=True)
        with pytest.raises(InvalidInput, match="expected a cache that this model filled"):
            qwen.released(input_ids=torch.tensor([[9]]), past_key_values=copy.deepcopy(cache))


def test_channel_wise_retention_is_one_switch() -> None:
    scalar = DecoderMemory(32, 4, settings())
    channel = DecoderMemory(32, 4, settings(memory=replace(settings().memory, channel_wise=True)))
    changed = {
        name
        for name, tensor in channel.state_dict().items()
        if tensor.shape != scalar.state_dict()[name].shape
    }
    assert {name.split(".")[2] for name in changed} == {"retention"}


def test_recomputed_blocks_see_the_states_they_saw_first() -> None:
    """Gradient checkpointing runs a block again in the backward pass."""
    gradients = []
    for checkpointed in (False, True):
        qwen = extended()
        qwen.train()
        if checkpointed:
            qwen.released.gradient_checkpointing_enable({"use_reentrant": False})
        qwen.released(**multimodal_inputs(), use_cache=False).logits.square().mean().backward()
        gradients.append([branch.query.weight.grad for branch in qwen.memory.deltas])
    for plain, again in zip(*gradients, strict=True):
        torch.testing.assert_close(plain, again)
