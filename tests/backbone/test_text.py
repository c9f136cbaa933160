from pathlib import Path

import numpy as np
import pytest
import torch

from stamina_video.backbone.text import MiniLM, load_text_encoder
from stamina_video.backbone.weights import MANIFEST
from stamina_video.semantics import InvalidInput, UnreadableFile
from tests.backbone.fakes import ToyText
from tests.backbone.real_weights import real_weight


@pytest.fixture(scope="module")
def text() -> MiniLM:
    for weight in MANIFEST:
        if "minilm" in weight.name:
            real_weight(weight.name)
    return load_text_encoder()


def test_vectors_have_unit_length(text: MiniLM) -> None:
    vectors = text.encode(["mug", "a person who waves with both hands", "ß é 杯"])
    assert vectors.shape == (3, text.width) == (3, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)
    assert text.encode([]).shape == (0, 384)


def test_things_of_a_kind_lie_near_each_other(text: MiniLM) -> None:
    mug, cup, coffee_mug, car = text.encode(["mug", "cup", "coffee mug", "car"])
    assert min(mug @ cup, mug @ coffee_mug, cup @ coffee_mug) > 0.6
    assert max(mug @ car, cup @ car, coffee_mug @ car) < 0.5


def test_colours_tell_targets_apart(text: MiniLM) -> None:
    red_mug, red, blue = text.encode(["red mug", "red", "blue"])
    assert red_mug @ red > red_mug @ blue


# The same model by another implementation: an int8 export on ONNX Runtime, which is off by up to 0.007.
@pytest.mark.parametrize(
    ("one", "other", "similarity"),
    [("mug", "coffee mug", 0.89), ("car", "vehicle", 0.87), ("mug", "car", 0.37)],
)
def test_similarities_agree_with_another_implementation(
    one: str, other: str, similarity: float, text: MiniLM
) -> None:
    first, second = text.encode([one, other])
    assert first @ second == pytest.approx(similarity, abs=0.01)


def test_a_vector_depends_on_its_text_alone(text: MiniLM) -> None:
    alone = text.encode(["red mug"])[0]
    fresh = load_text_encoder()
    fresh.encode(["something much longer that was asked for before"])
    assert np.array_equal(fresh.encode(["car", "  red   mug "])[1], alone)


def test_threads_are_left_as_they_were(text: MiniLM) -> None:
    before = torch.get_num_threads()
    text.encode(["a text not seen before"])
    assert torch.get_num_threads() == before


def test_no_text_and_no_weights_are_refused(text: MiniLM, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="expected a description"):
        text.encode(["  "])
    (tmp_path / "weights").write_bytes(b"something else")
    with pytest.raises(UnreadableFile, match="expected text weights, got"):
        MiniLM(tmp_path / "weights", real_weight("minilm-tokenizer"))
    with pytest.raises(UnreadableFile, match="expected a tokenizer, got"):
        MiniLM(real_weight("all-minilm-l6-v2"), tmp_path / "weights")


def test_the_toy_encoder_behaves_alike() -> None:
    red_mug, red, blue = ToyText().encode(["red mug", "red", "blue"])
    assert red_mug @ red > red_mug @ blue
    assert np.linalg.norm(red_mug) == pytest.approx(1)
