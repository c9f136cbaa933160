"""What one update asks of a sample: some of its targets, in one of their wordings, and one that is not there.

A scene can be asked about dozens of things; asking for a few at a time, in other words each time, keeps an
update short and the words from being learned by heart.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import torch

from stamina_video.semantics import Operator, Target
from stamina_video.training.cropping import some_run, some_still
from stamina_video.training.hastening import hastened
from stamina_video.training.mirroring import mirrored
from stamina_video.training.renaming import Renaming
from stamina_video.training.sample import Lesson, Sample
from stamina_video.training.schedule import Stage
from stamina_video.training.streams import as_one_stream
from stamina_video.transitions import CountLabels

STILLS = 12  # of every sample
PRESENT, OTHERS, EVENTS = 5, 3, 6  # targets of a run: things in view, any others, and events
READ = 3  # events of a whole trajectory that is only read
ROLLED = 3  # things of one that rolls out the state
REWORDED = 0.3  # the share of rolled-out targets in other words
JUDGED = 2  # of either kind, in held-out scenes
PACES = (1, 1, 2)  # how many times as fast a scene's cycles go by
MIRRORED = 0.5  # the share of scenes seen in a mirror,
RENAMED = 0.5  # and of those whose things change names


@dataclass(frozen=True, slots=True)
class Draws:
    """Other words for each description. Of a sample that is no scene only events are read."""

    other_words: Mapping[str, tuple[str, ...]]
    renaming: Renaming
    blind: float = 0.5  # the share of whole trajectories of which only what is felt is read
    _stills: dict[str, Sample] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __call__(self, sample: Sample, stage: Stage, chance: random.Random) -> Sample:
        if stage is Stage.NAMING:
            return self._still(sample, chance.randrange(STILLS))
        if stage is Stage.SEEING:
            return self._scene(sample, partial(some_run, chance=chance), chance)
        if stage is Stage.REREADING:
            return self._read(sample, chance)
        return self._rolled(sample, chance)

    def _still(self, sample: Sample, number: int) -> Sample:
        """One of so many single observations, the same each time: what is kept of it must stay true."""
        name = f"{sample.id} still {number}"
        if name not in self._stills:
            chance = random.Random(name)
            still = self._scene(sample, partial(some_still, chance=chance), chance)
            things, _ = _divided(still.lessons)
            self._stills[name] = replace(still, id=name, lessons=tuple(things))
        return self._stills[name]

    def _scene(self, sample: Sample, cut: Callable[[Sample], Sample], chance: random.Random) -> Sample:
        """A part of a scene: all its things until it has its names, then some of them."""
        objects, events = _divided(sample.lessons)
        told = (*objects, *map(as_one_stream, _some(events, EVENTS, chance)))
        run = cut(replace(sample, lessons=self._in_words(told, chance)))
        if chance.random() < MIRRORED:
            run = mirrored(run)
        objects, events = _divided(run.lessons)
        shown = [one for one in objects if any(one.shown or ())]
        asked = _some(shown, PRESENT, chance)
        asked += _some([one for one in objects if one not in asked], OTHERS, chance)
        swaps = self.renaming.swaps(chance) if chance.random() < RENAMED else {}
        drawn = replace(run, lessons=(*asked, *events))
        named = self.renaming(drawn, swaps, chance) if swaps else drawn
        return replace(named, lessons=(*named.lessons, self._absent(asked, swaps, chance)))

    def _read(self, sample: Sample, chance: random.Random) -> Sample:
        _, events = _divided(sample.lessons)
        told = map(as_one_stream, _some(events, READ, chance))
        read = replace(sample, lessons=self._in_words(told, chance), blind=chance.random() < self.blind)
        if not _is_scene(sample):
            return read
        if any(one.target.operator is Operator.E2_PERIODIC for one in read.lessons):
            pace = chance.choice(PACES)
            read = hastened(read, pace) if pace > 1 else read
        return mirrored(read) if chance.random() < MIRRORED else read

    def _rolled(self, sample: Sample, chance: random.Random) -> Sample:
        """Who is who: things that are met."""
        objects, _ = _divided(sample.lessons)
        drawn = _some(_met(objects), ROLLED, chance)
        reworded = [self._in_some_words(one, chance) if chance.random() < REWORDED else one for one in drawn]
        return replace(sample, lessons=_distinct(reworded))

    def _in_words(self, lessons: Iterable[Lesson], chance: random.Random) -> tuple[Lesson, ...]:
        return tuple(self._in_some_words(one, chance) for one in lessons)

    def _in_some_words(self, lesson: Lesson, chance: random.Random) -> Lesson:
        said = lesson.target.description
        words = chance.choice((said, said, *self.other_words.get(said, ())))
        return replace(lesson, target=Target(words, lesson.target.operator, lesson.target.scope))

    def _absent(self, lessons: Sequence[Lesson], swaps: Mapping[str, str], chance: random.Random) -> Lesson:
        """Every thing in view is verified, so of one more target there is none."""
        looks = next(len(one.shown) for one in lessons if one.shown is not None)
        target = Target(self.renaming.absent(swaps, chance), Operator.O2_UNIQUE)
        none = CountLabels(torch.arange(1, looks + 1), torch.zeros(looks, dtype=torch.long))
        return Lesson(target, visible=none, shown=((),) * looks)


def judged(sample: Sample, chance: random.Random) -> Sample:
    """A few questions of both kinds, as people ask them: events without saying whose."""
    objects, events = _divided(sample.lessons)
    asked = [*_some(_met(objects), JUDGED, chance), *map(as_one_stream, _some(events, JUDGED, chance))]
    return replace(sample, lessons=_distinct(asked))


def _is_scene(sample: Sample) -> bool:
    return any(_is_shown(lesson) for lesson in sample.lessons)


def _is_shown(lesson: Lesson) -> bool:
    return lesson.shown is not None and not lesson.target.operator.is_event


def _met(objects: Iterable[Lesson]) -> list[Lesson]:
    return [one for one in objects if one.visible is not None and int(one.visible.counts_J.max()) > 0]


def _distinct(lessons: Iterable[Lesson]) -> tuple[Lesson, ...]:
    """One running number per description and measure."""
    return tuple({(one.target.description, one.target.operator.measure): one for one in lessons}.values())


def _divided(lessons: Iterable[Lesson]) -> tuple[list[Lesson], list[Lesson]]:
    sides: dict[bool, list[Lesson]] = {False: [], True: []}
    for lesson in lessons:
        sides[lesson.target.operator.is_event].append(lesson)
    return sides[False], sides[True]


def _some(lessons: list[Lesson], most: int, chance: random.Random) -> list[Lesson]:
    return chance.sample(lessons, min(most, len(lessons)))
