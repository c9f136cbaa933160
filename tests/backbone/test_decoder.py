from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from stamina_video.backbone.decoder import CompactDecoder, Decoded, DecoderConfig, DecoderState
from stamina_video.backbone.delta import DeltaConfig
from stamina_video.backbone.perception import Percept, PerceptLayout
from stamina_video.backbone.tokens import collate
from stamina_video.semantics import InvalidInput
from tests.backbone.percepts import LAYOUT, a_percept

MEMORY = DeltaConfig(heads=2, head_width=8, chunk=16, truncation=100)
Trajectory = list[tuple[float, Percept]]


def a_decoder(**settings: Any) -> CompactDecoder:
    torch.manual_seed(0)
    config: dict[str, Any] = {
        "width": 16,
        "blocks": 2,
        "heads": 2,
        "window": 3,
        "memory_stride": 2,
        "memory": MEMORY,
    }
    decoder = CompactDecoder(DecoderConfig(LAYOUT, **(config | settings)))
    for name, parameter in decoder.named_parameters():
        if "memory" in name and "gate.bias" in name:
            torch.nn.init.constant_(parameter, 2.0)  # a loud memory, so that tests hear it
    return decoder


def a_trajectory(sizes: list[int], seed: int = 0, rate: float = 2.0) -> Trajectory:
    return [(step / rate, a_percept(seed + step, tokens)) for step, tokens in enumerate(sizes)]


def step_by_step(decoder: CompactDecoder, trajectory: Trajectory) -> tuple[list[Decoded], DecoderState]:
    state, seen = decoder.initial(), []
    for moment in trajectory:
        seen.append(decoder(collate([[moment]]), state))
        state = seen[-1].state
    return seen, state


def tokens_of(batched: Decoded, row: int, steps: list[Decoded]) -> None:
    for step, alone in enumerate(steps):
        tokens = alone.tokens_BTNF[0, 0]
        close(batched.tokens_BTNF[row, step, : len(tokens)], tokens)
        close(batched.mean_BTF[row, step], alone.mean_BTF[0, 0])


def close(got: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5)


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.lists(st.integers(1, 6), min_size=1, max_size=9), min_size=1, max_size=3),
    st.sampled_from([1, 3, None]),
    st.booleans(),
)
def test_whole_trajectories_equal_single_observations(
    sizes: list[list[int]], window: int | None, channel_wise: bool
) -> None:
    memory = DeltaConfig(heads=2, head_width=8, chunk=16, channel_wise=channel_wise)
    decoder = a_decoder(window=window, memory=memory)
    trajectories = [a_trajectory(own, seed=100 * row) for row, own in enumerate(sizes)]
    with torch.no_grad():
        batched = decoder(collate(trajectories), decoder.initial(len(sizes)))
        for row, trajectory in enumerate(trajectories):
            steps, state = step_by_step(decoder, trajectory)
            tokens_of(batched, row, steps)
            memories = (batched.state.blocks[1].memory_BHDD, state.blocks[1].memory_BHDD)
            assert memories[0] is not None
            assert memories[1] is not None
            close(memories[0][row], memories[1][0])


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 12), st.data())
def test_a_trajectory_can_be_cut_anywhere(length: int, data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, length - 1))
    decoder, trajectory = a_decoder(), a_trajectory([4] * length)
    with torch.no_grad():
        whole = decoder(collate([trajectory]), decoder.initial())
        first = decoder(collate([trajectory[:cut]]), decoder.initial())
        second = decoder(collate([trajectory[cut:]]), first.state)
    close(torch.cat([first.tokens_BTNF, second.tokens_BTNF], dim=1), whole.tokens_BTNF)


def test_gradients_of_both_drivers_agree() -> None:
    decoder, trajectory = a_decoder(), a_trajectory([3, 5, 2, 4, 4])

    def gradients(loss: Tensor) -> list[Tensor]:
        return list(torch.autograd.grad(loss, list(decoder.parameters())))

    whole = gradients(decoder(collate([trajectory]), decoder.initial()).mean_BTF.square().sum())
    steps, _ = step_by_step(decoder, trajectory)
    for got, expected in zip(whole, gradients(_squared(steps)), strict=True):
        torch.testing.assert_close(got, expected, rtol=1e-3, atol=1e-4)


def test_padding_after_the_end_is_harmless() -> None:
    decoder = a_decoder(window=2)
    trajectories = [a_trajectory([3] * 9), a_trajectory([3])]
    decoded = decoder(collate(trajectories), decoder.initial(2))
    assert not decoded.tokens_BTNF[1, 1:].any()
    assert not decoded.mean_BTF[1, 1:].any()
    decoded.mean_BTF.sum().backward()
    assert all(parameter.grad.isfinite().all() for parameter in decoder.parameters())  # type: ignore[union-attr]


def influence(decoder: CompactDecoder, observation: int, token: int, length: int = 8) -> Tensor:
    """(T, N): how strongly each input token reaches one token's final state."""
    batch = collate([a_trajectory([3] * length)])
    batch.names_BTNS.requires_grad_()
    decoded = decoder(batch, decoder.initial())
    decoded.tokens_BTNF[0, observation, token].square().sum().backward()
    assert batch.names_BTNS.grad is not None
    return batch.names_BTNS.grad[0].abs().sum(-1)


def test_attention_is_full_inside_an_observation_and_ends_with_the_window() -> None:
    reached = influence(a_decoder(blocks=1, memory_stride=2), observation=5, token=0).gt(0)
    assert reached.all(dim=1).tolist() == [False, False, False, True, True, True, False, False]
    assert not reached[:3].any()
    assert not reached[6:].any()


def test_memory_reaches_back_past_the_window() -> None:
    reached = influence(a_decoder(blocks=1, memory_stride=1), observation=5, token=0)
    assert reached[:6].gt(0).all()
    assert not reached[6:].any()


def test_full_access_is_the_same_model_without_eviction() -> None:
    bounded, full = a_decoder(blocks=1), a_decoder(blocks=1, window=None)
    full.load_state_dict(bounded.state_dict())
    batch = collate([a_trajectory([3] * 6)])
    with torch.no_grad():
        windowed, unbounded = (decoder(batch, decoder.initial()).mean_BTF[0] for decoder in (bounded, full))
    close(windowed[:3], unbounded[:3])
    assert (windowed[3:] - unbounded[3:]).abs().amax(dim=1).gt(1e-4).all()


def test_only_the_time_between_observations_matters_and_it_does() -> None:
    decoder = a_decoder()
    trajectory = a_trajectory([4] * 6)
    shifted = [(time + 5000.25, percept) for time, percept in trajectory]
    slower = [(2 * time, percept) for time, percept in trajectory]
    with torch.no_grad():
        here, later, slow = (
            decoder(collate([moments]), decoder.initial()).mean_BTF
            for moments in (trajectory, shifted, slower)
        )
    close(later, here)
    assert (slow - here)[0, 1:].abs().amax(dim=1).gt(1e-4).all()


def test_state_and_its_names_do_not_grow() -> None:
    decoder = a_decoder()
    with torch.no_grad():
        steps, _ = step_by_step(decoder, a_trajectory([4] * 20))
    sizes = [{name: tensor.shape for name, tensor in seen.state.tensors().items()} for seen in steps]
    assert sizes[1] == sizes[10] == sizes[19]
    assert len(sizes[0]) < len(sizes[1])


def test_a_state_survives_its_tensors() -> None:
    decoder = a_decoder()
    with torch.no_grad():
        for state in (decoder.initial(), step_by_step(decoder, a_trajectory([2, 3, 4]))[1]):
            again = DecoderState.from_tensors(state.tensors(), blocks=2)
            assert again == state


def test_a_detached_state_ends_gradients_and_keeps_values() -> None:
    decoder = a_decoder()
    state = decoder(collate([a_trajectory([3, 3])]), decoder.initial()).state
    cut = state.detached()
    assert not any(tensor.requires_grad for tensor in cut.tensors().values())
    for name, tensor in cut.tensors().items():
        assert torch.equal(tensor, state.tensors()[name])


def test_memory_stands_in_every_stride_th_block() -> None:
    decoder = a_decoder(blocks=5, memory_stride=2)
    assert [block.memory_BHDD is not None for block in decoder.initial().blocks] == [
        False,
        True,
        False,
        True,
        False,
    ]


def test_the_default_is_small() -> None:
    decoder = CompactDecoder(DecoderConfig(PerceptLayout()))
    assert sum(parameter.numel() for parameter in decoder.parameters()) < 5_000_000


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"width": 0}, "expected decoder width from 1, got 0"),
        ({"heads": 3}, "expected a width that 3 heads divide, got 16"),
        ({"window": 0}, "expected a window from 1 observation, got 0"),
    ],
)
def test_impossible_sizes_are_refused(settings: dict[str, Any], line: str) -> None:
    with pytest.raises(InvalidInput, match=line):
        a_decoder(**settings)


def test_percepts_of_another_layout_are_refused() -> None:
    other = PerceptLayout(appearance=11, names=6, motion=3, colour=4)
    decoder = a_decoder()
    with pytest.raises(InvalidInput, match="expected appearance of width 10, got 11"):
        decoder(collate([[(0.0, a_percept(0, layout=other))]]), decoder.initial())


def _squared(steps: list[Decoded]) -> Tensor:
    return torch.stack([seen.mean_BTF.square().sum() for seen in steps]).sum()
