from dataclasses import replace

import torch
from torch import nn

from stamina_video.backbone.delta import DeltaMemory
from stamina_video.training.parameters import groups, modules
from tests.training.toys import RECIPE, speaking_model, tiny_model
from tests.training.worker import SEEING


def test_all_of_a_compact_model_is_new() -> None:
    model = tiny_model()
    found = groups(model, RECIPE)
    assert not found.pretrained
    everything = {one for part in modules(model).values() for one in part.parameters()}
    assert set(found.new.values()) == everything


def test_of_qwen_memory_and_heads_are_new_and_the_vision_encoder_rests() -> None:
    model = speaking_model()
    found = groups(model, RECIPE)
    assert {name.partition(".")[0] for name in found.new} == {"heads", "qwen"}
    assert all(name.startswith(("heads.", "qwen.memory.")) for name in found.new)
    assert all(name.startswith("qwen.released.") for name in found.pretrained)
    frozen = [one for part in modules(model).values() for one in part.parameters() if not one.requires_grad]
    visual = modules(model)["qwen"].get_submodule("released.model.visual")
    assert frozen
    assert set(frozen) < set(visual.parameters())


def test_warm_up_rests_what_was_pretrained() -> None:
    found = groups(speaking_model(), RECIPE)
    for joint in (False, True):
        found.let_learn(joint)
        assert {one.requires_grad for one in found.pretrained.values()} == {joint}
        assert all(one.requires_grad for one in found.new.values())


def test_without_a_typed_state_the_heads_rest() -> None:
    model = speaking_model()
    assert not any(name.startswith("heads.") for name in groups(model, replace(RECIPE, state=False)).new)
    assert not any(one.requires_grad for one in model.heads.parameters())


def test_a_closed_memory_says_nothing_and_learns_nothing() -> None:
    for model in (tiny_model(), speaking_model()):
        found = groups(model, replace(RECIPE, memory=False))
        assert not any(".memory." in name or "qwen.memory" in name for name in found.trained)
        memories = [
            inner
            for part in modules(model).values()
            for inner in part.modules()
            if isinstance(inner, DeltaMemory)
        ]
        assert memories
        for memory in memories:
            tokens = torch.randn(1, 5, _width(memory))
            branch, _ = memory(tokens, memory.initial())
            assert branch.abs().max() == 0


def _width(memory: DeltaMemory) -> int:
    query: nn.Linear = memory.query
    return query.in_features


def test_after_a_stage_of_seeing_the_association_alone_is_new() -> None:
    found = groups(tiny_model(), SEEING)
    assert found.new
    assert all(name.startswith("heads.association.") for name in found.new)
    assert set(groups(tiny_model(), RECIPE).new) == set(found.trained)
