from copy import deepcopy
from dataclasses import replace

import torch

from stamina_video.runtime import Model
from stamina_video.training.experiments.event_heads import Optimisation
from stamina_video.training.experiments.fit import fit
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.experiments.objects import IDENTITY_VERIFIED, object_sample, object_trials
from stamina_video.transitions import LossWeights

SETTINGS = Optimisation(updates=2, warmup=0, rate=1e-3)


def fitted(ground: Ground, weights: LossWeights) -> Model:
    trials = object_trials(ground.footage("packing", [0])[0], IDENTITY_VERIFIED)
    still = ground.still(ground.model, *(trial.aim for trial in trials))
    model = Model(still.name, still.backbone, deepcopy(still.heads))
    samples = [object_sample(trial, ground.looks(trial.stretch, ground.model)) for trial in trials]
    fit(model, model.heads, samples, weights, SETTINGS, 0, lambda _: None)
    return model


def test_heads_move_and_the_given_ones_stay(ground: Ground) -> None:
    before = deepcopy(ground.model.heads.state_dict())
    moved = fitted(ground, LossWeights()).heads.state_dict()
    assert all(torch.equal(ground.model.heads.state_dict()[name], before[name]) for name in before)
    assert any(not torch.equal(moved[name], before[name]) for name in before)


def test_the_same_seed_fits_the_same_heads(ground: Ground) -> None:
    weights = replace(LossWeights(), identity=0.0)
    first, second = (fitted(ground, weights).heads.state_dict() for _ in range(2))
    assert all(torch.equal(first[name], second[name]) for name in first)
