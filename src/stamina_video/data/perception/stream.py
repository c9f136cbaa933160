"""What a detector reported over time, as plain arrays. Real and simulated detections share this record."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

# In this order, in the units of the perception's motion: hundredths of the longer side and of full scale.
MOTION = (
    *("known", "dx", "dy", "speed", "spread", "own_dx", "own_dy", "own_speed"),
    *("moving", "foreground", "difference", "standing_out"),
)
CLUTTER = -1  # the entity of a box that shows no thing of the scene


@dataclass(frozen=True, slots=True, eq=False)
class Reported:
    """The boxes of one observation, best first: left, top, right, bottom as fractions of the image."""

    time: float
    boxes_K4: Floats
    scores_K: Floats
    labels_KV: Floats  # the score of every class
    motion_KM: Floats
    entities_K: Ints

    def __len__(self) -> int:
        return len(self.boxes_K4)


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """All N boxes of T observations, one observation after the other."""

    vocabulary: tuple[str, ...]
    times_T: NDArray[np.float64]
    lengths_T: Ints
    boxes_N4: Floats
    scores_N: Floats
    classes_N2: Ints  # the best class and its rival
    rival_N: Floats  # the rival's score over the best
    rest_N: Floats  # what all other classes score together
    motion_NM: Floats
    entities_N: Ints

    def __len__(self) -> int:
        return len(self.times_T)

    @property
    def starts_T(self) -> Ints:
        return np.asarray(np.cumsum(self.lengths_T) - self.lengths_T)

    @property
    def frames_N(self) -> Ints:
        """The observation of every box."""
        return np.repeat(np.arange(len(self)), self.lengths_T)

    def at(self, observation: int) -> Reported:
        start = int(self.starts_T[observation])
        rows = slice(start, start + int(self.lengths_T[observation]))
        return Reported(
            float(self.times_T[observation]),
            self.boxes_N4[rows],
            self.scores_N[rows],
            self._labels(rows),
            self.motion_NM[rows],
            self.entities_N[rows],
        )

    def names(self, observation: int) -> list[str]:
        """The best class of every box of an observation."""
        start = int(self.starts_T[observation])
        best_K = self.classes_N2[start : start + int(self.lengths_T[observation]), 0]
        return [self.vocabulary[index] for index in best_K]

    def _labels(self, rows: slice) -> Floats:
        scores_K, rest_K = self.scores_N[rows], self.rest_N[rows]
        others = max(len(self.vocabulary) - 2, 1)
        labels_KV = np.repeat(rest_K[:, None] / others, len(self.vocabulary), axis=1).astype(np.float32)
        index_K = np.arange(len(scores_K))
        labels_KV[index_K, self.classes_N2[rows, 1]] = scores_K * self.rival_N[rows]
        labels_KV[index_K, self.classes_N2[rows, 0]] = scores_K
        return labels_KV


def stream_of(
    vocabulary: Sequence[str],
    times: Sequence[float],
    boxes: Sequence[Floats],
    labels: Sequence[Floats],
    motion: Sequence[Floats],
) -> Stream:
    """A real detector's stream, from one array per observation; `labels` scores every class of a box."""
    labels_NV = np.concatenate(labels) if labels else np.zeros((0, len(vocabulary)), np.float32)
    order_NV = np.argsort(-labels_NV, axis=1, kind="stable")
    ranked_NV = np.take_along_axis(labels_NV, order_NV, axis=1)
    scores_N = ranked_NV[:, 0]
    return Stream(
        tuple(vocabulary),
        np.asarray(times, np.float64),
        np.array([len(part) for part in boxes], np.int64),
        np.concatenate(boxes) if boxes else np.zeros((0, 4), np.float32),
        scores_N,
        order_NV[:, :2],
        np.asarray(ranked_NV[:, 1] / np.maximum(scores_N, 1e-6), np.float32),
        ranked_NV[:, 2:].sum(axis=1),
        np.concatenate(motion) if motion else np.zeros((0, len(MOTION)), np.float32),
        np.full(len(scores_N), CLUTTER, np.int64),
    )


def overlaps(boxes_N4: Floats, others_K4: Floats) -> Floats:
    """Intersection over union of every pair."""
    left_N, top_N, right_N, bottom_N = boxes_N4.T
    left_K, top_K, right_K, bottom_K = others_K4.T
    width_NK = np.minimum.outer(right_N, right_K) - np.maximum.outer(left_N, left_K)
    height_NK = np.minimum.outer(bottom_N, bottom_K) - np.maximum.outer(top_N, top_K)
    shared_NK = np.maximum(width_NK, 0) * np.maximum(height_NK, 0)
    union_NK = np.add.outer(areas(boxes_N4), areas(others_K4)) - shared_NK
    return np.asarray(shared_NK / np.maximum(union_NK, 1e-6), np.float32)


def areas(boxes_N4: Floats) -> Floats:
    width_N, height_N = boxes_N4[..., 2] - boxes_N4[..., 0], boxes_N4[..., 3] - boxes_N4[..., 1]
    return np.asarray(np.maximum(width_N, 0) * np.maximum(height_N, 0), np.float32)


def logit(share: Floats) -> Floats:
    kept = np.clip(share, 1e-3, 1 - 1e-3)
    return np.asarray(np.log(kept / (1 - kept)), np.float32)
