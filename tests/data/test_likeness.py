import numpy as np
import pytest

from stamina_video.data.likeness import distance, halves
from stamina_video.semantics import InvalidInput

GROUPS = [str(number // 4) for number in range(160)]


def pictures(shift: float, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(shift, 1.0, (160, 40))


def test_alike_sets_cannot_be_told_apart() -> None:
    alike = distance(pictures(0, 0), GROUPS, pictures(0, 1), GROUPS)
    assert 0.35 < alike.told_apart < 0.65
    assert alike.means < 0.1
    assert alike.frechet < 0.6


def test_the_farther_apart_the_greater_the_distance() -> None:
    near, far = (distance(pictures(0, 0), GROUPS, pictures(shift, 1), GROUPS) for shift in (0.3, 1.5))
    assert near.frechet < far.frechet
    assert near.means < far.means
    assert far.told_apart > 0.95


def test_the_measure_is_symmetric_and_repeatable() -> None:
    one, other = pictures(0, 0), pictures(0.5, 1)
    there, back = distance(one, GROUPS, other, GROUPS), distance(other, GROUPS, one, GROUPS)
    assert there == distance(one, GROUPS, other, GROUPS)
    assert there.frechet == pytest.approx(back.frechet)
    assert there.means == pytest.approx(back.means)


def test_halves_split_no_clip() -> None:
    each = np.repeat(np.random.default_rng(0).normal(size=(40, 40)), 4, axis=0)
    assert halves(each, GROUPS).told_apart < 0.8


def test_too_few_clips_are_refused() -> None:
    with pytest.raises(InvalidInput, match="expected pictures of at least 5 clips"):
        distance(pictures(0, 0), ["a"] * 160, pictures(0, 1), GROUPS)
