"""A few updates on a handful of made-up glances, in which cups and boxes light up the maps."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch

from stamina_video.backbone.perception.boxes import overlaps
from stamina_video.backbone.perception.efficientdet import Sight
from stamina_video.backbone.perception.finder import TrainedEyes
from stamina_video.semantics import InvalidInput
from stamina_video.training.eyes import learning
from stamina_video.training.eyes.glance import Glance, Told, as_told_by_detector
from stamina_video.training.eyes.learning import BLURRED, _blurred, learn_to_see
from stamina_video.training.eyes.things import NOTHING, UNCLEAR, Found, found
from stamina_video.training.recipe import Course, Opening
from tests.backbone.perception.sights import COLUMNS, VOCABULARY, Box, lit_maps

CHANNELS = 112  # of the detector's maps
QUICK = Course(20, 16, 1e-2)
OPENING = Opening(2, Course(30, 4, 1e-2), QUICK, QUICK, QUICK, QUICK)
TAUGHT = {"cup", "box", "vase"}
CUP, BOTTLE, BOX, OTHER = (COLUMNS.index(name) for name in ("cup", "bottle", "box", "something"))
LABELS = {CUP: (0.75, 0.125), BOTTLE: (0.125, 0.75), BOX: (0.25, 0.25), OTHER: (0.25, 0.25)}
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


def clips() -> list[list[Glance]]:
    seen = glance((CUP, (0.6, 0.1, 0.8, 0.3))).sight
    return [[Glance(seen, SMALL, as_told_by_detector(seen, COLUMNS, VOCABULARY))]]


def learned(
    seed: int = 0,
    said: list[str] | None = None,
    scenes: Sequence[list[Glance]] = SCENES,
    taught: Collection[str] = TAUGHT,
) -> TrainedEyes:
    def report(what: str, done: int, of: int) -> None:
        if said is not None and done == of - 1:
            said.append(what)

    return learn_to_see(COLUMNS, VOCABULARY, taught, scenes, clips(), OPENING, seed, report)


@pytest.fixture(scope="module")
def eyes() -> TrainedEyes:
    return learned()


def test_kinds_are_those_that_are_taught_and_shown_and_one_for_all_others(eyes: TrainedEyes) -> None:
    assert eyes.config.spotter.kinds == ("cup", "box", "something")
    assert eyes.config.columns == COLUMNS
    assert not eyes.training


class Planned(Exception):
    """Raised once the lessons are known: nothing needs to be learned."""


def planned(
    monkeypatch: pytest.MonkeyPatch, scenes: Sequence[list[Glance]], taught: Collection[str]
) -> tuple[list[int], list[int]]:
    """The names that are kinds, and those spared."""
    told: list[tuple[list[int], list[int]]] = []

    def lessons(_: Glance, kinds: Sequence[int], spared: Collection[int]) -> None:
        told.append((list(kinds), list(spared)))
        raise Planned

    monkeypatch.setattr(learning, "lessons", lessons)
    with pytest.raises(Planned):
        learned(scenes=scenes, taught=taught)
    return told[0]


def test_some_of_what_is_not_taught_is_spared_but_nothing_nameless(monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = (0.1, 0.1, 0.3, 0.3), (0.5, 0.5, 0.7, 0.7)
    everything = [[glance((CUP, left), (BOTTLE, right)), glance((BOX, left), (OTHER, right))]]
    assert planned(monkeypatch, everything, {"cup", "box"}) == ([CUP, BOX], [BOTTLE])
    assert planned(monkeypatch, everything, {"box"}) == ([BOX], [CUP])  # every third one, from the first
    assert planned(monkeypatch, everything, {"cup", "bottle", "box"}) == ([CUP, BOTTLE, BOX], [])


def test_what_is_seen_dimly_is_still_as_probable_in_all() -> None:
    torch.manual_seed(0)
    kinds_BO = (8 * torch.randn(400, 3)).log_softmax(-1)
    dim_BO = _blurred(kinds_BO)
    torch.testing.assert_close(dim_BO.exp().sum(1), torch.ones(400))
    is_dim_B = (dim_BO - kinds_BO).abs().amax(1) > 1e-3
    assert is_dim_B.float().mean().item() == pytest.approx(BLURRED, abs=0.07)
    assert dim_BO[is_dim_B].exp().amin(1).gt(0.5 / 3 - 1e-6).all()  # at least half goes to all alike
    torch.testing.assert_close(dim_BO[~is_dim_B].exp(), kinds_BO[~is_dim_B].exp())


def test_so_few_updates_find_something_of_what_was_shown(eyes: TrainedEyes) -> None:
    seen = SCENES[1][0]
    (things,) = found(eyes.spotter, [seen])
    assert overlaps(seen.told.boxes_K4, things.boxes_K4).max() > 0.4


def test_the_same_seed_gives_the_same_eyes(eyes: TrainedEyes) -> None:
    drawn = torch.random.get_rng_state()
    said: list[str] = []
    again = learned(said=said)
    assert said == [
        "learning to spot",
        "learning names",
        "learning paints",
        "learning marks",
        "learning who is who",
    ]
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
