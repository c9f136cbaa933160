import numpy as np
import torch

from stamina_video.backbone.names import Names
from stamina_video.backbone.perception import PerceptLayout, TokenKind
from stamina_video.training.footage import Take
from stamina_video.training.simulated import simulated_sample
from tests.backbone.fakes import ToyText

TAKE = Take("packing", 3, 6.0, 2.0)
LAYOUT = PerceptLayout()
NAMES = Names(ToyText())


def test_a_scene_without_pictures_is_told_as_a_filmed_one_is() -> None:
    sample = simulated_sample(TAKE, 1, NAMES, LAYOUT)
    seen = sample.read()
    assert [one.time for one in seen] == list(TAKE.times)
    assert all(one.image.fits(LAYOUT) for one in seen)
    assert {lesson.target.operator.is_event for lesson in sample.lessons} == {False, True}
    shown = [len(look) for lesson in sample.lessons if lesson.shown is not None for look in lesson.shown]
    assert max(shown) > 0


def test_detections_come_first_best_first_and_the_whole_image_last() -> None:
    for one in simulated_sample(TAKE, 1, NAMES, LAYOUT).read():
        kinds, scores = one.image.kind_N, one.image.scores_N
        assert kinds[-1] == TokenKind.GLOBAL
        assert (kinds[:-1] == TokenKind.DETECTION).all()
        assert (np.diff(scores[:-1]) <= 0).all()


def test_another_seed_is_other_noise_over_the_same_truth() -> None:
    first, again, other = (simulated_sample(TAKE, seed, NAMES, LAYOUT) for seed in (1, 1, 2))
    boxes = [np.concatenate([one.image.boxes_N4 for one in sample.read()]) for sample in (first, again)]
    assert np.array_equal(boxes[0], boxes[1])
    changed = np.concatenate([one.image.boxes_N4 for one in other.read()])
    assert changed.shape != boxes[0].shape or not np.array_equal(changed, boxes[0])
    for mine, theirs in zip(first.lessons, other.lessons, strict=True):
        assert mine.target == theirs.target
        assert mine.shown == theirs.shown
        if mine.unique is not None and theirs.unique is not None:
            assert torch.equal(mine.unique.counts_J, theirs.unique.counts_J)
