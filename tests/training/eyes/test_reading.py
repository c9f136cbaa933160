"""Close-ups that differ in one channel, read by a reader that had a few lessons."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from stamina_video.backbone.perception.closeup import PATCH
from stamina_video.backbone.perception.finder import EyesConfig, TrainedEyes, look_of
from stamina_video.backbone.perception.spotter import SpotterConfig
from stamina_video.training.eyes.glance import Glance
from stamina_video.training.eyes.reading import FILMED, TOLD, _weights, learn_drawn, learn_to_read, parted
from stamina_video.training.eyes.things import NOTHING, UNCLEAR, Found
from stamina_video.training.recipe import Course
from tests.backbone.perception.sights import COLUMNS, VOCABULARY, Box
from tests.training.eyes.glances import BOTTLE, BOX, CHANNELS, CUP, as_found, filmed, glance

KINDS = ("cup", "box", "something")
TAUGHT = (CUP, BOX)
PLACES: tuple[Box, ...] = tuple((0.1 + 0.2 * place, 0.1, 0.25 + 0.2 * place, 0.3) for place in range(4))
SHOWN = (CUP, BOX, BOTTLE, CUP)  # the last of which is nothing
COURSE = Course(40, 16, 1e-2)


def eyes() -> TrainedEyes:
    torch.manual_seed(0)
    return TrainedEyes(EyesConfig(COLUMNS, VOCABULARY, SpotterConfig(KINDS)))


def closeups(seed: int) -> tuple[Glance, Found]:
    """A channel is bright where a thing of that name is, and dark where there is nothing; all are noisy."""
    seen = glance(*zip(SHOWN, PLACES, strict=True))
    things, dice = as_found(seen, [0, 1, 2, NOTHING]), np.random.default_rng(seed)
    patches = dice.normal(5.0, 0.2, (4, PATCH, PATCH, 2 * CHANNELS)).astype(np.float32)
    for thing, name in enumerate(SHOWN[:3]):
        patches[thing, 2:7, 2:7, name] += 3.0
    patches[3] -= 1.0
    return seen, replace(things, seen=replace(things.seen, patches_KPPC=patches))


def taught(learner: TrainedEyes, spared: tuple[int, ...] = (), course: Course = COURSE) -> TrainedEyes:
    glances, things = zip(*(closeups(seed) for seed in range(6)), strict=True)
    torch.manual_seed(0)
    learn_to_read(learner, glances, things, len(glances), TAUGHT, spared, course, lambda *_: None)
    return learner


@pytest.fixture(scope="module")
def reading() -> TrainedEyes:
    return taught(eyes())


def test_a_few_lessons_tell_kinds_apart_and_things_from_nothing(reading: TrainedEyes) -> None:
    assert not reading.reader.training
    read = reading.reading(closeups(seed=99)[1].seen)
    assert read.kinds_KO[:3].argmax(1).tolist() == [0, 1, 2]  # what was not taught is something else
    assert (read.there_K > 0).tolist() == [True, True, True, False]


def test_channels_are_measured_before_they_are_read(reading: TrainedEyes) -> None:
    patches = np.concatenate([closeups(seed)[1].seen.patches_KPPC for seed in range(6)])
    every_XC = torch.from_numpy(patches.reshape(-1, 2 * CHANNELS))
    torch.testing.assert_close(reading.reader.middle_C, every_XC.mean(0), atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(reading.reader.spread_C, every_XC.std(0), atol=1e-4, rtol=1e-3)


def test_a_channel_that_never_changes_is_not_blown_up() -> None:
    def flat(seed: int) -> tuple[Glance, Found]:
        seen, things = closeups(seed)
        patches = things.seen.patches_KPPC.copy()
        patches[..., 7] = 2.0
        return seen, replace(things, seen=replace(things.seen, patches_KPPC=patches))

    learner, (glances, things) = eyes(), zip(*map(flat, range(2)), strict=True)
    learn_to_read(learner, glances, things, 2, TAUGHT, (), Course(1, 4, 1e-3), lambda *_: None)
    assert learner.reader.spread_C.min() > 0
    assert learner.reading(flat(5)[1].seen).features_KE.isfinite().all()


def test_of_what_is_spared_no_kind_is_said_but_that_it_is_there() -> None:
    learner = eyes()
    before = {name: one.detach().clone() for name, one in learner.reader.named_parameters()}
    taught(learner, spared=(CUP, BOX, BOTTLE), course=Course(2, 16, 1e-2))
    unchanged = {name for name, one in learner.reader.named_parameters() if torch.equal(one, before[name])}
    assert unchanged == {"kinds.weight", "kinds.bias"}


def test_real_things_and_nothing_are_shown_in_fixed_shares_and_what_is_unclear_never() -> None:
    """However many there are of each."""
    kinds_M = np.array([0, 0, 0, 0, 1, -1, -1, -1, 0, 1, -1, -1])
    there_M = np.array([0, 0, 0, 0, 1, NOTHING, NOTHING, UNCLEAR, 0, 1, NOTHING, UNCLEAR])
    is_real_M = np.array([False] * 8 + [True] * 4)
    weight_M = _weights(kinds_M, there_M, is_real_M).numpy()
    drawn, real = weight_M[:8], weight_M[8:]
    assert drawn[:5].sum() == pytest.approx((1 - FILMED) * TOLD)
    assert drawn[5:7].sum() == pytest.approx((1 - FILMED) * (1 - TOLD))
    assert real[:2].sum() == pytest.approx(FILMED * TOLD)
    assert real[2] == pytest.approx(FILMED * (1 - TOLD))
    assert drawn[7] == real[3] == 0
    # Five of one kind beside two of another, in all: each as often as its root says.
    assert drawn[4] / drawn[0] == pytest.approx((5 / 2) ** 0.5)


def test_without_clips_scenes_are_all_there_is() -> None:
    kinds_M, there_M = np.array([0, 1, -1]), np.array([0, 0, NOTHING])
    weight_M = _weights(kinds_M, there_M, np.zeros(3, bool)).numpy()
    assert np.isfinite(weight_M).all()
    assert weight_M[2] / weight_M.sum() == pytest.approx(1 - TOLD)


def test_pictures_are_told_apart_where_there_are_clips() -> None:
    drawn = [glance((CUP, PLACES[0]), (BOX, PLACES[place])) for place in (1, 2, 3)]
    real = [filmed((CUP, PLACES[place])) for place in (0, 3)]
    learner, said = eyes(), list[str]()
    looks = np.mean([look_of(one.sight) for one in (*drawn, *real)], axis=0)
    learner.middles_LC[1:3] = torch.from_numpy(looks[: 2 * CHANNELS]).reshape(2, CHANNELS)
    learn_drawn(learner, drawn, real, lambda what, *_: said.append(what))
    assert set(said) == {"telling drawn from filmed"}
    assert all(learner.is_drawn(one.sight) > 0.8 for one in drawn)
    assert all(learner.is_drawn(one.sight) < 0.2 for one in real)
    assert all(learner.trust(one.sight) == 0 for one in drawn)
    assert all(learner.trust(one.sight) > 0.6 for one in real)


def test_without_clips_nobody_can_tell_whether_a_picture_is_drawn() -> None:
    learner, said = eyes(), list[str]()
    learn_drawn(learner, [glance((CUP, PLACES[0]))], [], lambda what, *_: said.append(what))
    assert not said
    for one in (glance((CUP, PLACES[0])), filmed((BOX, PLACES[1]))):
        assert learner.is_drawn(one.sight) == 0.5
        assert learner.trust(one.sight) == 0


def test_the_line_between_two_kinds_of_looks_lies_where_their_spread_is_counted_in() -> None:
    """Two numbers that move together: what they have in common tells nothing, their difference all."""
    dice = np.random.default_rng(0)
    common, own = dice.normal(size=(400, 1)), dice.normal(size=(400, 2)) * 0.05
    looks = (common + own).astype(np.float32)
    looks[:200, 0] += 0.5
    weight, bias = parted(looks[:200], looks[200:])
    logits = looks @ weight + bias
    assert ((logits > 0) == (np.arange(400) < 200)).mean() > 0.9
    assert weight[0] > 0 > weight[1]
    assert weight.dtype == np.float32


def test_a_number_that_never_changes_parts_nothing() -> None:
    looks = np.array([[0, 5], [1, 5], [2, 5], [3, 5]], np.float32)
    weight, bias = parted(looks[2:], looks[:2])
    assert weight[1] == 0
    assert np.isfinite(weight).all()
    assert looks @ weight + bias == pytest.approx(-(looks @ weight + bias)[::-1])  # halfway between them
