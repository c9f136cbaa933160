from dataclasses import replace
from pathlib import Path

import pytest

from stamina_video.backbone.perception import Eyes, Percept
from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.glimpse import Glimpse
from stamina_video.data.world import Sighting
from stamina_video.data.world.body import Entity
from stamina_video.training.filming import _visible as visible
from stamina_video.training.filming import film
from stamina_video.training.footage import Take
from tests.backbone.fakes import toy_perception

TAKE = Take("packing", 3, 4.0, 1.0)
BOX = (0.1, 0.1, 0.5, 0.5)


def closed() -> Eyes:
    raise AssertionError("nothing is missing")


def test_a_scene_is_filmed_once(tmp_path: Path) -> None:
    said: list[tuple[int, int]] = []
    first = film([TAKE], toy_perception, tmp_path, lambda done, of: said.append((done, of)))
    assert said == [(0, 1)]
    assert len(first[0].percepts()) == len(first[0].visible) == 4
    assert film([TAKE], closed, tmp_path, lambda done, of: said.append((done, of))) == first
    assert said == [(0, 1)]


class Measuring:
    """Toy eyes that remember how many rows each picture had."""

    def __init__(self) -> None:
        self.eyes, self.rows = toy_perception(), list[int]()
        self.layout = self.eyes.layout

    def perceive(self, image_HW3: Image, previous: Glimpse | None) -> tuple[Percept, Glimpse]:
        self.rows.append(len(image_HW3))
        return self.eyes.perceive(image_HW3, previous)


@pytest.mark.parametrize("lines", [120, 360])
def test_pictures_are_of_the_size_of_the_take(tmp_path: Path, lines: int) -> None:
    eyes = Measuring()
    film([replace(TAKE, lines=lines)], lambda: eyes, tmp_path, lambda done, of: None)
    assert eyes.rows == [lines] * 4


def test_footage_knows_every_event_and_every_kind_of_thing(tmp_path: Path) -> None:
    aims = film([TAKE], toy_perception, tmp_path, lambda done, of: None)[0].aims
    operators = {aim.target.operator.value for aim in aims}
    assert operators == {"O2-Unique", "E1-Action", "E1-Transit", "E2-Episode"}


@pytest.mark.parametrize(
    ("fractions", "expected"),
    [((0.3, 0.4, 0.3, 0.1), (0, 1, 1, 0)), ((0.9, 0.1, 0.3, 0.3), (1, 0, 0, 0))],
)
def test_it_is_harder_to_enter_than_to_stay(fractions: tuple[float, ...], expected: tuple[int, ...]) -> None:
    looks = [[Sighting(Entity(1, "mug"), BOX, fraction, 0.1)] for fraction in fractions]
    assert tuple(map(len, visible(looks))) == expected
