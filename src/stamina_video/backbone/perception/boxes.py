"""Arithmetic on boxes (left, top, right, bottom) given as fractions of the image."""

import cv2
import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.perception.percept import Floats

THINNEST = 1e-3  # of the image: a box without area has no mean
MOST_CHANNELS = 64  # OpenCV takes no more than 128 at once

WHOLE_14 = np.array([[0.0, 0.0, 1.0, 1.0]], np.float32)


def grid_boxes(side: int) -> Floats:
    """The cells of a square grid, row by row."""
    edges = np.linspace(0.0, 1.0, side + 1, dtype=np.float32)
    top, left = np.divmod(np.arange(side**2), side)
    return np.stack([edges[left], edges[top], edges[left + 1], edges[top + 1]], axis=1)


def areas(boxes_N4: Floats) -> Floats:
    sides_N2 = np.maximum(boxes_N4[:, 2:] - boxes_N4[:, :2], 0)
    return np.asarray(sides_N2[:, 0] * sides_N2[:, 1], np.float32)


def intersections(boxes_N4: Floats, others_K4: Floats) -> Floats:
    low_NK2 = np.maximum(boxes_N4[:, None, :2], others_K4[None, :, :2])
    high_NK2 = np.minimum(boxes_N4[:, None, 2:], others_K4[None, :, 2:])
    sides_NK2 = np.maximum(high_NK2 - low_NK2, 0)
    return np.asarray(sides_NK2[..., 0] * sides_NK2[..., 1], np.float32)


def overlaps(boxes_N4: Floats, others_K4: Floats) -> Floats:
    """Intersection over union of every pair."""
    shared_NK = intersections(boxes_N4, others_K4)
    union_NK = areas(boxes_N4)[:, None] + areas(others_K4)[None, :] - shared_NK
    return np.asarray(shared_NK / np.maximum(union_NK, THINNEST**2), np.float32)


def crowding(boxes_N4: Floats) -> Floats:
    """(N, 2): how much each overlaps, and is covered by, one that comes before it, at most."""
    before_NN = np.tri(len(boxes_N4), k=-1, dtype=np.float32)
    shared_NN = intersections(boxes_N4, boxes_N4) / np.maximum(areas(boxes_N4), THINNEST**2)[:, None]
    parts = [overlaps(boxes_N4, boxes_N4) * before_NN, shared_NN * before_NN]
    return np.stack([part.max(axis=1, initial=0) for part in parts], axis=1).astype(np.float32)


def inner(boxes_N4: Floats, margin: float) -> Floats:
    """The boxes without this share of their size on every side: less of what lies behind a thing."""
    sides_N2 = boxes_N4[:, 2:] - boxes_N4[:, :2]
    return np.concatenate([boxes_N4[:, :2] + margin * sides_N2, boxes_N4[:, 2:] - margin * sides_N2], axis=1)


def keep_apart(boxes_N4: Floats, most: int, overlap: float) -> NDArray[np.intp]:
    """Rows of the boxes, best first, that no better kept box overlaps more than this."""
    free_N = np.ones(len(boxes_N4), bool)
    kept: list[int] = []
    while len(kept) < most and free_N.any():
        best = int(free_N.argmax())
        kept.append(best)
        free_N &= overlaps(boxes_N4, boxes_N4[best : best + 1])[:, 0] <= overlap
        free_N[best] = False
    return np.array(kept, np.intp)


def box_means(field_HWC: Floats, boxes_N4: Floats) -> Floats:
    """The mean of a field over each box, exact to fractions of a cell."""
    height, width, _ = field_HWC.shape
    # Sums over corners rather than matrix products: BLAS would wake threads for less work than waking takes.
    sums = _corner_sums(field_HWC)
    middle_N2 = (boxes_N4[:, :2].astype(np.float64) + boxes_N4[:, 2:]) / 2
    half_N2 = np.maximum(boxes_N4[:, 2:] - boxes_N4[:, :2], THINNEST) / 2
    middle_N2 = middle_N2.clip(half_N2, 1 - half_N2)
    size = np.array([width, height])
    low_N2, high_N2 = (middle_N2 - half_N2) * size, (middle_N2 + half_N2) * size
    total_NC = (
        _between(sums, high_N2[:, 0], high_N2[:, 1])
        - _between(sums, low_N2[:, 0], high_N2[:, 1])
        - _between(sums, high_N2[:, 0], low_N2[:, 1])
        + _between(sums, low_N2[:, 0], low_N2[:, 1])
    )
    return np.asarray(total_NC / (high_N2 - low_N2).prod(axis=1, keepdims=True), np.float32)


def _corner_sums(field_HWC: Floats) -> NDArray[np.float64]:
    """Sums of everything left of and above each corner of a cell."""
    height, width, channels = field_HWC.shape
    parts = np.split(field_HWC, range(MOST_CHANNELS, channels, MOST_CHANNELS), axis=2)
    sums = [cv2.integral(np.ascontiguousarray(part)).reshape(height + 1, width + 1, -1) for part in parts]
    return np.concatenate(sums, axis=2)


def _between(
    sums: NDArray[np.float64], x_N: NDArray[np.float64], y_N: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The sums at places between corners; a field that is flat within its cells makes this exact."""
    column_N = np.clip(x_N.astype(np.intp), 0, sums.shape[1] - 2)
    row_N = np.clip(y_N.astype(np.intp), 0, sums.shape[0] - 2)
    across_N1, down_N1 = (x_N - column_N)[:, None], (y_N - row_N)[:, None]
    above_NC = sums[row_N, column_N] * (1 - across_N1) + sums[row_N, column_N + 1] * across_N1
    below_NC = sums[row_N + 1, column_N] * (1 - across_N1) + sums[row_N + 1, column_N + 1] * across_N1
    return np.asarray(above_NC * (1 - down_N1) + below_NC * down_N1)
