import random
from dataclasses import replace

import numpy as np
import pytest

from stamina_video.backbone.names import LANDMARKS, WORDS
from stamina_video.backbone.perception.pretrained import class_names
from stamina_video.data.world.kinds import KINDS
from stamina_video.semantics import Observation, Target
from stamina_video.training.renaming import HELD_OUT, OF_SCENES, PHRASES, Renaming
from stamina_video.training.sample import Lesson, Sample
from tests.backbone.fakes import toy_image, toy_perception

NAMES = ("person", *sorted(OF_SCENES), "zebra", "kite", "oven", "dog", "sink", "clock", "car", "boat", "bed")


@pytest.fixture
def renaming() -> Renaming:
    return Renaming(NAMES)


def seen(names: list[str]) -> Sample:
    percept, _ = toy_perception().perceive(toy_image(), None)
    shares = np.zeros((len(percept), len(NAMES)), np.float32)
    for token in range(len(percept)):
        shares[token, NAMES.index(names[token % len(names)])] = 1
    image = replace(percept, names_NS=shares)
    lessons = tuple(Lesson(Target(words, "O2-Unique")) for words in ("red coffee mugs", "people", "boxes"))
    return Sample("s", lambda: [Observation("s", 0, 0.0, image, 0)], lessons)


def test_a_thing_and_the_question_change_names_together(renaming: Renaming) -> None:
    for seed in range(10):
        chance = random.Random(seed)
        other = renaming(seen(["cup", "person"]), renaming.swaps(chance), chance)
        words = other.lessons[0].target.description
        assert words.startswith("red ")
        assert "mug" not in words
        (name,) = (name for name, said in WORDS.items() if words.removeprefix("red ") in said)
        assert name not in OF_SCENES | HELD_OUT | {"person"}
        first, second = other.read()[0].image.names_NS[:2]
        assert NAMES[first.argmax()] == name
        assert NAMES[second.argmax()] == "person"


def test_people_and_boxes_keep_their_words(renaming: Renaming) -> None:
    chance = random.Random(0)
    other = renaming(seen(["cup"]), renaming.swaps(chance), chance)
    assert [one.target.description for one in other.lessons[1:]] == ["people", "boxes"]


def test_an_absent_class_is_the_new_name_of_nothing() -> None:
    every = Renaming(tuple(WORDS))
    for seed in range(300):
        chance = random.Random(seed)
        swaps = every.swaps(chance)
        words = every.absent(swaps, chance)
        (name,) = (name for name, said in WORDS.items() if words in said)
        assert name not in {"person", "box", *LANDMARKS, *swaps, *OF_SCENES}


@pytest.mark.parametrize("name", ["person", "box", *LANDMARKS])
def test_who_acts_and_what_is_packed_or_passed_keeps_its_name_and_is_never_absent(name: str) -> None:
    every = Renaming(tuple(WORDS))
    for seed in range(300):
        chance = random.Random(seed)
        swaps = every.swaps(chance)
        assert name not in swaps
        assert every.absent(swaps, chance) not in WORDS[name]
    chance = random.Random(0)
    assert not {every.absent({}, chance) for _ in range(2_000)} & set(WORDS[name])


def test_held_out_nouns_are_never_said() -> None:
    held_out = {words for name in HELD_OUT - OF_SCENES for words in WORDS[name]}
    every = Renaming(tuple(WORDS))
    chance = random.Random(0)
    assert held_out
    assert not {every.absent({}, chance) for _ in range(2_000)} & held_out
    assert not {name for _ in range(300) for name in every.swaps(chance)} & (HELD_OUT - OF_SCENES)


def test_further_kinds_of_things_are_in_no_lesson() -> None:
    further = [kind for kind in KINDS.values() if kind.further]
    assert further
    balls = {"sports ball"}  # more of them, for the eyes alone
    assert OF_SCENES & {kind.like for kind in further} <= balls
    assert not set(PHRASES) & {phrase for kind in further for phrase in (kind.plural, *kind.aliases)}
    assert PHRASES["coffee mugs"] == "cup"


def test_every_class_of_the_detector_has_words() -> None:
    assert set(WORDS) == {*class_names(), "box", *LANDMARKS}
    assert len({words for said in WORDS.values() for words in said}) == sum(map(len, WORDS.values()))
