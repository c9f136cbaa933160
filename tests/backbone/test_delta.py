from typing import Any

import pytest
import torch
from torch.nn import functional

from stamina_video.backbone.delta import DeltaConfig, DeltaMemory
from stamina_video.backbone.delta_rule import looped_delta_rule
from stamina_video.semantics import InvalidInput

WIDTH = 12
CONFIG = DeltaConfig(heads=2, head_width=4, chunk=8, truncation=2)


def a_memory(config: DeltaConfig = CONFIG) -> DeltaMemory:
    torch.manual_seed(0)
    memory = DeltaMemory(WIDTH, config).double()
    for norm in (memory.value_norm, memory.read_norm):  # away from the identity, so that they are seen
        torch.nn.init.normal_(norm.weight)
        torch.nn.init.normal_(norm.bias)
    torch.nn.init.normal_(memory.initial_HDD)
    return memory


def tokens(count: int, batch: int = 1) -> torch.Tensor:
    make = torch.Generator().manual_seed(3)
    return torch.randn(batch, count, WIDTH, generator=make, dtype=torch.float64)


def test_the_paper_has_eight_heads_of_width_64_in_chunks_of_128() -> None:
    assert DeltaConfig() == DeltaConfig(8, 64, 128, 8, channel_wise=False)
    memory = DeltaMemory(32, DeltaConfig())
    assert memory.initial().shape == (1, 8, 64, 64)
    assert not memory.initial().any()
    assert memory.retention.out_features == memory.write.out_features == 8


@pytest.mark.parametrize("channel_wise", [False, True])
def test_computes_the_equations_head_by_head(channel_wise: bool) -> None:
    memory = a_memory(DeltaConfig(heads=2, head_width=4, chunk=8, channel_wise=channel_wise))
    inputs = tokens(5)
    got, after = memory(inputs, memory.initial())
    heads = []
    for head in range(2):
        rows = slice(4 * head, 4 * head + 4)
        state = memory.initial_HDD[head]
        readouts = []
        for x in inputs[0]:
            k, v, q = (weights.weight[rows] @ x for weights in (memory.key, memory.value, memory.query))
            k_unit, q_unit = k / k.norm(), q / q.norm()
            retain = memory.retention(x).sigmoid()[rows if channel_wise else head]
            retained = state * retain
            u = memory.value_norm(v - k)
            write = memory.write(x).sigmoid()[head]
            state = retained + write * torch.outer(u - retained @ k_unit, k_unit)
            readouts.append(q_unit + memory.read_norm(state @ q_unit))
        torch.testing.assert_close(after[0, head], state)
        heads.append(torch.stack(readouts))
    expected = memory.gate(inputs[0]).sigmoid() * memory.out(torch.cat(heads, dim=-1))
    torch.testing.assert_close(got[0], expected)


def test_channel_wise_retention_changes_that_gate_alone() -> None:
    scalar = DeltaMemory(WIDTH, CONFIG)
    channels = DeltaMemory(
        WIDTH, DeltaConfig(heads=2, head_width=4, chunk=8, truncation=2, channel_wise=True)
    )
    shapes = [{n: p.shape for n, p in memory.named_parameters()} for memory in (scalar, channels)]
    differing = {name for name in shapes[0] if shapes[0][name] != shapes[1][name]}
    assert shapes[0].keys() == shapes[1].keys()
    assert differing == {"retention.weight", "retention.bias"}


def test_any_rule_can_run_the_recurrence() -> None:
    memory, inputs = a_memory(), tokens(40)
    chunked, after = memory(inputs, memory.initial())
    memory.rule = looped_delta_rule
    looped, after_loop = memory(inputs, memory.initial())
    torch.testing.assert_close(chunked, looped)
    torch.testing.assert_close(after, after_loop)


def test_absent_tokens_leave_no_trace() -> None:
    memory = a_memory()
    inputs = tokens(10)
    present = torch.tensor([[True, False] * 5])
    got, after = memory(inputs, memory.initial(), present)
    expected, expected_after = memory(inputs[:, ::2], memory.initial())
    torch.testing.assert_close(got[:, ::2], expected)
    torch.testing.assert_close(after, expected_after)


def test_a_closed_gate_adds_exactly_nothing() -> None:
    memory = a_memory()
    torch.nn.init.zeros_(memory.gate.weight)
    torch.nn.init.constant_(memory.gate.bias, -torch.inf)
    branch, _ = memory(tokens(6), memory.initial())
    assert not branch.any()


def test_every_parameter_learns_and_the_initial_state_is_shared() -> None:
    memory = a_memory()
    branch, _ = memory(tokens(6, batch=3), memory.initial(3))
    branch.square().sum().backward()
    silent = [name for name, parameter in memory.named_parameters() if not parameter.grad.any()]  # type: ignore[union-attr]
    assert silent == []


def test_the_initial_state_is_a_copy() -> None:
    memory = a_memory()
    state = memory.initial().detach()
    kept = state.clone()
    torch.nn.init.ones_(memory.initial_HDD)
    assert torch.equal(state, kept)


def test_gradients_span_the_configured_chunks() -> None:
    memory, inputs = a_memory(), tokens(40).requires_grad_()
    branch, _ = memory(inputs, memory.initial())  # 8 × 2 tokens a span: 0–15, 16–31, 32–39
    (gradient,) = torch.autograd.grad(branch[0, 39].sum(), inputs)
    assert not gradient[0, :32].any()
    assert gradient[0, 32:].any(dim=-1).all()


def test_half_precision_tokens_keep_a_float32_state() -> None:
    torch.manual_seed(0)
    memory = DeltaMemory(WIDTH, CONFIG).bfloat16()
    branch, after = memory(tokens(20).bfloat16(), memory.initial())
    assert branch.dtype == torch.bfloat16
    assert after.dtype == torch.float32


def test_heads_start_with_memories_from_short_to_long() -> None:
    memory = DeltaMemory(WIDTH, DeltaConfig(heads=4, head_width=4))
    constants = 1 / -functional.logsigmoid(memory.retention.bias)
    assert constants.diff().gt(0).all()
    torch.testing.assert_close(constants[[0, -1]], torch.tensor([1e2, 1e5]), rtol=0.1, atol=0)


@pytest.mark.parametrize("field", ["heads", "head_width", "chunk", "truncation"])
def test_sizes_below_one_are_refused(field: str) -> None:
    sizes: dict[str, Any] = {field: 0}
    with pytest.raises(InvalidInput, match=f"expected memory {field} from 1, got 0"):
        DeltaConfig(**sizes)
