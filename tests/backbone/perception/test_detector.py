import numpy as np
import pytest

from stamina_video.backbone.perception import Detections, labelled
from stamina_video.semantics import InvalidInput


def test_words_become_weights_over_a_vocabulary() -> None:
    found = labelled([(0, 0, 0.5, 0.5), (0.5, 0.5, 1, 1.2)], ["mug", "car"], [0.4, 0.9])
    assert found.vocabulary == ("car", "mug")
    assert found.labels_KV.tolist() == [[0, 1], [1, 0]]
    assert found.boxes_K4.max() == 1
    assert found.embeddings_KE.shape == (2, 0)


def test_the_best_come_first_and_ties_keep_their_order() -> None:
    found = labelled(np.eye(4), ["a", "b", "c", "d"], [0.2, 0.9, 0.2, 0.5], np.arange(8).reshape(4, 2))
    best = found.best(3)
    assert best.scores_K.tolist() == pytest.approx([0.9, 0.5, 0.2])
    assert best.embeddings_KE.tolist() == [[2, 3], [6, 7], [0, 1]]
    assert best.labels_KV.argmax(axis=1).tolist() == [1, 3, 0]


def test_finding_nothing_is_fine() -> None:
    nothing = labelled([], [], [])
    assert len(nothing) == len(nothing.best(5)) == 0


def test_parts_that_do_not_agree_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"expected scores of shape \(1,\) from the detector, got \(2,\)"):
        labelled([(0, 0, 1, 1)], ["mug"], [0.5, 0.5])
    with pytest.raises(InvalidInput, match="expected labels"):
        Detections(
            np.zeros((1, 4), np.float32),
            np.zeros(1, np.float32),
            ("a",),
            np.zeros((1, 2), np.float32),
            np.zeros((1, 0), np.float32),
        )
