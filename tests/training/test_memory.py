from dataclasses import replace
from pathlib import Path

import pytest
import torch

from stamina_video.semantics import InvalidInput
from stamina_video.training import memory
from stamina_video.training.loop import Plan, Run
from stamina_video.training.memory import graph_bytes
from stamina_video.training.objective import terms
from stamina_video.training.records import RunFolder
from stamina_video.training.trainee import Trainee
from tests.training.toys import RECIPE, sample, tiny_model


def test_too_little_memory_is_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "available", lambda device: 1000)
    with pytest.raises(InvalidInput, match=r"expected .* GB of memory to train .* clip-0.* got 0\.0 GB"):
        Run(Plan(RECIPE, [sample(0)]), tiny_model(), RunFolder(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_what_an_observation_leaves_is_about_the_same_at_any_length() -> None:
    trainee = Trainee(tiny_model(), terms)
    short, long = (graph_bytes(trainee, sample(0, length)) for length in (3, 4))
    assert 0.5 < short / long < 2


def test_frozen_models_leave_less() -> None:
    model = tiny_model()
    trainee = Trainee(model, terms)
    learning = graph_bytes(trainee, sample(0))
    trainee.requires_grad_(False)
    assert graph_bytes(trainee, replace(sample(0), id="frozen")) < learning
    assert memory.available(torch.device("cpu")) > 0
