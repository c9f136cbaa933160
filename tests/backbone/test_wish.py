import numpy as np
import pytest
from matplotlib.colors import XKCD_COLORS

from stamina_video.backbone import load_text_encoder
from stamina_video.backbone.paints import painted
from stamina_video.backbone.perception.detector import PAINT_UNIT
from stamina_video.backbone.wish import Wish
from tests.backbone.fakes import ToyText

DESCRIPTIONS = (
    *("mugs", "red mugs", "times a person has waved", "push-ups", "dark purple flower vases", "杯"),
    "red mugs packed into the box",
)


@pytest.fixture(scope="module")
def wish() -> Wish:
    return Wish(load_text_encoder())


@pytest.mark.parametrize("description", DESCRIPTIONS)
def test_a_wish_has_unit_length(wish: Wish, description: str) -> None:
    vector_S = wish(description)
    assert vector_S.shape == (wish.width,)
    assert vector_S.dtype == np.float32
    assert np.linalg.norm(vector_S) == pytest.approx(1, abs=1e-5)


def test_no_colour_of_the_survey_is_too_much() -> None:
    wish = Wish(ToyText())
    for name in XKCD_COLORS:
        vector_S = wish(f"{name.removeprefix('xkcd:')} cup")
        assert np.linalg.norm(vector_S) == pytest.approx(1, abs=1e-5)


def test_every_part_is_where_it_belongs(wish: Wish) -> None:
    vector_S, paint_3 = wish("red mugs"), painted("red mugs").lab_3
    assert paint_3 is not None
    text_T = vector_S[: wish.text.width] / wish.scale("text")
    np.testing.assert_allclose(text_T, wish.text.encode(["red mugs"])[0], atol=1e-5)
    names_N = vector_S[wish.names] / wish.scale("names")
    assert wish.listed.columns[int(names_N.argmax())] == "cup"
    assert names_N.max() == pytest.approx(1)
    np.testing.assert_allclose(vector_S[wish.paint] / wish.scale("paint"), paint_3 / PAINT_UNIT, rtol=1e-5)
    assert vector_S[wish.is_painted] == pytest.approx(wish.scale("is_painted"))


def test_the_square_is_half_of_the_paints_square(wish: Wish) -> None:
    for colour in ("red", "white", "black", "dark purple"):
        vector_S = wish(f"{colour} mugs")
        paint_3 = vector_S[wish.paint] / wish.scale("paint")
        assert vector_S[wish.square] / wish.scale("square") == pytest.approx(paint_3 @ paint_3 / 2, rel=1e-4)


def test_without_a_colour_there_is_no_paint(wish: Wish) -> None:
    vector_S = wish("mugs")
    assert not vector_S[wish.paint].any()
    assert vector_S[wish.is_painted] == vector_S[wish.square] == 0
    assert wish("black mugs")[wish.is_painted] > 0  # black is not the lack of a colour


def test_the_colour_does_not_change_the_name(wish: Wish) -> None:
    np.testing.assert_array_equal(wish("red mugs")[wish.names], wish("blue mugs")[wish.names])


def text_of(wish: Wish, description: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return wish(description)[: wish.text.width] / wish.scale("text")


def named(wish: Wish, description: str) -> str:
    return wish.listed.columns[int(wish(description)[wish.names].argmax())]


def test_what_is_done_means_the_same_whoever_it_is_done_to(wish: Wish) -> None:
    done = [f"{who} packed into the box" for who in ("mugs", "red mugs", "bottles", "things")]
    expected_T = wish.text.encode(["things packed into the box"])[0]
    for description in done:
        np.testing.assert_allclose(text_of(wish, description), expected_T, atol=1e-5)
    other_T = text_of(wish, "mugs taken out of the box")
    assert not np.allclose(other_T, expected_T, atol=1e-2)


def test_whom_it_is_done_to_is_said_by_names_and_paint_alone(wish: Wish) -> None:
    """The box that mugs are packed into is not asked for."""
    np.testing.assert_array_equal(wish("mugs packed into the box")[wish.names], wish("mugs")[wish.names])
    assert named(wish, "mugs packed into the box") == "cup"
    assert named(wish, "boxes that were closed") == "box"
    assert named(wish, "people going out through the doorway") == "person"
    red, plain = wish("red mugs packed into the box"), wish("mugs packed into the box")
    np.testing.assert_array_equal(red[wish.paint], wish("red mugs")[wish.paint])
    assert red[wish.is_painted] > 0 == plain[wish.is_painted]


def test_what_is_only_named_keeps_its_own_words(wish: Wish) -> None:
    for description in ("red mugs", "mugs", "push-ups", "times the box was closed"):
        expected_T = wish.text.encode([description])[0]
        np.testing.assert_allclose(text_of(wish, description), expected_T, atol=1e-5)
