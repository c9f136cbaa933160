"""What one update asks of a sample: some of its targets, in one of their wordings, and one that is not there.

A scene can be asked about dozens of things; asking for a few at a time, in other words each time, keeps an
update short and the words from being learned by heart.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import torch

from stamina_video.semantics import Operator, Target
from stamina_video.training.cropping import opening, some_part
from stamina_video.training.renaming import Renaming
from stamina_video.training.sample import Lesson, Sample
from stamina_video.training.schedule import Stage
from stamina_video.training.streams import as_one_stream
from stamina_video.transitions import CountLabels

OBJECTS, EVENTS = 6, 6  # targets of an update that sees whole trajectories at once …
ROLLED = 3  # things of one that rolls out the state
REWORDED = 0.3  # the share of rolled-out targets in other words
JUDGED = 2  # of either kind, in held-out scenes
RENAMED = 0.5  # the share of scenes whose things change names


@dataclass(frozen=True, slots=True)
class Draws:
    """Other words for each description. Samples whose individuals nobody verified are asked all they know."""

    other_words: Mapping[str, tuple[str, ...]]
    renaming: Renaming

    def __call__(self, sample: Sample, stage: Stage, chance: random.Random) -> Sample:
        if stage is not Stage.SEEING:
            return self._rolled(sample, chance)
        drawn = replace(sample, lessons=self._seeing(sample.lessons, chance))
        if not _is_scene(sample):
            return some_part(drawn, chance)
        swaps = self.renaming.swaps(chance) if chance.random() < RENAMED else {}
        named = self.renaming(drawn, swaps, chance) if swaps else drawn
        return replace(named, lessons=(*named.lessons, self._absent(drawn.lessons, swaps, chance)))

    def judged(self, sample: Sample, chance: random.Random) -> Sample:
        """A few questions of both kinds, as people ask them: events without saying whose."""
        objects, events = _divided(sample.lessons)
        asked = [*_some(_met(objects), JUDGED, chance), *map(as_one_stream, _some(events, JUDGED, chance))]
        return replace(sample, lessons=_distinct(asked))

    def _seeing(self, lessons: Iterable[Lesson], chance: random.Random) -> tuple[Lesson, ...]:
        objects, events = _divided(lessons)
        objects = [one for one in objects if one.shown is not None or one.visible is not None]
        drawn = [self._in_some_words(one, chance) for one in _some(objects, OBJECTS, chance)]
        told = [self._in_some_words(as_one_stream(one), chance) for one in _some(events, EVENTS, chance)]
        return (*drawn, *told)

    def _rolled(self, sample: Sample, chance: random.Random) -> Sample:
        """Who is who: things that are met, of a clip those whose individuals were counted."""
        objects, _ = _divided(sample.lessons)
        if not _is_scene(sample):
            counted = tuple(one for one in objects if one.unique is not None)
            return opening(replace(sample, lessons=counted), chance)
        drawn = _some(_met(objects), ROLLED, chance)
        reworded = [self._in_some_words(one, chance) if chance.random() < REWORDED else one for one in drawn]
        return replace(sample, lessons=_distinct(reworded))

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
