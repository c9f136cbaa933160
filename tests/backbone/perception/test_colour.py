import numpy as np
import pytest

from stamina_video.backbone.perception.boxes import WHOLE_14, box_means
from stamina_video.backbone.perception.colour import COLOUR_CHANNELS, HUES, colour_field

NAMED = {
    "red": (210, 20, 30),
    "orange": (255, 140, 0),
    "yellow": (240, 230, 30),
    "green": (20, 160, 40),
    "cyan": (20, 220, 220),
    "blue": (30, 60, 220),
    "purple": (110, 30, 190),
    "pink": (240, 60, 170),
    "black": (12, 12, 12),
    "grey": (128, 128, 128),
    "white": (250, 250, 250),
}


def colours(red: int, green: int, blue: int) -> dict[str, float]:
    image = np.full((40, 60, 3), (red, green, blue), np.uint8)
    means = box_means(colour_field(image), WHOLE_14)[0]
    return dict(zip(COLOUR_CHANNELS, means.tolist(), strict=True))


@pytest.mark.parametrize("word", NAMED)
def test_a_plain_colour_is_strongest_in_its_own_word(word: str) -> None:
    found = colours(*NAMED[word])
    words = {name: found[name] for name in NAMED}
    assert max(words, key=lambda name: words[name]) == word


def test_the_circle_of_hues_closes() -> None:
    for red in ((220, 20, 20), (220, 20, 26), (220, 26, 20)):
        assert colours(*red)["red"] > 0.6


def test_grey_has_no_hue() -> None:
    assert all(abs(colours(90, 90, 90)[word]) < 0.05 for word in HUES)


def test_a_half_of_each_has_half_of_each() -> None:
    image = np.zeros((40, 60, 3), np.uint8)
    image[:, :30], image[:, 30:] = NAMED["red"], NAMED["blue"]
    means = dict(zip(COLOUR_CHANNELS, box_means(colour_field(image), WHOLE_14)[0], strict=True))
    assert means["red"] == pytest.approx(colours(*NAMED["red"])["red"] / 2, abs=0.02)
    assert means["blue"] == pytest.approx(colours(*NAMED["blue"])["blue"] / 2, abs=0.02)
