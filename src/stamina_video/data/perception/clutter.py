"""Boxes on nothing: they appear, stay a while in their place, and fade."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from stamina_video.data.perception.draws import normal
from stamina_video.data.perception.rows import Rows
from stamina_video.data.perception.statistics import RATE, Statistics
from stamina_video.data.perception.stream import CLUTTER, MOTION

SHAKES = 0.02  # of the box's size
WOBBLES = 0.3  # logits


def clutter(times_T: NDArray[np.float64], statistics: Statistics, dice: np.random.Generator) -> Rows:
    """Every place where something is seen that is not there, at every observation it is reported in."""
    steps = RATE * max(float(times_T[-1] - times_T[0]) if len(times_T) else 0.0, 1e-9)
    step = steps / max(len(times_T) - 1, 1)
    stays = min(statistics.clutter_stays, 0.995) ** step
    lives = statistics.clutter * len(times_T) * (1 - stays) / (1 - statistics.clutter_stays)
    # Those under way when the stream begins were born before it.
    before = int(np.ceil(5 / (1 - stays)))
    number = round(lives * (len(times_T) + before) / max(len(times_T), 1))
    born_B = np.sort((dice.random(number) * (len(times_T) + before)).astype(np.int64)) - before
    life_B = 1 + np.floor(np.log(np.maximum(dice.random(number), 1e-12)) / np.log(stays)).astype(np.int64)
    place_N = np.repeat(np.arange(number), life_B)
    frames_N = born_B[place_N] + np.arange(len(place_N)) - np.repeat(np.cumsum(life_B) - life_B, life_B)
    level_B = statistics.clutter_mean + statistics.clutter_spread * normal(dice, (number,))
    scores_N = expit(level_B[place_N] + WOBBLES * normal(dice, (len(place_N),)))
    kept_N = (frames_N >= 0) & (frames_N < len(times_T)) & (scores_N >= statistics.floor)
    place_N, frames_N, scores_N = place_N[kept_N], frames_N[kept_N], scores_N[kept_N]
    boxes_B4, classes_B2 = _boxes(number, statistics, dice), _classes(number, statistics, dice)
    size_N4 = np.tile(boxes_B4[place_N, 2:] - boxes_B4[place_N, :2], 2)
    shaken_N4 = np.clip(boxes_B4[place_N] + SHAKES * size_N4 * normal(dice, (len(place_N), 4)), 0, 1)
    motion_NM = np.zeros((len(place_N), len(MOTION)), np.float32)
    motion_NM[:, 0] = frames_N > 0
    lead_N = np.abs(statistics.rival_gap + statistics.rival_spread * normal(dice, (len(place_N),)))
    rival_N = expit(np.log(scores_N / (1 - scores_N)) - lead_N) / scores_N
    return Rows(
        frames_N, shaken_N4, scores_N, classes_B2[place_N], rival_N, motion_NM,
        np.full(len(place_N), CLUTTER, np.int64),
    )  # fmt: skip


def _boxes(number: int, statistics: Statistics, dice: np.random.Generator) -> NDArray[np.float64]:
    area_B = np.exp(statistics.clutter_size + statistics.clutter_size_spread * normal(dice, (number,)))
    side_B = np.sqrt(np.minimum(area_B, 0.9))
    long_B = np.exp(0.5 * normal(dice, (number,)))
    size_B2 = np.minimum(np.stack([side_B * np.sqrt(long_B), side_B / np.sqrt(long_B)], axis=1), 1.0)
    low_B2 = (1 - size_B2) * dice.random((number, 2))
    return np.concatenate([low_B2, low_B2 + size_B2], axis=1)


def _classes(number: int, statistics: Statistics, dice: np.random.Generator) -> NDArray[np.int64]:
    """Two classes for each, as often as the detector sees them in nothing."""
    shares = np.cumsum(list(statistics.clutter_classes.values()))
    words = np.array([statistics.vocabulary.index(word) for word in statistics.clutter_classes])
    return np.asarray(words[np.searchsorted(shares, dice.random((number, 2)) * shares[-1], side="right")])
