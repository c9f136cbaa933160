from dataclasses import replace

import numpy as np
import pytest

from stamina_video.backbone.perception import PerceptLayout, TokenKind
from tests.backbone.fakes import toy_image, toy_perception


def test_a_layout_bounds_the_tokens() -> None:
    assert PerceptLayout().most_tokens == 24 + 49 + 8 + 1
    assert replace(PerceptLayout(), regions=0, grid=1).most_tokens == 26


def test_the_default_widths_are_those_of_the_channels() -> None:
    layout, eyes = PerceptLayout(), toy_perception().layout
    assert (layout.names, layout.motion, layout.colour, layout.life) == (
        eyes.names,
        eyes.motion,
        eyes.colour,
        eyes.life,
    )


def test_a_percept_knows_its_kinds_and_whether_it_fits() -> None:
    eyes = toy_perception()
    percept, _ = eyes.perceive(toy_image(("red", 0.3, 0.3, 0.2)), None)
    assert len(percept.of_kind(TokenKind.DETECTION)) == 1
    assert len(percept.of_kind(TokenKind.GRID)) == 9
    assert len(percept.of_kind(TokenKind.GLOBAL)) == 1
    assert percept.fits(eyes.layout)
    assert not percept.fits(replace(eyes.layout, appearance=7))
    assert not percept.fits(replace(eyes.layout, detections=0, regions=0))


def test_arrays_of_another_kind_break_the_invariant() -> None:
    percept, _ = toy_perception().perceive(toy_image(), None)
    with pytest.raises(AssertionError, match="scores_N is float64"):
        replace(percept, scores_N=percept.scores_N.astype(np.float64))
    with pytest.raises(AssertionError, match="boxes_N4 has 1 rows for 10 tokens"):
        replace(percept, boxes_N4=percept.boxes_N4[:1])
