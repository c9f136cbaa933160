"""Where a landmark stands, from boxes that tremble."""

import numpy as np
import pytest

from stamina_video.backbone.perception.landmarks import LOOKS, MOVED, Landmarks
from stamina_video.backbone.perception.percept import Floats
from tests.backbone.perception.sights import Box

DOOR, ELSEWHERE = (0.3, 0.2, 0.6, 0.8), (0.7, 0.2, 0.9, 0.8)
NONE = np.zeros((0, 4), np.float32)


def box(some: Box) -> Floats:
    return np.array([some], np.float32)


def after(*found: Floats) -> Landmarks:
    landmarks = Landmarks.none(1)
    for one in found:
        landmarks = landmarks.gone_on([one])
    return landmarks


def stands(landmarks: Landmarks) -> Box | None:
    steady_J4 = landmarks.steady(0)
    if not len(steady_J4):
        return None
    left, top, right, bottom = map(float, steady_J4[0])
    return left, top, right, bottom


def test_nothing_stands_where_nothing_was_seen() -> None:
    assert stands(Landmarks.none(1)) is None
    assert stands(after(NONE, NONE)) is None


def test_a_landmark_stands_in_the_middle_of_what_was_said_of_it() -> None:
    dice = np.random.default_rng(0)
    trembling = [box(DOOR) + dice.normal(0, 0.05, (1, 4)).astype(np.float32) for _ in range(LOOKS)]
    steady = stands(after(*trembling))
    assert steady == pytest.approx(tuple(np.median(np.concatenate(trembling), axis=0)))
    assert steady == pytest.approx(DOOR, abs=0.03)


def test_who_stands_in_front_for_a_while_moves_nothing() -> None:
    half_hidden = (0.3, 0.2, 0.6, 0.6)
    assert stands(after(*[box(DOOR)] * 8, *[box(half_hidden)] * 7)) == pytest.approx(DOOR)


def test_the_surest_counts() -> None:
    both = np.concatenate([box(DOOR), box(ELSEWHERE)])
    assert stands(after(both)) == pytest.approx(DOOR)


def test_what_was_seen_is_believed_in_for_as_long_as_it_is_remembered() -> None:
    assert stands(after(box(DOOR), *[NONE] * (LOOKS - 1))) == pytest.approx(DOOR)
    assert stands(after(box(DOOR), *[NONE] * LOOKS)) is None
    assert stands(after(box(DOOR), *[NONE] * LOOKS, box(ELSEWHERE))) == pytest.approx(ELSEWHERE)


def test_after_a_cut_it_stands_elsewhere() -> None:
    seen = [box(DOOR)] * LOOKS
    assert stands(after(*seen, *[box(ELSEWHERE)] * (MOVED - 1))) == pytest.approx(DOOR)
    assert stands(after(*seen, *[box(ELSEWHERE)] * MOVED)) == pytest.approx(ELSEWHERE)
    mixed = [box(ELSEWHERE), box(DOOR)] * MOVED
    assert stands(after(*seen, *mixed)) == pytest.approx(DOOR), "now and then is a mistake"


def test_kinds_do_not_mix() -> None:
    two = Landmarks.none(2).gone_on([box(DOOR), NONE]).gone_on([NONE, box(ELSEWHERE)])
    assert two.steady(0).tolist() == box(DOOR).tolist()
    assert two.steady(1).tolist() == box(ELSEWHERE).tolist()


def test_landmarks_are_values() -> None:
    landmarks = after(box(DOOR))
    before = {name: array.copy() for name, array in landmarks.arrays().items()}
    landmarks.gone_on([box(ELSEWHERE)])
    landmarks.gone_on([NONE])
    for name, array in landmarks.arrays().items():
        np.testing.assert_array_equal(array, before[name])
