"""A frozen detector without its pixels: what it would have reported of things it might have seen."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr

from stamina_video.data.perception.clutter import clutter
from stamina_video.data.perception.draws import normal
from stamina_video.data.perception.flow import flow_of
from stamina_video.data.perception.rows import Rows, joined, settled
from stamina_video.data.perception.statistics import RATE, Statistics, shipped_statistics
from stamina_video.data.perception.stream import Floats, Ints, Stream, areas, logit, overlaps
from stamina_video.data.perception.things import UNNAMED, Things, things_of
from stamina_video.data.world.scene import Scene
from stamina_video.semantics import InvalidInput

REFERENCE_AREA = 0.01  # of the image
SEEN = 0.05  # a smaller share of a thing shows nothing of it
TOUCHING = 0.3  # overlap at which two things of a class may pass for one
JUMPS = 0.1  # share of boxes that jump rather than shake
PART = (0.56, 0.76)  # side of a second box over that of the first: overlaps from 0.31 to 0.58

Flags = NDArray[np.bool_]


def simulate_perception(
    scene: Scene, statistics: Statistics | None = None, seed: int = 0, fps: float = 2.0
) -> Stream:
    """The stream a detector would have made of a scene, looked at so often a second."""
    if not fps > 0:
        raise InvalidInput(f"expected observations per second above 0, got {fps:g}")
    statistics = statistics or shipped_statistics()
    times = np.arange(int(scene.duration * fps)) / fps
    return simulate(things_of(scene, times.tolist(), statistics.vocabulary), statistics, seed)


def simulate(things: Things, statistics: Statistics, seed: int) -> Stream:
    """Report things with a detector's habits. Other seeds give other noise over the same things."""
    dice = np.random.Generator(np.random.PCG64(np.random.SeedSequence((seed, len(things.times_T)))))
    seen_TE = things.shown_TE > SEEN
    scores_TE = _scores(things, statistics, dice)
    merged_TE, boxes_TE4 = _merged(things, scores_TE, seen_TE, statistics, dice)
    blink_TE = _blinking(things, statistics, dice)
    reported_TE = seen_TE & (scores_TE >= statistics.floor) & ~merged_TE & ~blink_TE
    boxes_TE4 = _jittered(boxes_TE4, scores_TE, statistics, dice)
    naming = _names(things, scores_TE, statistics, dice)
    motion_TEM = flow_of(things, statistics, dice)
    first = _rows(things, reported_TE, boxes_TE4, scores_TE, naming, motion_TEM)
    again_TE, part_TE4, lower_TE = _duplicates(reported_TE, boxes_TE4, scores_TE, things, statistics, dice)
    second = _rows(things, again_TE, part_TE4, lower_TE, naming, motion_TEM)
    nothing = clutter(things.times_T, statistics, dice)
    return settled(joined(first, second, nothing), things.times_T, statistics, dice)


@dataclass(frozen=True, slots=True, eq=False)
class Naming:
    classes_TE2: Ints
    rival_TE: Floats


def _scores(things: Things, statistics: Statistics, dice: np.random.Generator) -> Floats:
    size_TE = np.log(np.maximum(areas(things.boxes_TE4), 1e-5) / REFERENCE_AREA)
    spread_E = statistics.score_spread * normal(dice, (things.boxes_TE4.shape[1],))
    # What it has no class for, it reports no better than what is not there.
    mean_E = np.where(things.classes_E == UNNAMED, statistics.clutter_mean, statistics.score_mean) + spread_E
    wobble_TE = statistics.score_wobble * _lasting(dice, things, statistics.score_persistence)
    hidden_TE = statistics.hidden_cost * (1 - things.shown_TE)
    return np.asarray(expit(mean_E + statistics.score_per_size * size_TE + wobble_TE - hidden_TE), np.float32)


def _lasting(dice: np.random.Generator, things: Things, persistence: float) -> Floats:
    """Standard normal numbers that stay alike from one observation to the next, the closer the more."""
    fresh_TE = normal(dice, things.shown_TE.shape)
    kept_T = persistence ** (RATE * np.diff(things.times_T, prepend=things.times_T[:1]))
    lasting_TE = fresh_TE.copy()
    for row in range(1, len(fresh_TE)):
        kept = kept_T[row]
        lasting_TE[row] = kept * lasting_TE[row - 1] + np.sqrt(1 - kept * kept) * fresh_TE[row]
    return lasting_TE


def _blinking(things: Things, statistics: Statistics, dice: np.random.Generator) -> Flags:
    """Away for a while now and then: two chances, one to go and one to come back."""
    steps_T = RATE * np.diff(things.times_T, prepend=things.times_T[:1])
    draws_TE = dice.random(things.shown_TE.shape)
    away_TE = np.zeros(draws_TE.shape, np.bool_)
    for row in range(1, len(draws_TE)):
        going = 1 - (1 - statistics.blink) ** steps_T[row]
        staying = (1 - statistics.blink_back) ** steps_T[row]
        away_TE[row] = draws_TE[row] < np.where(away_TE[row - 1], staying, going)
    return away_TE


def _merged(
    things: Things, scores_TE: Floats, seen_TE: Flags, statistics: Statistics, dice: np.random.Generator
) -> tuple[Flags, Floats]:
    """Of two things of a class that touch, the weaker may vanish into a box around both."""
    close_TE = ndtr(_lasting(dice, things, statistics.score_persistence)) < statistics.merge
    boxes_TE4, gone_TE = things.boxes_TE4.copy(), np.zeros(seen_TE.shape, np.bool_)
    for row in np.flatnonzero((close_TE & seen_TE).any(axis=1)):
        here = np.flatnonzero(seen_TE[row])
        overlap = overlaps(things.boxes_TE4[row, here], things.boxes_TE4[row, here])
        alike = things.classes_E[here][:, None] == things.classes_E[here][None]
        stronger = scores_TE[row, here][None] > scores_TE[row, here][:, None]
        overlap = np.where(alike & stronger, overlap, 0)
        for k in np.flatnonzero((overlap.max(axis=1, initial=0) > TOUCHING) & close_TE[row, here]):
            weaker, kept = here[k], here[overlap[k].argmax()]
            gone_TE[row, weaker] = True
            boxes_TE4[row, kept, :2] = np.minimum(boxes_TE4[row, kept, :2], boxes_TE4[row, weaker, :2])
            boxes_TE4[row, kept, 2:] = np.maximum(boxes_TE4[row, kept, 2:], boxes_TE4[row, weaker, 2:])
    return gone_TE, boxes_TE4


def _jittered(
    boxes_TE4: Floats, scores_TE: Floats, statistics: Statistics, dice: np.random.Generator
) -> Floats:
    size_TE4 = np.tile(boxes_TE4[..., 2:] - boxes_TE4[..., :2], 2)
    width_TE = statistics.jitter + statistics.jitter_weak * (1 - scores_TE)
    width_TE = np.where(dice.random(width_TE.shape) < JUMPS, statistics.jitter_tail, 1) * width_TE
    shaken_TE4 = boxes_TE4 + width_TE[..., None] * size_TE4 * normal(dice, boxes_TE4.shape)
    return np.asarray(np.clip(shaken_TE4, 0, 1), np.float32)


def _names(things: Things, scores_TE: Floats, statistics: Statistics, dice: np.random.Generator) -> Naming:
    """Best class and rival: each thing has one rival, whose lead changes from observation to observation."""
    words = {word: index for index, word in enumerate(statistics.vocabulary)}
    true_E = np.where(things.classes_E == UNNAMED, _draws(statistics.clutter_classes, words, things, dice),
                      things.classes_E)  # fmt: skip
    rival_E = np.array(
        [_rival(statistics.vocabulary[index], statistics, words, dice) for index in true_E], np.int64
    )
    own_E = normal(dice, (len(true_E),))
    # Half of the spread is the thing's own: some things are never clear, others always.
    swing_TE = (own_E + _lasting(dice, things, statistics.score_persistence)) / np.sqrt(2)
    lead_TE = statistics.rival_gap + statistics.rival_spread * swing_TE
    pair_TE2 = np.stack(np.broadcast_arrays(true_E, rival_E), axis=-1)[None].repeat(len(lead_TE), axis=0)
    swapped_TE2 = np.where((lead_TE < 0)[..., None], pair_TE2[..., ::-1], pair_TE2)
    rival_TE = expit(logit(scores_TE) - np.abs(lead_TE)) / np.maximum(scores_TE, 1e-6)
    return Naming(swapped_TE2, np.asarray(rival_TE, np.float32))


def _draws(
    shares: dict[str, float], words: dict[str, int], things: Things, dice: np.random.Generator
) -> Ints:
    return np.array([_pick(shares, words, dice) for _ in things.classes_E], np.int64)


def _pick(shares: dict[str, float], words: dict[str, int], dice: np.random.Generator) -> int:
    names, weights = list(shares), np.cumsum(list(shares.values()))
    return words[names[int(np.searchsorted(weights, dice.random() * weights[-1], side="right"))]]


def _rival(word: str, statistics: Statistics, words: dict[str, int], dice: np.random.Generator) -> int:
    others = {name: share for name, share in statistics.clutter_classes.items() if name != word}
    return _pick(statistics.rivals.get(word, others), words, dice)


def _duplicates(
    reported_TE: Flags,
    boxes_TE4: Floats,
    scores_TE: Floats,
    things: Things,
    statistics: Statistics,
    dice: np.random.Generator,
) -> tuple[Flags, Floats, Floats]:
    """Second boxes on a part of a thing, at one of its corners."""
    lasting_TE = ndtr(_lasting(dice, things, statistics.score_persistence))
    lower_TE = expit(logit(scores_TE) - statistics.duplicate_cost * 2 * dice.random(scores_TE.shape))
    again_TE = reported_TE & (lasting_TE < statistics.duplicate) & (lower_TE >= statistics.floor)
    side_TE = PART[0] + (PART[1] - PART[0]) * dice.random(scores_TE.shape)
    corner_TE2 = dice.random((*scores_TE.shape, 2)) < 0.5
    size_TE2 = (boxes_TE4[..., 2:] - boxes_TE4[..., :2]) * side_TE[..., None]
    low_TE2 = np.where(corner_TE2, boxes_TE4[..., :2], boxes_TE4[..., 2:] - size_TE2)
    part_TE4 = np.concatenate([low_TE2, low_TE2 + size_TE2], axis=-1).astype(np.float32)
    return again_TE, part_TE4, np.asarray(lower_TE, np.float32)


def _rows(
    things: Things, kept_TE: Flags, boxes_TE4: Floats, scores_TE: Floats, naming: Naming, motion_TEM: Floats
) -> Rows:
    frames_N, columns_N = np.nonzero(kept_TE)
    return Rows(
        frames_N,
        boxes_TE4[kept_TE],
        scores_TE[kept_TE],
        naming.classes_TE2[kept_TE],
        naming.rival_TE[kept_TE],
        motion_TEM[kept_TE],
        things.ids_E[columns_N],
    )
