import numpy as np

from stamina_video.backbone.perception import Detections, labelled
from stamina_video.backbone.perception.boxes import overlaps
from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.motion import Motion, look
from stamina_video.backbone.perception.proposals import LARGEST, moving_regions
from tests.backbone.fakes import toy_image

NOTHING = labelled([], [], [])
Blob = tuple[str, float, float, float]


def appeared(*blobs: Blob) -> Motion:
    ground = toy_image(height=144, width=256)
    after: Image = toy_image(*blobs, height=144, width=256)
    return look(after, look(ground, None)[1])[0]


def test_what_appears_is_boxed() -> None:
    motion = appeared(("white", 0.2, 0.2, 0.05), ("black", 0.7, 0.4, 0.1))
    boxes_R4, scores_R = moving_regions(motion, NOTHING, most=8)
    expected = np.array(
        [[0.65, 0.35 * 16 / 9, 0.75, 0.45 * 16 / 9], [0.175, 0.175 * 16 / 9, 0.225, 0.225 * 16 / 9]]
    )
    assert (np.diag(overlaps(boxes_R4, expected.astype(np.float32))) > 0.65).all(), "the larger change first"
    assert ((scores_R > 0) & (scores_R < 1)).all()


def test_there_are_no_more_than_asked_for() -> None:
    blobs = [("white", 0.1 + 0.2 * index, 0.2, 0.04) for index in range(5)]
    assert len(moving_regions(appeared(*blobs), NOTHING, most=3)[0]) == 3


def test_a_sure_detection_speaks_for_its_region() -> None:
    motion = appeared(("white", 0.5, 0.3, 0.1))
    box = moving_regions(motion, NOTHING, most=8)[0]

    def seen(score: float) -> Detections:
        return labelled(box, ["mug"], [score])

    assert len(moving_regions(motion, seen(0.9), most=8)[0]) == 0
    assert len(moving_regions(motion, seen(0.1), most=8)[0]) == 1


def test_specks_and_whole_scenes_are_no_things() -> None:
    assert len(moving_regions(appeared(("white", 0.5, 0.3, 0.009)), NOTHING, most=8)[0]) == 0
    large = appeared(("white", 0.5, 0.28, 0.9))
    assert large.active_HW.mean() > LARGEST
    assert len(moving_regions(large, NOTHING, most=8)[0]) == 0
