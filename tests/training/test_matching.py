import torch

from stamina_video.training.matching import paired
from stamina_video.training.sample import Shown

THING = Shown("entity 1", (0.1, 0.1, 0.5, 0.5))
LOOSE, CLOSE, ELSEWHERE = (0.1, 0.1, 0.55, 0.6), (0.1, 0.1, 0.5, 0.5), (0.4, 0.4, 0.9, 0.9)


def test_the_closest_box_shows_a_thing() -> None:
    boxes_C4 = torch.tensor([ELSEWHERE, LOOSE, CLOSE])
    assert paired(boxes_C4, [THING]) == {2: "entity 1"}


def test_two_things_have_a_box_each() -> None:
    beside = Shown("entity 2", (0.1, 0.1, 0.5, 0.62))
    found = paired(torch.tensor([LOOSE, CLOSE]), [THING, beside])
    assert sorted(found.values()) == ["entity 1", "entity 2"]


def test_a_box_elsewhere_shows_nobody() -> None:
    assert paired(torch.tensor([ELSEWHERE]), [THING]) == {}
    assert paired(torch.tensor([ELSEWHERE]), []) == {}
