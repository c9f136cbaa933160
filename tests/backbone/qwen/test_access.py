"""Two access modes, one model: what they share, and where they part."""

import itertools

import torch
from torch import Tensor

from stamina_video.backbone.qwen.backbone import QwenBackbone
from stamina_video.backbone.qwen.state import QwenState
from tests.backbone.qwen.tiny import OBSERVED, a_backbone, close_gates, observation

KEPT = 4  # observations in a full window
PLAYED = 9


def played(backbone: QwenBackbone, count: int = PLAYED) -> tuple[Tensor, QwenState]:
    state, features = backbone.initial(), []
    with torch.no_grad():
        for index in range(count):
            observed = backbone.observe(state, observation(index))
            state = observed.state
            features.append(observed.tokens_ND)
    return torch.stack(features), state


def at_once(backbone: QwenBackbone, count: int, kept: int) -> Tensor:
    """The judge: one forward of the released decoder over all observations, later ones masked to a window."""
    qwen = backbone.qwen
    items = [observation(index) for index in range(count)]
    sights = [backbone.sights.see(item.image, item.time, backbone.config.visual_tokens) for item in items]
    starts = itertools.accumulate((sight.span for sight in sights), initial=0)
    positions = [start + sight.positions_3L for start, sight in zip(starts, sights, strict=False)]
    moment = torch.arange(count).repeat_interleave(OBSERVED)
    place = torch.arange(count * OBSERVED)
    allowed = (place[:, None] >= place[None]) & (moment[:, None] - moment[None] < kept)
    mask = torch.zeros(allowed.shape).masked_fill(~allowed, -torch.inf)[None, None]
    with torch.no_grad():
        states = qwen.released.model(
            input_ids=torch.cat([sight.ids_L for sight in sights])[None],
            position_ids=torch.cat(positions, dim=1)[:, None],
            attention_mask=mask,
            pixel_values_videos=torch.cat([sight.patches for sight in sights]),
            video_grid_thw=torch.stack([sight.grid_3 for sight in sights]),
        ).last_hidden_state[0]
    visual: Tensor = states[torch.cat([sight.is_visual_L for sight in sights])]
    return torch.unflatten(visual, 0, (count, -1))


def test_an_observation_is_the_size_the_tests_say() -> None:
    _, state = played(a_backbone(), 1)
    assert state.window.tokens == OBSERVED


def test_both_give_the_same_features_until_something_is_evicted_and_part_there() -> None:
    stream = a_backbone()
    seen, state = played(stream)
    prefix, whole = played(stream.full())
    torch.testing.assert_close(seen[:KEPT], prefix[:KEPT])
    for step in range(KEPT, PLAYED):
        assert not torch.allclose(seen[step], prefix[step], atol=1e-3)
    assert (state.window.tokens, whole.window.tokens) == (KEPT * OBSERVED, PLAYED * OBSERVED)


def test_stream_is_the_released_forward_with_a_window_for_a_mask() -> None:
    backbone = a_backbone()
    torch.testing.assert_close(played(backbone)[0], at_once(backbone, PLAYED, KEPT), rtol=1e-4, atol=1e-4)


def test_full_is_the_released_forward() -> None:
    backbone = a_backbone(window=None)
    torch.testing.assert_close(played(backbone)[0], at_once(backbone, PLAYED, PLAYED), rtol=1e-4, atol=1e-4)


def test_moving_positions_back_changes_no_feature() -> None:
    often, never = a_backbone(positions=40), a_backbone()
    (moved, state), (still, far) = played(often, 20), played(never, 20)
    assert state.window.position < 60 < far.window.position
    torch.testing.assert_close(moved, still, rtol=1e-4, atol=1e-4)


def test_memory_reaches_beyond_the_window_and_closed_gates_do_not() -> None:
    backbone = a_backbone(window=OBSERVED)
    assert not torch.equal(_after(backbone, 0)[-1], _after(backbone, 50)[-1])
    close_gates(backbone.qwen)
    assert torch.equal(_after(backbone, 0)[-1], _after(backbone, 50)[-1])


def _after(backbone: QwenBackbone, first: int) -> list[Tensor]:
    """Features of three observations that differ in the first one's picture only."""
    state, features = backbone.initial(), []
    with torch.no_grad():
        for index, picture in enumerate((first, 1, 2)):
            observed = backbone.observe(state, observation(index, picture))
            state = observed.state
            features.append(observed.tokens_ND)
    return features
