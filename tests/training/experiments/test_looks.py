from pathlib import Path

import pytest
import torch

from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput, Observation
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.experiments.looks import frozen, observations
from stamina_video.training.rollout import roll
from stamina_video.training.sample import Lesson, Sample
from stamina_video.training.stretch import Stretch, stretches


def a_stretch(ground: Ground) -> Stretch:
    return stretches(ground.footage("packing", [0])[0], 1)[0]


def test_kept_looks_decide_as_the_backbone_does(ground: Ground) -> None:
    stretch, model = a_stretch(ground), ground.model
    lessons = tuple(Lesson(aim.target) for aim in stretch.footage.aims)
    live = [
        Observation(stretch.name, number, time, percept, number)
        for number, (time, percept) in enumerate(zip(stretch.times, stretch.percepts(), strict=True))
    ]
    still = Model("still", frozen(model, [lesson.target.description for lesson in lessons]), model.heads)
    looks = ground.looks(stretch, model)
    with torch.no_grad():
        expected = roll(model, Sample("live", lambda: live, lessons))
        found = roll(still, Sample("kept", lambda: looks, lessons))
    for ours, theirs in zip(found.outcomes, expected.outcomes, strict=True):
        for mine, other in zip(ours, theirs, strict=True):
            assert [change.edge for change in mine.decision.changes] == [
                change.edge for change in other.decision.changes
            ]
            if mine.events is not None and other.events is not None:
                assert torch.allclose(mine.events.inputs_MI, other.events.inputs_MI, atol=1e-2)


def test_looks_are_kept_by_what_made_them(ground: Ground, tmp_path: Path) -> None:
    stretch = a_stretch(ground)
    observations(stretch, ground.model, tmp_path)
    observations(stretch, ground.model.full_access, tmp_path)
    assert len(list(tmp_path.glob(f"*/{stretch.name}.safetensors"))) == 2


def test_an_image_is_no_look(ground: Ground) -> None:
    with pytest.raises(InvalidInput, match="expected a kept look, got str"):
        frozen(ground.model, []).observe(None, Observation("s", 0, 0.0, "picture", 0))
