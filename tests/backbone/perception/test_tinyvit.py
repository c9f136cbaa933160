from pathlib import Path

import numpy as np
import pytest

from stamina_video.backbone.perception.boxes import box_means
from stamina_video.backbone.perception.tinyvit import TinyViT
from stamina_video.semantics import UnreadableFile
from tests.backbone.fakes import toy_image
from tests.backbone.real_weights import real_weight


@pytest.fixture(scope="module")
def encoder() -> TinyViT:
    return TinyViT(real_weight("tiny-vit-5m"), threads=2)


def test_two_fields_cover_the_image(encoder: TinyViT) -> None:
    coarse, fine = encoder.encode(toy_image(("red", 0.3, 0.3, 0.2), height=240, width=320))
    assert coarse.shape == (7, 7, 320)
    assert fine.shape == (14, 14, 160)
    assert encoder.width == 480


def test_features_lie_where_things_are(encoder: TinyViT) -> None:
    coarse_noise = np.random.default_rng(0).integers(60, 200, (28, 28, 3)).astype(np.uint8)
    ground = coarse_noise.repeat(8, axis=0).repeat(8, axis=1)
    marked = ground.copy()
    marked[20:70, 150:200] = (220, 30, 30)
    plain, changed = encoder.encode(ground), encoder.encode(marked)
    corner = np.array([[0.7, 0.1, 0.9, 0.3], [0.05, 0.75, 0.25, 0.95]], np.float32)
    for before, after in zip(plain, changed, strict=True):
        there, elsewhere = np.linalg.norm(box_means(after - before, corner), axis=1)
        assert there > 1.5 * elsewhere


def test_the_same_image_gives_the_same_bits(encoder: TinyViT) -> None:
    one, other = toy_image(("red", 0.3, 0.3, 0.2)), toy_image(("blue", 0.6, 0.3, 0.4))
    before = encoder.encode(one)
    encoder.encode(other)
    assert all(np.array_equal(a, b) for a, b in zip(before, encoder.encode(one), strict=True))


def test_a_file_that_is_no_encoder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"something else")
    with pytest.raises(UnreadableFile, match=r"expected an ONNX encoder, got .*model\.onnx"):
        TinyViT(tmp_path / "model.onnx", threads=1)
