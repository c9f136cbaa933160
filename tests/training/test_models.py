"""What a recipe starts from, before any lesson."""

import numpy as np
import pytest
import torch

from stamina_video.backbone import CompactBackbone
from stamina_video.backbone.perception import PerceptLayout, TokenKind
from stamina_video.backbone.perception.files import KEPT
from stamina_video.backbone.perception.gait import GAIT
from stamina_video.backbone.perception.perception import LIFE_CHANNELS
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput, Observation
from stamina_video.training.models import fresh_model
from stamina_video.training.recipe import Recipe
from stamina_video.training.recipes import nano, tiny
from tests.backbone.percepts import a_percept


@pytest.fixture(scope="module")
def model() -> Model:
    return fresh_model(nano(), 0)


def test_the_compact_model_gathers_how_its_candidates_move(model: Model) -> None:
    config, backbone = model.heads.config, model.backbone
    assert isinstance(backbone, CompactBackbone)
    assert config.pulses == backbone.pulses > 0
    assert config.gathered == len(GAIT)
    percept = a_percept(0, tokens=8, layout=PerceptLayout())
    with torch.no_grad():
        seen = backbone.observe(backbone.initial(), Observation("s", 0, 0.0, percept, 0))
    things = np.flatnonzero(percept.kind_N == TokenKind.DETECTION)
    assert len(things)
    gait_KG = seen.tokens_ND[things][:, config.gathered_columns]
    torch.testing.assert_close(gait_KG, torch.from_numpy(percept.life_NL[things, -len(GAIT) :]))
    assert config.missed_column is not None
    missed_K = percept.life_NL[things, LIFE_CHANNELS.index("missed")]
    np.testing.assert_allclose(seen.tokens_ND[things][:, config.missed_column], missed_K, rtol=1e-6)
    assert config.forgiven == 1 / KEPT, "one look"


def test_a_language_model_gathers_nothing() -> None:
    config = fresh_model(tiny(), 0).heads.config
    assert (config.pulses, config.gathered) == (0, 0)


def test_the_same_seed_gives_the_same_first_weights(model: Model) -> None:
    first, again, other = (
        one.heads.state_dict() for one in (model, fresh_model(nano(), 0), fresh_model(nano(), 1))
    )
    assert all(torch.equal(weight, again[name]) for name, weight in first.items())
    assert any(not torch.equal(weight, other[name]) for name, weight in first.items())


def test_a_model_that_nobody_made_is_refused() -> None:
    with pytest.raises(InvalidInput, match="expected a model of nano, tiny, 4b, 8b, got 'pico'"):
        fresh_model(Recipe("toy", model="pico"), 0)
