from dataclasses import replace

import numpy as np
import pytest
import torch

from stamina_video.backbone.perception.linking import (
    FARTHEST,
    FEATURES,
    MARKED,
    Linker,
    Links,
    Overlapping,
    Sights,
    differences,
)
from tests.backbone.perception.sights import sights

LEFT, RIGHT = (0.1, 0.2, 0.3, 0.5), (0.6, 0.2, 0.8, 0.5)


def missed(*looks: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.array(looks, np.float32)


def test_what_stays_is_linked_and_what_is_far_is_not() -> None:
    links_KS = Overlapping().links(sights(RIGHT, LEFT), sights(LEFT, RIGHT), missed(0, 0))
    assert (links_KS > 0).tolist() == [[False, True], [True, False]]


def test_what_was_moved_by_the_flow_is_linked() -> None:
    now, before = sights(RIGHT, moved=(0.5, 0)), sights(LEFT)
    assert Overlapping().links(now, before, missed(0)) > 0
    assert Overlapping().links(sights(RIGHT), before, missed(0)) < 0


def test_a_thing_differs_from_itself_in_nothing() -> None:
    one = sights(LEFT, names=[[0.9, 0.1]])
    features_F = differences(one, one, missed(2))[0, 0]
    assert features_F == pytest.approx([1, 1, 0, 0, 1, 1, 1, 0, 0.9, 2], abs=1e-5)


def looking(shape: int, mark: int) -> Sights:
    """One thing that lights up one number of its shape, and one of its mark."""
    features_1E = np.zeros((1, 4 + MARKED), np.float32)
    features_1E[0, [shape, 4 + mark]] = 1
    return replace(sights(LEFT), features_KE=features_1E)


@pytest.mark.parametrize(
    ("other", "alike", "marked"), [(looking(0, 3), 1, 1), (looking(0, 9), 0.5, 0), (looking(2, 3), 0.5, 1)]
)
def test_marks_are_set_against_each_other_apart_from_the_rest(
    other: Sights, alike: float, marked: float
) -> None:
    features_F = differences(looking(0, 3), other, missed(0))[0, 0]
    assert features_F[4:6] == pytest.approx([alike, marked], abs=1e-5)


def test_every_thing_is_set_against_every_other() -> None:
    features_KSF = differences(sights(LEFT, RIGHT, LEFT), sights(RIGHT, LEFT), missed(0, 3))
    assert features_KSF.shape == (3, 2, FEATURES)
    np.testing.assert_array_equal(features_KSF[0], features_KSF[2])
    assert features_KSF[:, :, -1].tolist() == [[0, 3]] * 3


def test_far_is_far_however_far() -> None:
    speck = (0.0, 0.0, 0.001, 0.001)
    features_F = differences(sights(speck), sights((0.9, 0.9, 0.901, 0.901)), missed(0))[0, 0]
    assert features_F[2] == FARTHEST
    assert np.isfinite(features_F).all()


def test_boxes_without_area_have_differences_all_the_same() -> None:
    features_KSF = differences(sights((0.5, 0.5, 0.5, 0.5)), sights((0.5, 0.5, 0.5, 0.5)), missed(0))
    assert np.isfinite(features_KSF).all()


@pytest.mark.parametrize("links", [Overlapping(), Linker()], ids=["overlapping", "linker"])
def test_none_are_linked_to_none(links: Links) -> None:
    assert links.links(sights(), sights(LEFT), missed(0)).shape == (0, 1)
    assert links.links(sights(LEFT), sights(), missed()).shape == (1, 0)


def test_a_linker_reads_the_differences() -> None:
    torch.manual_seed(0)
    linker, now, before = Linker(), sights(LEFT, RIGHT), sights(RIGHT)
    links_KS = linker.links(now, before, missed(1))
    assert links_KS.dtype == np.float32
    features_KSF = torch.from_numpy(differences(now, before, missed(1)))
    np.testing.assert_allclose(links_KS, linker(features_KSF).detach().numpy(), rtol=1e-5)
