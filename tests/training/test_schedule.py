from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stamina_video.training.recipe import Recipe, Seeing
from stamina_video.training.schedule import Schedule, Stage
from stamina_video.transitions import LossWeights
from tests.training.toys import RECIPE

PAPER = Recipe("paper", model="8b")


@settings(deadline=None)  # machines are busy
@given(st.integers(1, 40), st.integers(1, 9), st.integers(0, 5), st.integers(0, 3))
def test_every_epoch_of_joint_training_visits_every_sample_once(
    samples: int, batch: int, warm_up: int, seed: int
) -> None:
    schedule = Schedule(Recipe("r", model="m", batch=batch, warm_up=warm_up, epochs=2), samples, seed)
    joint = [schedule.batch(update) for update in range(warm_up, schedule.updates)]
    epochs = (joint[: schedule.per_epoch], joint[schedule.per_epoch :])
    for epoch in epochs:
        assert sorted(place for part in epoch for place in part) == list(range(samples))


def test_the_order_follows_from_the_seed_alone() -> None:
    orders = [Schedule(PAPER, 100, seed).batch(300) for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]


def test_epochs_differ() -> None:
    schedule = Schedule(PAPER, 8, 0)
    assert schedule.batch(256) != schedule.batch(257)
    assert schedule.batch(0) != schedule.batch(256)


def test_the_rate_is_a_cosine_to_zero_after_the_warm_up() -> None:
    schedule = Schedule(PAPER, 800, 0)
    assert schedule.updates == 256 + 3 * 100
    assert [schedule.factor(update) for update in (0, 255, 256)] == [1, 1, 1]
    assert schedule.factor(256 + 150) == pytest.approx(0.5)
    assert schedule.factor(schedule.updates) == pytest.approx(0, abs=1e-12)


def test_a_shorter_run_falls_to_zero_too() -> None:
    schedule = Schedule(PAPER, 800, 0, steps=300)
    assert schedule.updates == 300
    assert schedule.factor(300) == pytest.approx(0, abs=1e-12)


def test_a_run_that_ends_in_its_warm_up_keeps_its_rate() -> None:
    assert Schedule(PAPER, 800, 0, steps=3).factor(2) == 1


def test_a_second_round_of_seeing_rises_and_falls_again() -> None:
    seeing = Seeing(updates=10, batch=2, rate=1e-3, clip=2.0, weights=LossWeights(), again=5)
    schedule = Schedule(replace(RECIPE, seeing=seeing, rise=2), samples=8, seed=0)
    stages = [schedule.stage(update) for update in range(schedule.updates)]
    assert stages.count(Stage.SEEING) == 15
    assert [update for update in range(schedule.updates) if schedule.sees_anew(update)] == [10]
    rates = [schedule.factor(update) for update in range(15)]
    assert rates[9] < 0.1
    assert rates[10] == 0.5
    assert rates[11] > 0.8
    assert rates[14] < 0.2
    once = Schedule(replace(RECIPE, seeing=replace(seeing, again=0)), samples=8, seed=0)
    assert not any(once.sees_anew(update) for update in range(once.updates))
