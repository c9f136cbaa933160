import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from stamina_video.runtime import Model
from stamina_video.semantics import Observation
from stamina_video.training.draws import Draws
from stamina_video.training.experiments.rereading import Material, Rereading
from stamina_video.training.loop import Plan, Run
from stamina_video.training.records import RunFolder
from stamina_video.training.renaming import Renaming
from stamina_video.training.sample import Sample
from stamina_video.training.schedule import Stage
from tests.training.test_resting import READ, STAGES
from tests.training.toys import evened_model, sample, samples, tiny_model

DRAWS = Draws({}, Renaming(()))
OTHERS = [sample(7), sample(8)]
RECIPE = replace(STAGES, rereading=replace(READ, mixed=0.4))
CLIPS = [replace(one, id=f"{one.id} as a clip") for one in OTHERS]


SCENES = samples()


def varied(one: Sample, stage: Stage, chance: random.Random) -> Sample:
    """Toys have no boxes to draw stills and runs from."""
    return DRAWS(one, stage, chance) if stage is Stage.REREADING else one


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Model:
    plan = Plan(RECIPE, SCENES, others=CLIPS, variation=varied, steps=17)
    run = Run(plan, evened_model(), RunFolder(tmp_path_factory.mktemp("whole") / "run"))
    run.begin()
    return run.finish()


def test_the_recipes_own_data_gives_the_recipes_own_head(whole: Model, tmp_path: Path) -> None:
    heads = Rereading(whole, RECIPE, tmp_path)(Material(SCENES, CLIPS, DRAWS))
    given = whole.heads.state_dict()
    assert all(torch.equal(one, given[name]) for name, one in heads.state_dict().items())


def test_other_data_gives_another_event_head_and_nothing_else(whole: Model, tmp_path: Path) -> None:
    before = {name: one.clone() for name, one in whole.heads.state_dict().items()}
    heads = Rereading(whole, RECIPE, tmp_path)(Material(SCENES, (), DRAWS))
    moved = {name for name, one in heads.state_dict().items() if not torch.equal(one, before[name])}
    assert moved
    assert all(name.startswith("events.") for name in moved)
    assert all(torch.equal(one, before[name]) for name, one in whole.heads.state_dict().items())


def test_heads_are_kept_and_learned_once(whole: Model, tmp_path: Path) -> None:
    looks: list[str] = []

    def seen(one: Sample) -> Sample:
        def read() -> Sequence[Observation]:
            looks.append(one.id)
            return one.read()

        return replace(one, read=read)

    material = Material([seen(one) for one in SCENES], (), DRAWS)
    first = Rereading(whole, RECIPE, tmp_path)(material)
    assert looks
    looks.clear()
    again = Rereading(whole, RECIPE, tmp_path)(material)
    assert not looks
    assert all(torch.equal(one, first.state_dict()[name]) for name, one in again.state_dict().items())
    assert len(list(tmp_path.iterdir())) == 1
    Rereading(whole, RECIPE, tmp_path, seed=1)(material)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_head_without_a_measured_scale_gets_one(tmp_path: Path) -> None:
    heads = Rereading(tiny_model(), RECIPE, tmp_path)(Material(SCENES, (), DRAWS))
    assert heads.config.evened
