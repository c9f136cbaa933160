from dataclasses import fields, replace

import pytest

from stamina_video.semantics import InvalidInput
from stamina_video.training.recipe import Recipe
from stamina_video.training.recipes import CONTROLS, ROLLED_OUT, RUNS, qwen_8b, recipe
from stamina_video.transitions import LossWeights


def test_the_defaults_are_the_papers_table() -> None:
    paper = qwen_8b()
    assert (paper.warm_up, paper.epochs, paper.batch) == (256, 3, 8)
    assert (paper.pretrained_rate, paper.new_rate) == (2e-5, 1e-4)
    assert (paper.betas, paper.epsilon, paper.decay, paper.clip) == ((0.9, 0.95), 1e-8, 0.01, 1.0)
    assert paper.weights == LossWeights(path=1.0, object=1.0, identity=0.2, boundary=0.2)


def changed(name: str, run: str = "nano") -> set[str]:
    base, control = recipe(run), recipe(f"{run}:{name}")
    return {one.name for one in fields(Recipe) if getattr(base, one.name) != getattr(control, one.name)}


@pytest.mark.parametrize("name", sorted(CONTROLS.keys() - {"phase_off_mean_loss"}))
def test_a_control_changes_one_thing(name: str) -> None:
    run = "qwen_8b" if name in ROLLED_OUT else "nano"
    assert len(changed(name, run) - {"name"}) == 1


@pytest.mark.parametrize("name", ROLLED_OUT)
def test_a_control_of_joint_training_is_refused_where_there_is_none(name: str) -> None:
    assert recipe("nano").epochs == 0
    with pytest.raises(InvalidInput, match=f"joint training to control by {name}, got nano"):
        recipe(f"nano:{name}")


def test_a_run_has_a_stage_to_learn_in() -> None:
    with pytest.raises(InvalidInput, match="epochs from 1 in a run without a stage of seeing, got 0"):
        replace(recipe("tiny"), epochs=0)


def test_the_fourth_cell_changes_both() -> None:
    assert changed("phase_off_mean_loss") == {"name", "phase_input", "mean_loss"}


@pytest.mark.parametrize("name", RUNS)
def test_every_run_goes_by_its_own_name(name: str) -> None:
    assert recipe(name).name == name


@pytest.mark.parametrize("name", ["", "nan", "nano:phase", "tiny nano", ":no_fsm"])
def test_an_unknown_recipe_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"expected a recipe .*tiny, nano, qwen_4b.*phase_off.* got"):
        recipe(name)


@pytest.mark.parametrize(
    ("field", "value"), [("batch", 0), ("epochs", 0), ("warm_up", -1), ("new_rate", 1.0), ("clip", 0.0)]
)
def test_settings_that_cannot_be_are_refused(field: str, value: float) -> None:
    settings = {"name": "r", "model": "m", field: value}
    with pytest.raises(InvalidInput, match="expected"):
        Recipe(**settings)  # type: ignore[arg-type]  # the names are the fields'
