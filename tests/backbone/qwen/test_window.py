from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from stamina_video.backbone.qwen.window import Window, turned
from stamina_video.semantics import InvalidInput

FREQUENCIES = 1.0 / 5e6 ** (torch.arange(4) / 4)


def a_window(lengths: list[int]) -> Window:
    tokens = sum(lengths)
    keys = torch.arange(2.0 * tokens * 8).view(1, 2, tokens, 8) / 100
    starts = tuple(3 * place for place in range(len(lengths)))
    return Window((keys,), (keys + 1,), tuple(lengths), starts, 3 * len(lengths))


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8), st.integers(1, 9), st.integers(9, 40))
def test_whole_observations_leave_oldest_first_and_no_more_than_must(
    lengths: list[int], new: int, most: int
) -> None:
    window = a_window(lengths)
    roomy = window.room_for(new, most)
    left = len(lengths) - len(roomy.lengths)
    assert roomy.tokens + new <= most
    assert not left or sum(lengths[left - 1 :]) + new > most
    assert roomy.lengths == tuple(lengths[left:])
    assert roomy.starts == window.starts[left:]
    assert roomy.position == window.position
    gone = sum(lengths[:left])
    assert torch.equal(roomy.keys[0], window.keys[0][:, :, gone:])
    assert torch.equal(roomy.values[0], window.values[0][:, :, gone:])


def test_full_access_lets_nothing_leave() -> None:
    window = a_window([4, 4])
    assert window.room_for(1000, None) is window


def test_an_observation_larger_than_the_window_is_refused() -> None:
    with pytest.raises(InvalidInput, match="expected an observation of at most 8 tokens, the window, got 9"):
        a_window([4]).room_for(9, 8)


@given(st.integers(-40_000, 40_000), st.integers(0, 500), st.integers(0, 500))
def test_turning_keys_and_queries_alike_keeps_their_products(by: int, left: int, right: int) -> None:
    key, query = (torch.randn(1, 1, 1, 8, generator=torch.Generator().manual_seed(seed)) for seed in (1, 2))

    def product(at_key: int, at_query: int) -> Tensor:
        return (turned(key, at_key, FREQUENCIES) * turned(query, at_query, FREQUENCIES)).sum()

    torch.testing.assert_close(product(left, right), product(left + by, right + by), rtol=1e-4, atol=1e-5)


def test_moved_back_starts_at_zero_with_the_same_distances() -> None:
    window = a_window([4, 4, 4]).room_for(4, 12)
    moved = window.moved_back(FREQUENCIES)
    assert moved.starts == (0, 3)
    assert moved.position == window.position - 3
    torch.testing.assert_close(turned(moved.keys[0], 3, FREQUENCIES), window.keys[0])


def test_an_empty_window_moves_back_to_the_origin() -> None:
    assert Window(position=90).moved_back(FREQUENCIES).position == 0


def test_a_fork_shares_the_window_until_it_is_written_and_then_grows_in_place() -> None:
    window = a_window([4])
    before = window.keys[0].clone()
    cache = window.fork(room=3)
    layer: Any = cache.layers[0]
    assert layer.keys.data_ptr() == window.keys[0].data_ptr()
    new = torch.ones(1, 2, 1, 8)
    first, _ = layer.update(new, new)
    second, values = layer.update(new, 2 * new)
    assert first.data_ptr() == second.data_ptr() != window.keys[0].data_ptr()
    assert torch.equal(second, torch.cat([before, new, new], dim=2))
    assert torch.equal(values, torch.cat([window.values[0], new, 2 * new], dim=2))
    assert cache.get_seq_length() == 6
    assert torch.equal(window.keys[0], before)


def test_a_fork_that_outgrows_its_room_makes_more() -> None:
    window = a_window([4])
    layer: Any = window.fork(room=0).layers[0]
    new = torch.ones(1, 2, 1, 8)
    layer.update(new, new)
    keys, _ = layer.update(3 * new, new)
    assert torch.equal(keys, torch.cat([window.keys[0], new, 3 * new], dim=2))
