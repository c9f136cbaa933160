import numpy as np
import pytest
import torch

from stamina_video.backbone.perception import TokenKind
from stamina_video.backbone.perception.gait import GAIT
from stamina_video.backbone.perception.perception import LIFE_CHANNELS
from stamina_video.runtime import Model
from stamina_video.training.experiments.tokens import LOOKS, WHOLE, counted, unfelt
from stamina_video.transitions import Heads, HeadsConfig
from tests.backbone.fakes import toy_image, toy_perception
from tests.backbone.test_compact import a_backbone
from tests.training.toys import sample, tiny_model

PERCEPT, _ = toy_perception().perceive(toy_image(("red", 0.5, 0.4, 0.2)), None)
KINDS = {"detections": TokenKind.DETECTION, "moving regions": TokenKind.REGION, "the grid": TokenKind.GRID}
ARRAYS = {"names": "names_NS", "appearance": "appearance_NP", "colour": "colour_NC", "motion": "motion_NM"}


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_of_token_is_gone_and_the_others_are_whole(name: str) -> None:
    seen = LOOKS[name](PERCEPT)
    others = PERCEPT.kind_N != KINDS[name]
    assert len(seen) == others.sum()
    for array, whole in PERCEPT.arrays().items():
        assert np.array_equal(seen.arrays()[array], whole[others])


@pytest.mark.parametrize("name", ARRAYS)
def test_a_property_is_silent_and_the_others_are_whole(name: str) -> None:
    seen = LOOKS[name](PERCEPT)
    for array, whole in PERCEPT.arrays().items():
        wanted = np.zeros_like(whole) if array == ARRAYS[name] else whole
        assert np.array_equal(seen.arrays()[array], wanted)


def test_a_gait_is_silent_and_the_rest_of_a_life_is_whole() -> None:
    seen = LOOKS["gait"](PERCEPT)
    kept = len(LIFE_CHANNELS) - len(GAIT)
    assert PERCEPT.life_NL[:, kept:].any()
    assert not seen.life_NL[:, kept:].any()
    assert PERCEPT.life_NL[:, :kept].any()
    for array, whole in PERCEPT.arrays().items():
        told = seen.arrays()[array]
        wanted = (told[:, :kept], whole[:, :kept]) if array == "life_NL" else (told, whole)
        assert np.array_equal(*wanted)


def test_every_look_is_one_of_them_and_the_whole_changes_nothing() -> None:
    assert set(LOOKS) == {WHOLE, *KINDS, *ARRAYS, "gait"}
    assert LOOKS[WHOLE](PERCEPT) is PERCEPT
    readings = counted(tiny_model(), [sample(1)], LOOKS[WHOLE])
    assert readings
    assert all(len(one.counted) == len(one.true) for one in readings)


def test_a_model_that_feels_nothing_is_another_model_with_the_same_weights_otherwise() -> None:
    backbone = a_backbone(pulses=True)
    heads = Heads(HeadsConfig(backbone.width, backbone.target_width, hidden=8, pulses=backbone.pulses))
    with torch.no_grad():
        heads.events.context.from_pulses_HP.fill_(1.0)  # type: ignore[union-attr]
    feeling = Model("feeling", backbone, heads)
    told = unfelt(feeling).heads.state_dict()
    for name, weight in heads.state_dict().items():
        wanted = torch.zeros_like(weight) if name.endswith("from_pulses_HP") else weight
        assert torch.equal(told[name], wanted), name
