from functools import partial

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.functional import logsigmoid, normalize

from stamina_video.backbone.delta_rule import DeltaInputs, looped_delta_rule
from stamina_video.backbone.qwen.rule import released_delta_rule


def some_inputs(tokens: int, retention: int = 1, seed: int = 0) -> tuple[DeltaInputs, Tensor]:
    torch.manual_seed(seed)
    queries, keys = (normalize(torch.randn(2, 3, tokens, 8), dim=-1) for _ in range(2))
    gates = (logsigmoid(2 + torch.randn(2, 3, tokens, retention)), torch.rand(2, 3, tokens, 1))
    inputs = DeltaInputs(queries, keys, torch.randn(2, 3, tokens, 8), *gates)
    return inputs, torch.randn(2, 3, 8, 8)


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 40), st.sampled_from([4, 16, 128]), st.sampled_from([1, 8]))
def test_the_released_rule_gives_the_values_of_the_plain_loop(
    tokens: int, chunk: int, retention: int
) -> None:
    inputs, state = some_inputs(tokens, retention)
    for got, expected in zip(
        released_delta_rule(inputs, state, chunk), looped_delta_rule(inputs, state), strict=True
    ):
        torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("chunk", [4, 8, 128])
@pytest.mark.parametrize("retention", [1, 8])
def test_the_released_rule_gives_the_gradients_of_the_plain_loop(retention: int, chunk: int) -> None:
    gradients = []
    for rule in (partial(released_delta_rule, chunk=chunk), looped_delta_rule):
        inputs, state = some_inputs(21, retention)
        leaves = [*(part.detach().requires_grad_() for part in inputs), state.requires_grad_()]
        readouts, after = rule(DeltaInputs(*leaves[:5]), leaves[5])
        gradients.append(torch.autograd.grad(readouts.square().mean() + after.square().mean(), leaves))
    for got, expected in zip(*gradients, strict=True):
        torch.testing.assert_close(got, expected, rtol=1e-3, atol=1e-5)


@settings(deadline=None, max_examples=25)
@given(st.integers(2, 40), st.data())
def test_split_anywhere_the_state_carries_on(tokens: int, data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, tokens - 1))
    inputs, state = some_inputs(tokens)
    whole, after = released_delta_rule(inputs, state, chunk=8)
    left, between = released_delta_rule(DeltaInputs(*(part[:, :, :cut] for part in inputs)), state, chunk=8)
    right, last = released_delta_rule(DeltaInputs(*(part[:, :, cut:] for part in inputs)), between, chunk=8)
    torch.testing.assert_close(torch.cat([left, right], dim=2), whole, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(last, after, rtol=1e-4, atol=1e-4)
