import numpy as np

from stamina_video.backbone.perception import Glimpse, Percept
from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.remembering import RememberingEyes
from tests.backbone.fakes import toy_image, toy_perception

RED, BLUE = toy_image(("red", 0.5, 0.4, 0.2)), toy_image(("blue", 0.3, 0.4, 0.2))


class Counted:
    def __init__(self) -> None:
        self.eyes, self.looks = toy_perception(), 0
        self.layout, self.fingerprint = self.eyes.layout, "toy"

    def perceive(self, image_HW3: Image, previous: Glimpse | None) -> tuple[Percept, Glimpse]:
        self.looks += 1
        return self.eyes.perceive(image_HW3, previous)


def seen(eyes: RememberingEyes, *images: Image) -> list[Percept]:
    glimpse, percepts = None, []
    for image in images:
        percept, glimpse = eyes.perceive(image, glimpse)
        percepts.append(percept)
    return percepts


def test_a_replay_looks_at_what_is_new_alone() -> None:
    counted = Counted()
    eyes = RememberingEyes(counted)
    first, again = seen(eyes, RED, BLUE), seen(eyes, RED, BLUE, RED)
    assert counted.looks == 3  # red after blue is another look than red at first: it moved
    for one, other in zip(first, again, strict=False):
        assert all(np.array_equal(array, other.arrays()[name]) for name, array in one.arrays().items())
    (fresh, *_) = seen(RememberingEyes(Counted()), RED)
    assert all(np.array_equal(array, again[0].arrays()[name]) for name, array in fresh.arrays().items())
    assert (eyes.layout, eyes.fingerprint) == (counted.layout, "toy")


def test_it_forgets_the_oldest() -> None:
    counted = Counted()
    eyes = RememberingEyes(counted, most=1)
    for image in (RED, BLUE, RED, RED):
        eyes.perceive(image, None)
    assert counted.looks == 3
