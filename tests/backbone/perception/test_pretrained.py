import numpy as np
import pytest

from stamina_video.backbone.perception import Perception, PerceptLayout
from stamina_video.backbone.perception.pretrained import load_perception
from stamina_video.backbone.weights import MANIFEST
from stamina_video.runtime.loading import SHIPPED
from tests.backbone.fakes import toy_image
from tests.backbone.real_weights import real_weight


@pytest.fixture(scope="module")
def eyes() -> Perception:
    for weight in MANIFEST:
        real_weight(weight.name)
    return load_perception(SHIPPED / "nano")


def test_the_default_layout_is_that_of_the_pretrained_eyes(eyes: Perception) -> None:
    assert eyes.layout == PerceptLayout()


def test_replay_gives_the_same_bits_whoever_looks_between(eyes: Perception) -> None:
    images = [toy_image(("red", 0.2 + 0.1 * step, 0.3, 0.2), height=180, width=320) for step in range(3)]
    other = toy_image(("green", 0.5, 0.3, 0.4), height=200, width=200)
    glimpse, alone = None, []
    for image in images:
        percept, glimpse = eyes.perceive(image, glimpse)
        assert percept.fits(eyes.layout)
        alone.append(percept)
    glimpse = None
    for image, before in zip(images, alone, strict=True):
        eyes.perceive(other, None)
        percept, glimpse = eyes.perceive(image, glimpse)
        for name, array in before.arrays().items():
            assert np.array_equal(percept.arrays()[name], array), name
