"""Scenes in other colours: red mugs that are seen as teal, and questions about teal mugs.

The world has few colours. Where any word may stand for what a thing looks like, words and colours must be
compared, and that carries over to colours no scene has. The held-out colours are never drawn.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from matplotlib.colors import XKCD_COLORS, to_rgb
from numpy.typing import NDArray

from stamina_video.backbone.perception import Percept, TokenKind
from stamina_video.backbone.perception.boxes import overlaps
from stamina_video.data.world.palette import COLOURS, UNSEEN_COLOURS
from stamina_video.semantics import Observation, Target
from stamina_video.training.sample import Box, Lesson, Sample
from stamina_video.training.start import SURVEY, swatch

# N tokens, C colour channels

COVERED = 0.2, 0.5  # of a box show the thing itself; the rest is shade and what lies behind it
SAME = 0.4  # overlap over union from which a token shows the thing
APART = 0.5  # between the channels of two new colours: who is asked for one must not mean the other

Swatch = NDArray[np.float32]


@dataclass(frozen=True)
class Recolouring:
    """Every colour of a scene becomes another one, in what was seen and in what is asked."""

    words: Mapping[str, Swatch]  # what any colour word looks like

    @classmethod
    def of_survey(cls) -> "Recolouring":
        """All names of the survey but those with a held-out colour in them, as "purpley" has."""
        every = [name.removeprefix(SURVEY) for name in XKCD_COLORS]
        allowed = [name for name in every if not any(held_out in name for held_out in UNSEEN_COLOURS)]
        return cls({word: swatch(to_rgb(SURVEY + word)) for word in allowed})

    def changes(self, chance: random.Random) -> dict[str, str]:
        """A new word for every colour of the scenes."""
        mine = [colour for colour in COLOURS if colour not in UNSEEN_COLOURS]
        names, apart_WW = self._apart
        chosen: list[str] = []
        free_W = np.ones(len(names), dtype=bool)
        for word in chance.sample(range(len(names)), len(names)):
            if free_W[word]:
                chosen.append(names[word])
                free_W &= apart_WW[word]
        # Colours for which none is left keep theirs.
        return dict(zip(chance.sample(mine, len(mine)), chosen, strict=False))

    @cached_property
    def _apart(self) -> tuple[list[str], NDArray[np.bool_]]:
        """All words, and which of them nobody takes for each other."""
        names = sorted(self.words)
        looks_WC = np.stack([self.words[name] for name in names]) if names else np.zeros((0, 1))
        return names, np.linalg.norm(looks_WC[:, None] - looks_WC, axis=-1) > APART

    def __call__(self, sample: Sample, changes: Mapping[str, str], share: float, dull: bool) -> Sample:
        """`share` is how much of a box shows its thing; `dull` leaves appearance out."""
        shift = {old: share * (self.words[new] - swatch(COLOURS[old])) for old, new in changes.items()}
        spots = [
            (shift[colour], [[one.box for one in look] for look in lesson.shown])
            for lesson in sample.lessons
            if lesson.shown is not None and (colour := _colour(lesson)) in shift
        ]

        def read() -> Sequence[Observation]:
            return list(_seen(sample.read(), spots, dull))

        lessons = tuple(_reworded(lesson, changes) for lesson in sample.lessons)
        return replace(sample, read=read, lessons=lessons)


def _colour(lesson: Lesson) -> str:
    """The world puts it first."""
    return lesson.target.description.split(" ", 1)[0]


def _reworded(lesson: Lesson, changes: Mapping[str, str]) -> Lesson:
    colour, _, rest = lesson.target.description.partition(" ")
    if colour not in changes:
        return lesson
    words = f"{changes[colour]} {rest}"
    return replace(lesson, target=Target(words, lesson.target.operator, lesson.target.scope))


def _seen(
    observations: Sequence[Observation], spots: Sequence[tuple[Swatch, list[list[Box]]]], dull: bool
) -> Iterator[Observation]:
    for number, observation in enumerate(observations):
        percept: Percept = observation.image
        colour_NC = percept.colour_NC.copy()
        for shift_C, looks in spots:
            colour_NC[_on(percept, looks[number])] += shift_C
        appearance_NP = np.zeros_like(percept.appearance_NP) if dull else percept.appearance_NP
        yield replace(observation, image=replace(percept, colour_NC=colour_NC, appearance_NP=appearance_NP))


def _on(percept: Percept, boxes: Sequence[Box]) -> NDArray[np.bool_]:
    """Which detections and regions show one of these things."""
    if not boxes:
        return np.zeros(len(percept), dtype=bool)
    overlap_N = overlaps(percept.boxes_N4, np.array(boxes, np.float32)).max(1)
    is_thing_N = np.isin(percept.kind_N, (TokenKind.DETECTION, TokenKind.REGION))
    return np.asarray((overlap_N > SAME) & is_thing_N)
