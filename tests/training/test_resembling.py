"""Made-up marks that get something in common; nothing here needs weights."""

from dataclasses import replace

import numpy as np

from stamina_video.backbone.perception import Percept, PerceptLayout
from stamina_video.backbone.perception.linking import MARKED
from stamina_video.semantics import Observation
from stamina_video.training.resembling import resembling
from stamina_video.training.sample import Sample
from tests.backbone.percepts import a_percept

LAYOUT = PerceptLayout(appearance=MARKED + 3, names=6, motion=4, colour=4, grid=2)


def marked() -> Percept:
    """Every second token has a mark."""
    percept, dice = a_percept(0, tokens=8, layout=LAYOUT), np.random.default_rng(1)
    marks_NM = dice.standard_normal((8, MARKED)).astype(np.float32)
    marks_NM /= np.linalg.norm(marks_NM, axis=1, keepdims=True)
    marks_NM[1::2] = 0
    appearance_NP = np.concatenate([percept.appearance_NP[:, :-MARKED], marks_NM], axis=1)
    return replace(percept, appearance_NP=appearance_NP)


def changed(share: float, seed: int = 5) -> Percept:
    percept = marked()
    sample = Sample("scene", lambda: [Observation("scene", 0, 0.0, percept, 0)], ())
    other = resembling(sample, share, seed)
    assert other.id != sample.id  # what is kept of the one is not true of the other
    (seen,) = other.read()
    assert isinstance(seen.image, Percept)
    return seen.image


def cosines(percept: Percept) -> np.ndarray:
    marks_NM = percept.appearance_NP[::2, -MARKED:]
    cosines_NN = marks_NM @ marks_NM.T
    return np.asarray(cosines_NN[np.triu_indices(len(cosines_NN), 1)])


def test_the_more_they_have_in_common_the_nearer_marks_are() -> None:
    means = [cosines(changed(share)).mean() for share in (0.0, 0.45, 0.65)]
    assert means[0] + 0.1 < means[1] < means[2] - 0.1
    np.testing.assert_allclose(cosines(changed(0.0)), cosines(marked()), atol=1e-5)


def test_marks_keep_their_length_and_who_has_none_gets_none() -> None:
    lengths_N = np.linalg.norm(changed(0.6).appearance_NP[:, -MARKED:], axis=1)
    np.testing.assert_allclose(lengths_N[::2], 1, atol=1e-5)
    assert not lengths_N[1::2].any()


def test_nothing_else_changes_and_the_same_seed_gives_the_same() -> None:
    before, after = marked(), changed(0.6)
    np.testing.assert_array_equal(after.appearance_NP[:, :-MARKED], before.appearance_NP[:, :-MARKED])
    np.testing.assert_array_equal(after.names_NS, before.names_NS)
    np.testing.assert_array_equal(changed(0.6).appearance_NP, after.appearance_NP)
    assert (changed(0.6, seed=6).appearance_NP != after.appearance_NP).any()
