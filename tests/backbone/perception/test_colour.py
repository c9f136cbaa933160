import numpy as np
import pytest

from stamina_video.backbone.perception.boxes import WHOLE_14, box_means
from stamina_video.backbone.perception.colour import (
    COLOUR_CHANNELS,
    PALETTE,
    PARTS,
    SURVEYED,
    colour_field,
    survey,
)


def colours(red: int, green: int, blue: int) -> dict[str, float]:
    image = np.full((40, 60, 3), (red, green, blue), np.uint8)
    means = box_means(colour_field(image), WHOLE_14)[0]
    return dict(zip(COLOUR_CHANNELS, means.tolist(), strict=True))


@pytest.mark.parametrize("word", PALETTE)
def test_a_plain_colour_is_strongest_in_its_own_word(word: str) -> None:
    found = colours(*PALETTE[word])
    assert max(PALETTE, key=lambda name: found[name]) == word
    assert sum(found[name] for name in PALETTE) == pytest.approx(1, abs=1e-4)


def test_lightness_and_the_two_axes_of_colour_are_told() -> None:
    white, red, blue = colours(255, 255, 255), colours(200, 30, 30), colours(30, 30, 200)
    assert white["lightness"] > 0.95
    assert red["green_red"] > 0.3 > white["green_red"]
    assert blue["blue_yellow"] < -0.3


def test_a_half_of_each_has_half_of_each() -> None:
    image = np.zeros((40, 60, 3), np.uint8)
    image[:, :30], image[:, 30:] = PALETTE["red"], PALETTE["blue"]
    means = dict(zip(COLOUR_CHANNELS, box_means(colour_field(image), WHOLE_14)[0], strict=True))
    assert means["red"] == pytest.approx(colours(*PALETTE["red"])["red"] / 2, abs=0.02)
    assert means["blue"] == pytest.approx(colours(*PALETTE["blue"])["blue"] / 2, abs=0.02)


def test_a_survey_tells_a_thing_from_what_surrounds_it() -> None:
    image = np.full((90, 90, 3), PALETTE["green"], np.uint8)
    image[30:45, 30:60], image[45:60, 30:60] = PALETTE["red"], PALETTE["white"]
    box_14 = np.array([[1 / 3, 1 / 3, 2 / 3, 2 / 3]], np.float32)
    found = survey(colour_field(image), box_14).reshape(len(PARTS) + 2, len(COLOUR_CHANNELS))
    assert found.size == SURVEYED
    strongest = [COLOUR_CHANNELS[row[: len(PALETTE)].argmax()] for row in found]
    assert strongest[1] == "red"
    assert strongest[3] == "white"
    assert strongest[-2:] == ["green", "green"]
