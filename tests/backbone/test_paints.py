import numpy as np
import pytest
from matplotlib.colors import to_rgb

from stamina_video.backbone.paints import lab, painted


@pytest.mark.parametrize(
    ("description", "colour", "rest"),
    [
        ("red mugs", "red", "mugs"),
        ("an orange mug", "orange", "an mug"),
        ("dark red mugs", "dark red", "mugs"),
        ("Dark Red mugs", "dark red", "mugs"),
        ("the (red) mugs on a table", "red", "the mugs on a table"),
        ("red mugs with blue handles", "red", "mugs with blue handles"),
        ("times a green ball bounced", "green", "times a ball bounced"),
    ],
)
def test_a_colour_is_taken_out_of_a_description(description: str, colour: str, rest: str) -> None:
    apart = painted(description)
    assert apart.rest == rest
    assert apart.lab_3 is not None
    np.testing.assert_array_equal(apart.lab_3, lab(to_rgb(f"xkcd:{colour}")))


@pytest.mark.parametrize(
    "description",
    ["mugs", "oranges", "an orange", "Orange!", "coffee mugs", "apple cores", "hundreds of mugs", ""],
)
def test_what_names_no_colour_stays_whole(description: str) -> None:
    apart = painted(description)
    assert apart.lab_3 is None
    assert apart.rest == description


def test_white_is_light_and_black_is_not_and_both_are_grey() -> None:
    np.testing.assert_allclose(lab((1, 1, 1)), [100, 0, 0], atol=0.1)
    np.testing.assert_allclose(lab((0, 0, 0)), [0, 0, 0], atol=0.1)


def test_red_lies_towards_red_and_blue_away_from_yellow() -> None:
    assert lab((1, 0, 0))[1] > 50
    assert lab((0, 0, 1))[2] < -50
