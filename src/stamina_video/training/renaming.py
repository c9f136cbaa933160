"""Scenes under other names: mugs that the detector calls zebras, and questions about zebras.

The world has few nouns. Where a name stands for another thing each time, the only way to find the target is
to compare its words with what the detector says, and that carries over to nouns no scene has.
"""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.text import TextEncoder
from stamina_video.data.world.kinds import KINDS
from stamina_video.semantics import Observation, Target
from stamina_video.training.sample import Lesson, Sample
from stamina_video.backbone.names import WORDS

# V class names, S width of their vectors

PERSON = "person"  # keeps its name: people act in every scene
# What the held-out kinds resemble is asked for in no lesson.
HELD_OUT = {kind.like for kind in KINDS.values() if kind.unseen}
OF_SCENES = {kind.like for kind in KINDS.values() if not kind.unseen}
PHRASES = {
    phrase: kind.like for kind in KINDS.values() if not kind.unseen for phrase in (kind.plural, *kind.aliases)
}
NOUN = re.compile(rf"\b({'|'.join(sorted(map(re.escape, PHRASES), key=len, reverse=True))})\b")


@dataclass(frozen=True)
class Renaming:
    """Swaps class names in what was seen and in what is asked."""

    vocabulary: tuple[str, ...]
    text: TextEncoder

    def swaps(self, chance: random.Random) -> dict[str, str]:
        """Every class of the scenes with another one, both ways."""
        mine = sorted(OF_SCENES & set(self.vocabulary))
        pairs = zip(mine, chance.sample(self._free({}), len(mine)), strict=True)
        return {name: other for pair in pairs for name, other in (pair, pair[::-1])}

    def __call__(self, sample: Sample, swaps: Mapping[str, str], chance: random.Random) -> Sample:
        lessons = tuple(_renamed(lesson, swaps, chance) for lesson in sample.lessons)
        return replace(sample, lessons=lessons, read=lambda: self._seen(sample.read(), swaps))

    def absent(self, swaps: Mapping[str, str], chance: random.Random) -> str:
        """Words for a class that nothing in the scene is called by, asked for or not."""
        return chance.choice([words for name in self._free(swaps) for words in WORDS[name]])

    def _free(self, swaps: Mapping[str, str]) -> list[str]:
        taken = OF_SCENES | HELD_OUT | {PERSON} | set(swaps)
        return [name for name in self.vocabulary if name not in taken]

    def _seen(self, observations: Sequence[Observation], swaps: Mapping[str, str]) -> list[Observation]:
        places = [self.vocabulary.index(swaps.get(name, name)) for name in self.vocabulary]
        names_VS, weights_SV = self._names
        swap_SS = (weights_SV @ names_VS[places]).astype(np.float32)
        # One product for all: many small ones cost more than they compute.
        every_NS = np.concatenate([one.image.names_NS for one in observations]) @ swap_SS
        ends = np.cumsum([len(one.image) for one in observations])[:-1]
        return [
            replace(one, image=replace(one.image, names_NS=names_NS))
            for one, names_NS in zip(observations, np.split(every_NS, ends), strict=True)
        ]

    @cached_property
    def _names(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The vectors of the names, and what finds their shares in a mixture."""
        names_VS = self.text.encode(self.vocabulary).astype(np.float64)
        return names_VS, np.asarray(np.linalg.pinv(names_VS), np.float64)


def _renamed(lesson: Lesson, swaps: Mapping[str, str], chance: random.Random) -> Lesson:
    def other(found: re.Match[str]) -> str:
        return chance.choice(WORDS[swaps[PHRASES[found[0]]]])

    target = lesson.target
    return replace(lesson, target=Target(NOUN.sub(other, target.description), target.operator, target.scope))
