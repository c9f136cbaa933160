"""A few updates on a handful of made-up glances, in which cups and boxes light up the maps."""

import copy
import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from stamina_video.backbone.perception.boxes import overlaps
from stamina_video.backbone.perception.finder import Finder, TrainedEyes
from stamina_video.backbone.perception.linking import FEATURES as DIFFERENCES
from stamina_video.semantics import InvalidInput
from stamina_video.training.eyes import learning
from stamina_video.training.eyes.glance import Glance
from stamina_video.training.eyes.learning import TORN, _link, learn_to_see
from stamina_video.training.recipe import Course, Opening
from tests.backbone.perception.sights import COLUMNS, VOCABULARY
from tests.training.eyes.glances import BOTTLE, BOX, CUP, OTHER, LitRetina, filmed, glance, picture, scene

QUICK = Course(20, 16, 1e-2)
OPENING = Opening(2, Course(30, 2, 1e-2), QUICK, QUICK, QUICK, QUICK, QUICK)
TAUGHT = {"cup", "box", "vase"}
SCENES = [scene(0.0), scene(0.05), scene(0.1)]
CLIPS = [[filmed((CUP, (0.6, 0.1, 0.8, 0.3)))]]
LESSONS = [
    "learning to spot",
    "telling drawn from filmed",
    "looking closer",
    "learning to read close-ups",
    "learning names",
    "learning paints",
    "learning marks",
    "learning who is who",
]


def learned(
    seed: int = 0,
    said: list[str] | None = None,
    scenes: Sequence[list[Glance]] = SCENES,
    clips: Sequence[list[Glance]] = CLIPS,
    taught: Collection[str] = TAUGHT,
    opening: Opening = OPENING,
    kept: Path | None = None,
) -> TrainedEyes:
    def report(what: str, done: int, of: int) -> None:
        if said is not None and done == of - 1:
            said.append(what)

    return learn_to_see(COLUMNS, [LitRetina()], taught, scenes, clips, opening, seed, report, kept)


@pytest.fixture(scope="module")
def eyes() -> TrainedEyes:
    return learned()


def test_kinds_are_those_that_are_taught_and_shown_and_one_for_all_others(eyes: TrainedEyes) -> None:
    assert eyes.config.spotter.kinds == ("cup", "box", "something")
    assert eyes.config.columns == COLUMNS
    assert eyes.config.vocabulary == VOCABULARY
    assert not any(module.training for module in eyes.modules())


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


def test_so_few_updates_find_and_name_something_of_what_was_shown(eyes: TrainedEyes) -> None:
    things = (CUP, (0.15, 0.1, 0.35, 0.3)), (BOX, (0.45, 0.5, 0.85, 0.9))
    found, shown = Finder(LitRetina(), eyes)(picture(*things)), glance(*things).told.boxes_K4
    overlap_TK = overlaps(shown, found.boxes_K4)
    assert overlap_TK.max(axis=1).min() > 0.4
    names_2N = found.labels_KV[overlap_TK.argmax(axis=1)]
    assert names_2N[:, [CUP, BOX]].argmax(axis=1).tolist() == [0, 1]


def test_the_same_seed_gives_the_same_eyes_whether_the_spotter_was_kept_or_not(
    eyes: TrainedEyes, tmp_path: Path
) -> None:
    drawn = torch.random.get_rng_state()
    for lessons in (LESSONS, LESSONS[1:]):  # the second time, spotting needs no lessons
        said: list[str] = []
        again = learned(said=said, kept=tmp_path / "deep" / "spotter.safetensors")
        assert said == lessons
        assert torch.equal(torch.random.get_rng_state(), drawn)  # nobody else's dice were thrown
        for name, tensor in eyes.state_dict().items():
            assert tensor.isfinite().all()
            assert torch.equal(tensor, again.state_dict()[name]), name


def test_who_may_be_the_same_as_one_in_twenty_pairs_is_linked_as_gladly_as_not(eyes: TrainedEyes) -> None:
    """Equal pairs, every twentieth of them a link: at equal costs nobody would be linked."""
    learner = copy.deepcopy(eyes)
    pairs = torch.zeros(200, DIFFERENCES), (torch.arange(200) % 20 == 0).float()
    with torch.random.fork_rng():
        torch.manual_seed(0)
        _link(learner, pairs, Course(300, 200, 1e-2), lambda *_: None)
    with torch.no_grad():
        logit = float(learner.linker(pairs[0][:1]))
    assert logit == pytest.approx(math.log(TORN / 19), abs=0.7)
    assert logit > math.log(1 / 19) + 2


def test_another_seed_gives_other_eyes(eyes: TrainedEyes) -> None:
    one, other = (some.get_parameter("linker.read.0.weight") for some in (eyes, learned(seed=1)))
    assert not torch.equal(one, other)


def test_eyes_tell_what_is_drawn_from_what_is_filmed(eyes: TrainedEyes) -> None:
    drawn, real = SCENES[0][0].sight, CLIPS[0][0].sight
    assert eyes.is_drawn(drawn) > 0.7
    assert eyes.is_drawn(real) < 0.3


def test_without_clips_every_picture_may_be_either() -> None:
    said: list[str] = []
    alone = learned(clips=(), said=said)
    assert said == [lesson for lesson in LESSONS if lesson != "telling drawn from filmed"]
    assert alone.is_drawn(SCENES[0][0].sight) == alone.is_drawn(CLIPS[0][0].sight) == 0.5
    assert all(tensor.isfinite().all() for tensor in alone.state_dict().values())


HASTY = replace(OPENING, spotting=Course(1, 1, 1e-9))
FINDS_NOTHING = "expected a spotter that finds something in scenes, got one that finds nothing"


def test_a_spotter_that_finds_nothing_has_nothing_to_teach_others() -> None:
    with pytest.raises(InvalidInput, match=FINDS_NOTHING):
        learned(opening=HASTY)


def test_a_spotter_is_kept_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "spotter.safetensors"

    def cut_off(_: object, path: Path) -> None:
        path.write_bytes(b"half a spotter")
        raise OSError("no space left")

    with monkeypatch.context() as full:
        full.setattr(learning, "save_file", cut_off)
        with pytest.raises(OSError, match="no space left"):
            learned(opening=HASTY, kept=kept)
    assert not kept.exists()
    said: list[str] = []
    with pytest.raises(InvalidInput, match=FINDS_NOTHING):
        learned(opening=HASTY, kept=kept, said=said)
    assert said[0] == LESSONS[0]  # it is taught again
    assert [path.name for path in tmp_path.iterdir()] == [kept.name]
    assert all(tensor.isfinite().all() for tensor in load_file(kept).values())


def test_a_loss_that_is_no_number_is_named() -> None:
    first = SCENES[0][0]
    blind = replace(first.sight, maps=tuple(np.full_like(one, np.nan) for one in first.sight.maps))
    with pytest.raises(InvalidInput, match="learning to spot, update 1: expected a finite loss, got nan"):
        learned(scenes=[[replace(first, sight=blind)] * 2])
