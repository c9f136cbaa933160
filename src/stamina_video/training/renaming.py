"""Scenes under other names: mugs that the eyes call zebras, and questions about zebras.

The world has few nouns. Where a name stands for another thing each time, the only way to find the target is
to compare its words with what the eyes say, and that carries over to nouns no scene has.
"""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from stamina_video.backbone.names import LANDMARKS, WORDS
from stamina_video.data.world.kinds import KINDS
from stamina_video.semantics import Observation, Target
from stamina_video.training.sample import Lesson, Sample

# They keep their names: people act in every scene, boxes are packed, landmarks passed.
KEPT = {"person", "box", *LANDMARKS}
# What the held-out kinds resemble is asked for in no lesson.
HELD_OUT = {kind.like for kind in KINDS.values() if kind.unseen}
TAUGHT = [kind for kind in KINDS.values() if kind.taught]
OF_SCENES = {kind.like for kind in TAUGHT}
PHRASES = {phrase: kind.like for kind in TAUGHT for phrase in (kind.plural, *kind.aliases)}
NOUN = re.compile(rf"\b({'|'.join(sorted(map(re.escape, PHRASES), key=len, reverse=True))})\b")


@dataclass(frozen=True)
class Renaming:
    """Swaps names of the list in what was seen and in what is asked."""

    columns: tuple[str, ...]  # of a token's names

    def swaps(self, chance: random.Random) -> dict[str, str]:
        """Every name of the scenes with another one, both ways."""
        mine = sorted(OF_SCENES & set(self.columns))
        pairs = zip(mine, chance.sample(self._free({}), len(mine)), strict=True)
        return {name: other for pair in pairs for name, other in (pair, pair[::-1])}

    def __call__(self, sample: Sample, swaps: Mapping[str, str], chance: random.Random) -> Sample:
        lessons = tuple(_renamed(lesson, swaps, chance) for lesson in sample.lessons)
        return replace(sample, lessons=lessons, read=lambda: self._seen(sample.read(), swaps))

    def absent(self, swaps: Mapping[str, str], chance: random.Random) -> str:
        """Words for a name that nothing in the scene has, asked for or not."""
        return chance.choice([words for name in self._free(swaps) for words in WORDS[name]])

    def _free(self, swaps: Mapping[str, str]) -> list[str]:
        taken = OF_SCENES | HELD_OUT | KEPT | set(swaps)
        return [name for name in self.columns if name in WORDS and name not in taken]

    def _seen(self, observations: Sequence[Observation], swaps: Mapping[str, str]) -> list[Observation]:
        places = [self.columns.index(swaps.get(name, name)) for name in self.columns]
        return [
            replace(
                one, image=replace(one.image, names_NS=np.ascontiguousarray(one.image.names_NS[:, places]))
            )
            for one in observations
        ]


def _renamed(lesson: Lesson, swaps: Mapping[str, str], chance: random.Random) -> Lesson:
    def other(found: re.Match[str]) -> str:
        return chance.choice(WORDS[swaps[PHRASES[found[0]]]])

    target = lesson.target
    return replace(lesson, target=Target(NOUN.sub(other, target.description), target.operator, target.scope))
