"""Scenes in a mirror: left is right, and every count stays what it was."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stamina_video.backbone.perception import Percept
from stamina_video.backbone.perception.gait import SIDEWAYS as GAIT_SIDEWAYS
from stamina_video.backbone.perception.motion import MOTION_CHANNELS
from stamina_video.backbone.perception.perception import LIFE_CHANNELS
from stamina_video.semantics import Observation
from stamina_video.training.sample import Lesson, Sample, Shown

SIDEWAYS_LIFE = [place for place, name in enumerate(LIFE_CHANNELS) if name in GAIT_SIDEWAYS]
SIDEWAYS = [place for place, name in enumerate(MOTION_CHANNELS) if name.endswith("dx")]


def mirrored(sample: Sample) -> Sample:
    """What stands in words stays: no question of a scene asks for left or right."""

    def read() -> Sequence[Observation]:
        return [replace(one, image=mirrored_percept(one.image)) for one in sample.read()]

    lessons = tuple(map(_lesson, sample.lessons))
    return replace(sample, id=f"{sample.id} mirrored", read=read, lessons=lessons)


def mirrored_percept(percept: Percept) -> Percept:
    """Boxes and sideways motion change sides; what a box looks like is nearly the same in a mirror."""
    left_N, top_N, right_N, bottom_N = percept.boxes_N4.T
    motion_NM = percept.motion_NM.copy()
    motion_NM[:, SIDEWAYS] *= -1
    life_NL = percept.life_NL.copy()
    if life_NL.shape[1] == len(LIFE_CHANNELS):
        life_NL[:, SIDEWAYS_LIFE] *= -1
    boxes_N4 = np.stack([1 - right_N, top_N, 1 - left_N, bottom_N], axis=1)
    return replace(percept, boxes_N4=boxes_N4, motion_NM=motion_NM, life_NL=life_NL)


def _lesson(lesson: Lesson) -> Lesson:
    if lesson.shown is None:
        return lesson
    return replace(lesson, shown=tuple(tuple(map(_shown, look)) for look in lesson.shown))


def _shown(shown: Shown) -> Shown:
    left, top, right, bottom = shown.box
    return replace(shown, box=(1 - right, top, 1 - left, bottom))
