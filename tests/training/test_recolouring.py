import random
from dataclasses import replace

import numpy as np
import pytest

from stamina_video.backbone.perception import TokenKind
from stamina_video.data.world.palette import COLOURS, UNSEEN_COLOURS
from stamina_video.semantics import Observation, Target
from stamina_video.training.recolouring import APART, Recolouring
from stamina_video.training.sample import Lesson, Sample, Shown
from stamina_video.training.start import swatch
from tests.backbone.fakes import toy_image, toy_perception

PERCEPT, _ = toy_perception().perceive(toy_image(("red", 0.5, 0.4, 0.2)), None)
FIRST = int(PERCEPT.of_kind(TokenKind.DETECTION)[0])
BOX = tuple(PERCEPT.boxes_N4[FIRST].tolist())


@pytest.fixture(scope="module")
def recolouring() -> Recolouring:
    return Recolouring.of_survey()


def scene(description: str) -> Sample:
    lesson = Lesson(Target(description, "O2-Unique"), shown=((Shown("entity 1", BOX),),))
    return Sample("scene", lambda: [Observation("scene", 0, 0.0, PERCEPT, 0)], (lesson,))


def test_a_thing_and_the_question_change_colours_together(recolouring: Recolouring) -> None:
    other = recolouring(scene("red mugs"), {"red": "teal"}, share=0.4, dull=False)
    assert other.lessons[0].target.description == "teal mugs"
    seen = other.read()[0].image
    shift_C = 0.4 * (recolouring.words["teal"] - swatch(COLOURS["red"]))
    np.testing.assert_allclose(seen.colour_NC[FIRST], PERCEPT.colour_NC[FIRST] + shift_C, atol=1e-6)
    background = PERCEPT.of_kind(TokenKind.GRID)
    assert np.array_equal(seen.colour_NC[background], PERCEPT.colour_NC[background])
    assert np.array_equal(seen.appearance_NP, PERCEPT.appearance_NP)


def test_what_names_no_colour_keeps_its_words_and_looks(recolouring: Recolouring) -> None:
    other = recolouring(scene("mugs"), {"red": "teal"}, share=0.4, dull=False)
    assert other.lessons[0].target.description == "mugs"
    assert np.array_equal(other.read()[0].image.colour_NC, PERCEPT.colour_NC)


def test_a_dull_scene_has_no_appearance(recolouring: Recolouring) -> None:
    (seen,) = recolouring(scene("red mugs"), {"red": "teal"}, share=0.4, dull=True).read()
    assert not seen.image.appearance_NP.any()


def test_new_colours_are_told_apart_and_never_held_out(recolouring: Recolouring) -> None:
    for seed in range(20):
        changes = recolouring.changes(random.Random(seed))
        assert set(changes) <= set(COLOURS) - UNSEEN_COLOURS
        assert len(changes) > 3
        new = list(changes.values())
        assert not any(held_out in word for word in new for held_out in UNSEEN_COLOURS)
        looks = [recolouring.words[word] for word in new]
        for place, one in enumerate(looks):
            assert all(np.linalg.norm(one - other) > APART for other in looks[:place])


def test_a_swatch_in_the_new_colour_looks_like_it(recolouring: Recolouring) -> None:
    """A box that shows a red thing and nothing else becomes one that shows a teal thing and nothing else."""
    plain = replace(PERCEPT, colour_NC=np.tile(swatch(COLOURS["red"]), (len(PERCEPT), 1)))
    sample = replace(scene("red mugs"), read=lambda: [Observation("scene", 0, 0.0, plain, 0)])
    seen_C = recolouring(sample, {"red": "teal"}, share=1.0, dull=False).read()[0].image.colour_NC[FIRST]
    np.testing.assert_allclose(seen_C, recolouring.words["teal"], atol=1e-6)
