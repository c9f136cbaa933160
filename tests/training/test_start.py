import numpy as np
import pytest
import torch

from stamina_video.backbone import load_text_encoder
from stamina_video.backbone.perception.colour import colour_field
from stamina_video.backbone.perception.pretrained import class_names
from stamina_video.data.world.palette import COLOURS, colours
from stamina_video.training.start import _colour_words, _colours


def channels(name: str) -> torch.Tensor:
    swatch = np.full((8, 8, 3), np.round(255 * np.array(COLOURS[name])), np.uint8)
    return torch.from_numpy(colour_field(swatch).mean((0, 1)))


@pytest.fixture(scope="module")
def fitted() -> tuple[torch.Tensor, torch.Tensor]:
    return _colours(load_text_encoder(), class_names())


def asked(fitted: tuple[torch.Tensor, torch.Tensor], words: str) -> torch.Tensor:
    weight_CS, offset_C = fitted
    return weight_CS @ torch.from_numpy(load_text_encoder().encode([words])[0]) + offset_C


def test_every_colour_of_the_training_scenes_is_a_colour_word() -> None:
    assert set(colours("train")) <= set(_colour_words())


@pytest.mark.parametrize("colour", ["red", "blue", "green", "yellow", "purple", "turquoise"])
def test_a_colour_word_asks_for_its_colour(fitted: tuple[torch.Tensor, torch.Tensor], colour: str) -> None:
    query_C = asked(fitted, f"{colour} vases")
    middle_C = torch.stack([channels(name) for name in COLOURS]).mean(0)
    scores = {name: float(query_C[:-1] @ (channels(name) - middle_C)) for name in COLOURS}
    assert max(scores, key=lambda name: scores[name]) == colour


def test_a_target_without_a_colour_names_none(fitted: tuple[torch.Tensor, torch.Tensor]) -> None:
    plain = [float(asked(fitted, words)[-1]) for words in ("people", "vases", "potted plants", "chairs")]
    named = [float(asked(fitted, f"red {words}")[-1]) for words in ("vases", "potted plants", "chairs")]
    assert max(plain) < min(named)
