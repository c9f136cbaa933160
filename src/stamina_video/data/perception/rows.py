"""Boxes before the detector has settled on them: it keeps the best, and none that a better one covers."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from stamina_video.data.perception.statistics import Statistics
from stamina_video.data.perception.stream import Floats, Ints, Stream

CHUNK = 4096  # observations settled at a time


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Boxes of many observations in any order."""

    frames_N: Ints
    boxes_N4: Floats
    scores_N: Floats
    classes_N2: Ints
    rival_N: Floats
    motion_NM: Floats
    entities_N: Ints


def joined(*parts: Rows) -> Rows:
    return Rows(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Rows)))


def settled(
    rows: Rows, times_T: NDArray[np.float64], statistics: Statistics, dice: np.random.Generator
) -> Stream:
    """The stream of what is reported, best first in each observation."""
    order = np.lexsort((-rows.scores_N, rows.frames_N))
    rows = Rows(*(getattr(rows, field.name)[order] for field in fields(Rows)))
    kept_N = _kept(rows, len(times_T), statistics)
    frames_N = rows.frames_N[kept_N]
    rest_N = statistics.rest * 2 * dice.random(len(frames_N))
    return Stream(
        statistics.vocabulary,
        times_T,
        np.bincount(frames_N, minlength=len(times_T)),
        rows.boxes_N4[kept_N].astype(np.float32),
        rows.scores_N[kept_N].astype(np.float32),
        rows.classes_N2[kept_N],
        rows.rival_N[kept_N].astype(np.float32),
        rest_N.astype(np.float32),
        rows.motion_NM[kept_N].astype(np.float32),
        rows.entities_N[kept_N],
    )


def _kept(rows: Rows, frames: int, statistics: Statistics) -> NDArray[np.bool_]:
    """Greedy suppression, in all observations at once: the k-th best of each is decided together."""
    lengths_T = np.bincount(rows.frames_N, minlength=frames)
    starts_T = np.cumsum(lengths_T) - lengths_T
    kept_N = np.zeros(len(rows.frames_N), np.bool_)
    for first in range(0, frames, CHUNK):
        chunk = slice(first, first + CHUNK)
        most = int(lengths_T[chunk].max(initial=0))
        index_TK = starts_T[chunk, None] + np.arange(most)
        there_TK = np.arange(most) < lengths_T[chunk, None]
        index_TK = np.where(there_TK, index_TK, 0)
        boxes_TK4 = rows.boxes_N4[index_TK] if most else np.zeros((len(index_TK), 0, 4), np.float32)
        kept_TK = np.zeros(there_TK.shape, np.bool_)
        for k in range(most):
            overlap_TK = _overlap(boxes_TK4[:, k, None], boxes_TK4[:, :k])
            silenced_T = (kept_TK[:, :k] & (overlap_TK > statistics.apart)).any(axis=1)
            kept_TK[:, k] = there_TK[:, k] & ~silenced_T
        kept_TK &= kept_TK.cumsum(axis=1) <= statistics.most
        kept_N[index_TK[kept_TK]] = True
    return kept_N


def _overlap(boxes_T14: Floats, others_TK4: Floats) -> Floats:
    low, high = (
        np.maximum(boxes_T14[..., :2], others_TK4[..., :2]),
        np.minimum(boxes_T14[..., 2:], others_TK4[..., 2:]),
    )
    shared = np.maximum(high - low, 0).prod(axis=-1)
    area, other = (np.prod(b[..., 2:] - b[..., :2], axis=-1) for b in (boxes_T14, others_TK4))
    return np.asarray(shared / np.maximum(area + other - shared, 1e-6), np.float32)
