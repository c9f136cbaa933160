from collections.abc import Callable
from functools import partial

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional

from stamina_video.backbone.delta_rule import (
    DeltaInputs,
    chunked_delta_rule,
    looped_delta_rule,
    truncated_delta_rule,
)

BATCH, HEADS, WIDTH = 2, 3, 8


def made(tokens: int, *, seed: int = 0, channel_wise: bool = False, forgetting: float = 1.0) -> DeltaInputs:
    make = torch.Generator().manual_seed(seed)

    def normal(width: int) -> Tensor:
        return torch.randn(BATCH, HEADS, tokens, width, generator=make, dtype=torch.float64)

    return DeltaInputs(
        functional.normalize(normal(WIDTH), dim=-1),
        functional.normalize(normal(WIDTH), dim=-1),
        normal(WIDTH),
        functional.logsigmoid(4 * normal(WIDTH if channel_wise else 1)) * forgetting,
        normal(1).sigmoid(),
    )


def a_state(seed: int = 1) -> Tensor:
    make = torch.Generator().manual_seed(seed)
    return torch.randn(BATCH, HEADS, WIDTH, WIDTH, generator=make, dtype=torch.float64)


def test_the_loop_is_the_papers_update_at_one_token() -> None:
    inputs, before = made(1), a_state()
    query, key, value, log_retention, write = (part[0, 0, 0] for part in inputs)
    retained = log_retention.exp() * before[0, 0]
    expected = retained + write * torch.outer(value - retained @ key, key)
    readouts, after = looped_delta_rule(inputs, before)
    torch.testing.assert_close(after[0, 0], expected)
    torch.testing.assert_close(readouts[0, 0, 0], expected @ query)


def test_a_full_write_stores_the_value_under_its_key() -> None:
    inputs = made(1)._replace(write_BHL1=torch.ones(BATCH, HEADS, 1, 1, dtype=torch.float64))
    inputs = inputs._replace(queries_BHLD=inputs.keys_BHLD)
    readouts, _ = looped_delta_rule(inputs, a_state())
    torch.testing.assert_close(readouts, inputs.values_BHLD)


def test_channel_wise_retention_forgets_key_channels_apart() -> None:
    inputs = made(1, channel_wise=True)
    inputs = inputs._replace(write_BHL1=torch.zeros_like(inputs.write_BHL1))
    _, after = looped_delta_rule(inputs, a_state())
    torch.testing.assert_close(after, a_state() * inputs.log_retention_BHLR.exp())


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 40), st.integers(1, 16), st.booleans(), st.integers(0, 1000))
def test_chunks_equal_the_loop_in_values_and_gradients(
    tokens: int, chunk: int, channel_wise: bool, seed: int
) -> None:
    inputs = made(tokens, seed=seed, channel_wise=channel_wise)
    plain = _with_gradients(looped_delta_rule, inputs)
    chunked = _with_gradients(partial(chunked_delta_rule, chunk=chunk), inputs)
    for expected, got in zip(plain, chunked, strict=True):
        torch.testing.assert_close(got, expected, rtol=1e-9, atol=1e-9)


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 50), st.data(), st.booleans())
def test_splitting_anywhere_and_carrying_the_state_changes_nothing(
    tokens: int, data: st.DataObject, channel_wise: bool
) -> None:
    cut = data.draw(st.integers(1, tokens - 1))
    inputs = made(tokens, channel_wise=channel_wise)
    rule = partial(chunked_delta_rule, chunk=8)
    whole, after_whole = rule(inputs, a_state())
    first, between = rule(DeltaInputs(*(part[:, :, :cut] for part in inputs)), a_state())
    second, after = rule(DeltaInputs(*(part[:, :, cut:] for part in inputs)), between)
    torch.testing.assert_close(torch.cat([first, second], dim=2), whole)
    torch.testing.assert_close(after, after_whole)


@pytest.mark.parametrize("channel_wise", [False, True])
def test_forgetting_everything_at_once_stays_finite(channel_wise: bool) -> None:
    inputs = made(64, channel_wise=channel_wise, forgetting=1e4)
    inputs = DeltaInputs(*(part.float() for part in inputs))
    for part in _with_gradients(partial(chunked_delta_rule, chunk=32), inputs):
        assert part.isfinite().all()


def test_float32_stays_near_float64_over_many_chunks() -> None:
    inputs = made(700)
    exact, _ = looped_delta_rule(inputs, a_state())
    single, _ = chunked_delta_rule(DeltaInputs(*(part.float() for part in inputs)), a_state().float())
    torch.testing.assert_close(single.double(), exact, rtol=1e-3, atol=1e-4)


def test_the_state_given_is_never_written_to() -> None:
    before = a_state()
    chunked_delta_rule(made(20), before, chunk=8)
    assert torch.equal(before, a_state())


def test_truncation_keeps_values_and_ends_gradients_at_the_span() -> None:
    inputs = made(40)
    values, after = truncated_delta_rule(looped_delta_rule, 16, inputs, a_state())
    expected, expected_after = looped_delta_rule(inputs, a_state())
    torch.testing.assert_close(values, expected)
    torch.testing.assert_close(after, expected_after)

    inputs.values_BHLD.requires_grad_()
    readouts, _ = truncated_delta_rule(partial(chunked_delta_rule, chunk=8), 16, inputs, a_state())
    (gradient,) = torch.autograd.grad(readouts[:, :, 39].sum(), inputs.values_BHLD)
    assert gradient[:, :, :32].eq(0).all()
    assert gradient[:, :, 32:].ne(0).all()


def test_equals_the_rule_of_transformers() -> None:
    modeling = pytest.importorskip(
        "transformers.models.qwen3_next.modeling_qwen3_next", reason="needs transformers"
    )
    inputs = DeltaInputs(*(part.float() for part in made(300)))
    got, after = chunked_delta_rule(inputs, a_state().float())
    queries, keys, values, log_retention, write = (part.transpose(1, 2) for part in inputs)
    theirs, their_after = modeling.torch_chunk_gated_delta_rule(
        queries * WIDTH**0.5,  # it scales queries by 1/√D; the paper does not
        keys,
        values,
        g=log_retention.squeeze(-1),
        beta=write.squeeze(-1),
        initial_state=a_state().float().mT,
        output_final_state=True,
    )
    torch.testing.assert_close(got, theirs.transpose(1, 2), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(after, their_after.mT, rtol=1e-4, atol=1e-5)


def _with_gradients(
    rule: Callable[[DeltaInputs, Tensor], tuple[Tensor, Tensor]], inputs: DeltaInputs
) -> list[Tensor]:
    inputs = DeltaInputs(*(part.detach().requires_grad_() for part in inputs))
    before = a_state().to(inputs.keys_BHLD.dtype).requires_grad_()
    readouts, after = rule(inputs, before)
    weights = torch.randn(readouts.shape, generator=torch.Generator().manual_seed(2), dtype=readouts.dtype)
    loss = (weights * readouts).sum() + after.square().sum()
    return [readouts, after, *torch.autograd.grad(loss, [*inputs, before])]
