"""A few updates on a handful of made-up glances, in which cups and boxes light up the maps."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch

from stamina_video.backbone.perception.boxes import overlaps
from stamina_video.backbone.perception.efficientdet import Sight
from stamina_video.backbone.perception.finder import TrainedEyes
from stamina_video.semantics import InvalidInput
from stamina_video.training.eyes.glance import Glance, Told, as_told_by_detector
from stamina_video.training.eyes.learning import learn_to_see
from stamina_video.training.eyes.things import NOTHING, UNCLEAR, Found, found
from stamina_video.training.recipe import Course, Opening
from tests.backbone.perception.sights import COLUMNS, VOCABULARY, Box, lit_maps

CHANNELS = 112  # of the detector's maps
QUICK = Course(20, 16, 1e-2)
OPENING = Opening(2, Course(30, 4, 1e-2), QUICK, QUICK, QUICK)
CUP, BOX = COLUMNS.index("cup"), COLUMNS.index("box")
LABELS = {CUP: (0.75, 0.125), BOX: (0.25, 0.25)}
SMALL = np.full((48, 64, 3), 90, np.uint8)


def glance(*things: tuple[int, Box], follows: bool = False) -> Glance:
    """Things of a name each, numbered as they come."""
    boxes_K4 = np.array([box for _, box in things], np.float32).reshape(-1, 4)
    told = Told(
        boxes_K4,
        np.ones(len(things), bool),
        np.array([name for name, _ in things], np.int64),
        np.arange(len(things)),
        np.array([(name, 1, 2) for name, _ in things], np.float32).reshape(-1, 3),
    )
    labels_KV = np.array([LABELS[name] for name, _ in things], np.float32).reshape(-1, 2)
    sight = Sight(boxes_K4, labels_KV, lit_maps(things, CHANNELS), np.ones(2, np.float32))
    return Glance(sight, SMALL, told, np.zeros((12, 16, 2), np.float32) if follows else None)


def moved(box: Box, by: float) -> Box:
    left, top, right, bottom = box
    return left + by, top, right + by, bottom


def scene(shift: float) -> list[Glance]:
    cup, box = (CUP, moved((0.1, 0.1, 0.3, 0.3), shift)), (BOX, moved((0.4, 0.5, 0.8, 0.9), shift))
    return [glance(cup, box), glance(cup, box, follows=True)]


SCENES = [scene(0.0), scene(0.05), scene(0.1)]


def clips() -> list[Glance]:
    seen = glance((CUP, (0.6, 0.1, 0.8, 0.3))).sight
    return [Glance(seen, SMALL, as_told_by_detector(seen, COLUMNS, VOCABULARY))]


def learned(
    seed: int = 0, said: list[str] | None = None, scenes: Sequence[list[Glance]] = SCENES
) -> TrainedEyes:
    def report(what: str, done: int, of: int) -> None:
        if said is not None and done == of - 1:
            said.append(what)

    return learn_to_see(COLUMNS, VOCABULARY, scenes, clips(), OPENING, seed, report)


@pytest.fixture(scope="module")
def eyes() -> TrainedEyes:
    return learned()


def test_kinds_are_those_of_the_scenes(eyes: TrainedEyes) -> None:
    assert eyes.config.spotter.kinds == ("cup", "box")
    assert eyes.config.columns == COLUMNS
    assert not eyes.training


def test_so_few_updates_find_something_of_what_was_shown(eyes: TrainedEyes) -> None:
    seen = SCENES[1][0]
    (things,) = found(eyes.spotter, [seen])
    assert overlaps(seen.told.boxes_K4, things.boxes_K4).max() > 0.4


def test_the_same_seed_gives_the_same_eyes(eyes: TrainedEyes) -> None:
    drawn = torch.random.get_rng_state()
    said: list[str] = []
    again = learned(said=said)
    assert said == ["learning to spot", "learning names", "learning paints", "learning who is who"]
    assert torch.equal(torch.random.get_rng_state(), drawn)  # nobody else's dice were thrown
    for name, tensor in eyes.state_dict().items():
        assert tensor.isfinite().all()
        assert torch.equal(tensor, again.state_dict()[name]), name


def test_another_seed_gives_other_eyes(eyes: TrainedEyes) -> None:
    one, other = (some.get_parameter("linker.read.0.weight") for some in (eyes, learned(seed=1)))
    assert not torch.equal(one, other)


def test_a_loss_that_is_no_number_is_named() -> None:
    first = SCENES[0][0]
    blind = replace(first.sight, maps=tuple(np.full_like(one, np.nan) for one in first.sight.maps))
    with pytest.raises(InvalidInput, match="learning to spot, update 1: expected a finite loss, got nan"):
        learned(scenes=[[replace(first, sight=blind)] * 2])


def test_what_was_found_is_set_against_what_was_there(eyes: TrainedEyes) -> None:
    seen = SCENES[0][0]
    (things,) = found(eyes.spotter, [seen])
    assert isinstance(things, Found)
    overlap_KT = overlaps(things.boxes_K4, seen.told.boxes_K4)
    for place, there in enumerate(things.there_K.tolist()):
        if there >= 0:
            assert overlap_KT[place, there] == overlap_KT[:, there].max() >= 0.5
        elif there == NOTHING:  # far from all, or beside a box that shows the thing better
            nearest = int(overlap_KT[place].argmax())
            assert overlap_KT[place].max() < 0.3 or overlap_KT[:, nearest].argmax() != place
        else:
            assert there == UNCLEAR
    known = things.there_K[things.there_K >= 0].tolist()
    assert len(known) == len(set(known))
    (elsewhere,) = found(eyes.spotter, [glance()])
    assert (elsewhere.there_K == NOTHING).all()
