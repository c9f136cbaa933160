import pytest
import torch

from stamina_video.backbone import CompactBackbone
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.experiments.looks import frozen
from stamina_video.training.experiments.snapshot import without_memory
from stamina_video.training.stretch import stretches


def test_without_memory_only_the_branches_fall_silent(ground: Ground) -> None:
    silent = without_memory(ground.model)
    assert isinstance(silent.backbone, CompactBackbone)
    assert isinstance(ground.model.backbone, CompactBackbone)
    changed = {
        name
        for (name, now), before in zip(
            silent.backbone.decoder.state_dict().items(),
            ground.model.backbone.decoder.state_dict().values(),
            strict=True,
        )
        if not torch.equal(now, before)
    }
    assert changed
    assert all(".memory.out." in name for name in changed)


def test_a_memory_changes_what_is_seen(ground: Ground) -> None:
    stretch = stretches(ground.footage("packing", [0])[0], 1)[0]
    with_it, without_it = (
        ground.looks(stretch, model) for model in (ground.model, without_memory(ground.model))
    )
    assert not torch.equal(with_it[-1].image.mean_D, without_it[-1].image.mean_D)


def test_only_compact_models_have_percepts(ground: Ground) -> None:
    still = Model("still", frozen(ground.model, []), ground.model.heads)
    with pytest.raises(InvalidInput, match="expected a compact model, got 'still'"):
        without_memory(still)
