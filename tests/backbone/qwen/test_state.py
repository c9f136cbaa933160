import torch

from stamina_video.backbone.qwen.state import QwenState
from tests.backbone.qwen.tiny import a_backbone, observation


def test_every_part_goes_through_its_tensors() -> None:
    backbone = a_backbone()
    for state in (backbone.initial(), backbone.observe(backbone.initial(), observation(3)).state):
        again = QwenState.from_tensors(state.tensors())
        assert again.time == state.time
        assert (again.window.lengths, again.window.starts) == (state.window.lengths, state.window.starts)
        assert again.window.position == state.window.position
        for part in ("keys", "values"):
            assert all(map(torch.equal, getattr(again.window, part), getattr(state.window, part)))
        assert all(map(torch.equal, again.memories, state.memories))


def test_detached_keeps_values_and_ends_gradients() -> None:
    state = a_backbone().observe(a_backbone().initial(), observation(0)).state
    detached = state.detached()
    assert state.memories[0].requires_grad
    assert not any(tensor.requires_grad for tensor in detached.tensors().values())
    assert all(map(torch.equal, detached.tensors().values(), state.tensors().values()))
    assert detached.unrolled == 0
