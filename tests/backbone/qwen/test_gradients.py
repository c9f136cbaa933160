"""Training runs the same path with gradients: who gets them, and how far back they reach."""

import torch
from torch import nn

from stamina_video.backbone.delta import DeltaConfig
from stamina_video.backbone.qwen.backbone import QwenBackbone
from stamina_video.backbone.qwen.state import QwenState
from tests.backbone.qwen.tiny import OBSERVED, a_backbone, observation


def learned(backbone: QwenBackbone, observations: int = 4) -> None:
    """Gradients of the last observation's features."""
    state = backbone.initial()
    for index in range(observations):
        observed = backbone.observe(state, observation(index))
        state = observed.state
    torch.autograd.backward(observed.tokens_ND[:, 0].mean())


def touched(module: nn.Module) -> list[bool]:
    return [parameter.grad is not None for parameter in module.parameters()]


def test_gradients_reach_memory_decoder_and_projector_and_not_the_vision_encoder() -> None:
    backbone = a_backbone()
    learned(backbone)
    released, visual = backbone.qwen.released.model, backbone.qwen.released.model.visual
    assert all(touched(backbone.qwen.memory))
    assert all(touched(released.language_model.layers))
    assert all(touched(visual.merger))
    assert all(touched(visual.deepstack_merger_list))
    for frozen in (visual.blocks, visual.patch_embed, visual.pos_embed):
        assert not any(touched(frozen))


def test_the_two_groups_of_parameters_are_all_that_is_trained() -> None:
    qwen = a_backbone().qwen
    groups = {id(part) for part in (*qwen.new_parameters(), *qwen.pretrained_parameters())}
    assert groups == {id(part) for part in qwen.parameters() if part.requires_grad}


def test_warm_up_moves_the_memory_alone() -> None:
    backbone = a_backbone()
    backbone.qwen.released.requires_grad_(False)
    before = [part.clone() for part in backbone.qwen.released.parameters()]
    optimiser = torch.optim.AdamW(backbone.qwen.new_parameters(), lr=1e-2)
    losses = []
    for _ in range(3):
        optimiser.zero_grad()
        loss = backbone.observe(backbone.initial(), observation(0)).tokens_ND[:, 0].mean()
        torch.autograd.backward(loss)
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]
    assert all(map(torch.equal, before, backbone.qwen.released.parameters()))


def reach(truncation: int, observations: int = 6) -> list[bool]:
    """Before which observations the memory's state still gets a gradient from the last features."""
    backbone = a_backbone(memory=DeltaConfig(2, 8, chunk=OBSERVED, truncation=truncation))
    state, inputs = backbone.initial(), []
    for index in range(observations):
        state = _grown(state)
        inputs.append(state.memories[0])
        observed = backbone.observe(state, observation(index))
        state = observed.state
    gradients = torch.autograd.grad(observed.tokens_ND[:, 0].mean(), inputs, allow_unused=True)
    return [gradient is not None for gradient in gradients]


def _grown(state: QwenState) -> QwenState:
    """The same state, with memories whose gradients can be asked for."""
    memories = tuple(memory * 1.0 for memory in state.memories)
    return QwenState(state.window, memories, state.time, state.unrolled)


def test_backpropagation_ends_where_truncation_says() -> None:
    """A chunk is one observation here: spans begin at every second, third and eighth."""
    assert reach(2) == [False] * 5 + [True]
    assert reach(3) == [False] * 4 + [True] * 2
    assert reach(8, observations=8) == [True] * 8
    assert reach(8, observations=10) == [False] * 9 + [True]


def test_truncation_changes_no_value() -> None:
    features = []
    for span in (1, 8):
        backbone = a_backbone(memory=DeltaConfig(2, 8, chunk=OBSERVED, truncation=span))
        state = backbone.initial()
        for index in range(4):
            observed = backbone.observe(state, observation(index))
            state = observed.state
        features.append(observed.tokens_ND.detach())
    assert torch.equal(*features)
