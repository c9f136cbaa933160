import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stamina_video.training.recipe import Recipe
from stamina_video.training.schedule import Schedule

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
