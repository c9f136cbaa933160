import sys
from pathlib import Path

import av
import numpy as np
import pytest

from stamina_video.backbone.perception import Image
from stamina_video.backbone.perception.boxes import overlaps
from stamina_video.backbone.perception.closeup import PATCH, look_closer
from stamina_video.backbone.perception.efficientdet import CANDIDATES, LOWEST_SCORE, EfficientDet
from stamina_video.backbone.perception.spotter import SpotterConfig
from stamina_video.semantics import UnreadableFile
from tests.backbone.real_weights import real_weight
from tests.shared_data import CLIPS, needs


@pytest.fixture(scope="module")
def detector() -> EfficientDet:
    return EfficientDet(real_weight("efficientdet-lite2"), threads=2)


def frame(clip: str) -> Image:
    with av.open(str(CLIPS / "videos" / clip)) as container:
        return np.asarray(next(container.decode(video=0)).to_ndarray(format="rgb24"), np.uint8)


@needs(CLIPS)
def test_bottles_are_bottles(detector: EfficientDet) -> None:
    found = detector(frame("intel_bottle.mp4"))
    words = [found.vocabulary[row] for row in found.labels_KV.argmax(axis=1)]
    assert words[:3] == ["bottle"] * 3
    assert found.scores_K[:3].min() > 0.7
    assert len(found) <= CANDIDATES
    assert found.scores_K.min() >= LOWEST_SCORE
    assert ((found.boxes_K4 >= 0) & (found.boxes_K4 <= 1)).all()


@needs(CLIPS)
@pytest.mark.parametrize("things", [3, 12])
def test_bottles_are_bottles_in_close_ups_too(detector: EfficientDet, things: int) -> None:
    image, bottle = frame("intel_bottle.mp4"), detector.vocabulary.index("bottle")
    boxes_K4 = detector(image).boxes_K4[:3]
    closer = look_closer(detector, image, np.resize(boxes_K4, (things, 4)))
    assert closer.patches_KPPC.shape == (things, PATCH, PATCH, 2 * SpotterConfig(()).channels)
    assert (closer.scores_KV.argmax(axis=1) == bottle).all()
    assert closer.scores_KV[:, bottle].min() > 0.5


@needs(CLIPS)
def test_boxes_agree_with_the_models_own_last_step(detector: EfficientDet) -> None:
    image = frame("intel_bottle.mp4")
    found = detector(image)
    outputs = detector._interpreter.get_output_details()
    by_shape = {tuple(output["shape"]): output["index"] for output in outputs if len(output["shape"]) == 3}
    boxes_25x4 = detector._interpreter.get_tensor(by_shape[1, 25, 4])[0][:, [1, 0, 3, 2]]
    across = np.array([1, image.shape[1] / image.shape[0]] * 2, np.float32)  # out of the square frame
    agreement = overlaps(found.boxes_K4[:3], (boxes_25x4 * across).astype(np.float32))
    assert (agreement.max(axis=1) > 0.97).all()


def test_the_same_image_gives_the_same_bits(detector: EfficientDet) -> None:
    rng = np.random.default_rng(3)
    images = rng.integers(0, 255, (3, 90, 160, 3)).astype(np.uint8).repeat(4, axis=1).repeat(4, axis=2)
    first = [detector(image) for image in images]
    for image, before in zip(images[::-1], first[::-1], strict=True):
        after = detector(image)
        assert np.array_equal(after.boxes_K4, before.boxes_K4)
        assert np.array_equal(after.labels_KV, before.labels_KV)


def test_loading_is_silent(capfd: pytest.CaptureFixture[str]) -> None:
    EfficientDet(real_weight("efficientdet-lite2"), threads=1)
    sys.stderr.write("heard\n")
    assert capfd.readouterr().err == "heard\n"


def test_a_file_that_is_no_detector_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.tflite").write_bytes(b"something else")
    for name in ("model.tflite", "missing.tflite"):
        with pytest.raises(UnreadableFile, match=r"expected a detector with labelmap\.txt inside"):
            EfficientDet(tmp_path / name, threads=1)
