from copy import deepcopy

import numpy as np
import pytest
import torch

from stamina_video.backbone.perception import TokenKind
from stamina_video.backbone.perception.gait import GAIT
from stamina_video.backbone.perception.perception import LIFE_CHANNELS
from stamina_video.semantics import Operator
from stamina_video.training.experiments.tokens import LOOKS, WHOLE, counted, unfelt
from tests.backbone.fakes import toy_image, toy_perception
from tests.training.toys import feeling_model, sample, tiny_model

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


SILENCED = ("context.from_pulses_HP", "context.deeds.told.weight")


def test_a_model_that_feels_nothing_is_another_model_with_the_same_weights_otherwise() -> None:
    feeling = feeling_model()
    before = deepcopy(feeling.heads.state_dict())
    told = unfelt(feeling).heads.state_dict()
    assert {name for name in told if not torch.equal(told[name], before[name])} == {
        name for name in before if name.endswith(SILENCED)
    }
    assert not any(weight.any() for name, weight in told.items() if name.endswith(SILENCED))
    assert all(torch.equal(weight, before[name]) for name, weight in feeling.heads.state_dict().items())


def test_an_event_head_that_feels_nothing_hears_no_pulse_and_reads_no_deed() -> None:
    feeling, dice = feeling_model(), torch.Generator().manual_seed(0)
    config = feeling.heads.config
    felt = slice(config.width, config.width + config.pulses + config.gathering)
    inputs_2I = torch.rand(1, felt.stop + config.width, generator=dice).repeat(2, 1)
    inputs_2I[1, felt] = torch.rand(felt.stop - felt.start, generator=dice)
    target_D = torch.rand(config.target_width, generator=dice)
    with torch.no_grad():
        one, other = (
            model.heads.events.context(inputs_2I, target_D, Operator.E1_ACTION)
            for model in (feeling, unfelt(feeling))
        )
    assert not torch.allclose(one[0], one[1])
    torch.testing.assert_close(other[0], other[1])


def test_a_model_that_never_felt_stays_as_it_is() -> None:
    model = tiny_model()
    told = unfelt(model).heads.state_dict()
    assert all(torch.equal(told[name], weight) for name, weight in model.heads.state_dict().items())
