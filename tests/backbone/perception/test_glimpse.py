import numpy as np
import pytest

from stamina_video.backbone.perception import Glimpse
from stamina_video.semantics import InvalidInput
from tests.backbone.fakes import toy_image, toy_perception


def test_a_glimpse_survives_storage() -> None:
    eyes = toy_perception()
    _, glimpse = eyes.perceive(toy_image(("red", 0.3, 0.3, 0.2)), None)
    again = Glimpse.from_arrays({name: array.copy() for name, array in glimpse.arrays().items()})
    image = toy_image(("red", 0.4, 0.3, 0.2))
    one, other = eyes.perceive(image, glimpse)[0], eyes.perceive(image, again)[0]
    assert all(np.array_equal(array, other.arrays()[name]) for name, array in one.arrays().items())


def test_files_and_gaits_return_from_storage() -> None:
    eyes, glimpse = toy_perception(), None
    for step in range(4):
        _, glimpse = eyes.perceive(toy_image(("red", 0.3 + 0.05 * step, 0.3, 0.2)), glimpse)
    assert glimpse is not None
    again = Glimpse.from_arrays(glimpse.arrays())
    assert set(again.arrays()) == set(glimpse.arrays())
    for name, array in glimpse.arrays().items():
        np.testing.assert_array_equal(again.arrays()[name], array)
    assert again.arrays()["things.gaits.step_SA"].any()


def test_other_arrays_are_refused() -> None:
    with pytest.raises(InvalidInput, match="expected grey_HW and background_HW, got grey_HW"):
        Glimpse.from_arrays({"grey_HW": np.zeros((4, 4), np.uint8)})


def test_the_two_thumbnails_agree() -> None:
    with pytest.raises(AssertionError, match="background_HW is"):
        Glimpse(np.zeros((4, 4), np.uint8), np.zeros((4, 5), np.uint8))
