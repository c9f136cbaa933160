import pytest
import torch
from torch import Tensor

from stamina_video.backbone.window import Window, WindowAttention

WIDTH = 8


def attention(window: int | None) -> WindowAttention:
    torch.manual_seed(0)
    return WindowAttention(WIDTH, heads=2, window=window)


def some_tokens(observations: int, tokens: int = 3) -> Tensor:
    return torch.randn(1, observations, tokens, WIDTH, generator=torch.Generator().manual_seed(1))


def attended(module: WindowAttention, tokens_BTNE: Tensor, past: Window = ()) -> tuple[Tensor, Window]:
    times_BT = torch.arange(tokens_BTNE.shape[1], dtype=torch.float64)[None]
    out, window = module(tokens_BTNE, times_BT, torch.ones(tokens_BTNE.shape[:3], dtype=torch.bool), past)
    return out, window


@pytest.mark.parametrize(("window", "kept"), [(1, 0), (2, 1), (4, 3), (9, 5), (None, 5)])
def test_keeps_what_the_next_observation_may_see(window: int | None, kept: int) -> None:
    _, seen = attended(attention(window), some_tokens(5))
    assert len(seen) == kept


def test_the_newest_are_kept_and_the_past_given_is_left_alone() -> None:
    module = attention(3)
    _, past = attended(module, some_tokens(2))
    before = [one.keys_BHND.clone() for one in past]
    _, seen = attended(module, some_tokens(1), past)
    assert seen[0] is past[1]
    assert len(past) == 2
    assert all(torch.equal(one.keys_BHND, was) for one, was in zip(past, before, strict=True))


def test_what_is_kept_does_not_hold_the_sequence_it_came_from() -> None:
    _, seen = attended(attention(3), some_tokens(50))
    for one in seen:
        for part in (one.keys_BHND, one.values_BHND, one.present_BN):
            assert part.untyped_storage().nbytes() == part.numel() * part.element_size()


def test_equals_attention_written_out_for_one_observation() -> None:
    module, tokens = attention(1), some_tokens(1)
    got, _ = attended(module, tokens)  # at time 0 nothing is turned
    q, k, v = module.project(tokens[0, 0]).chunk(3, dim=-1)
    heads = []
    for part in (slice(0, 4), slice(4, 8)):
        weights = (q[:, part] @ k[:, part].T / 2).softmax(-1)
        heads.append(weights @ v[:, part])
    torch.testing.assert_close(got[0, 0], module.out(torch.cat(heads, dim=-1)))


def test_absent_tokens_are_not_seen() -> None:
    module, tokens = attention(2), some_tokens(2)
    present = torch.tensor([[[True, True, False]] * 2])
    got, _ = module(tokens, torch.zeros(1, 2, dtype=torch.float64), present, ())
    expected, _ = module(tokens[:, :, :2], torch.zeros(1, 2, dtype=torch.float64), present[:, :, :2], ())
    torch.testing.assert_close(got[:, :, :2], expected)
