"""Arithmetic on boxes (left, top, right, bottom) given as fractions of the image."""

import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.perception.percept import Floats

THINNEST = 1e-3  # of the image: a box without area has no mean

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


def inner(boxes_N4: Floats, margin: float) -> Floats:
    """The boxes without this share of their size on every side: less of what lies behind a thing."""
    sides_N2 = boxes_N4[:, 2:] - boxes_N4[:, :2]
    return np.concatenate([boxes_N4[:, :2] + margin * sides_N2, boxes_N4[:, 2:] - margin * sides_N2], axis=1)


def keep_apart(boxes_N4: Floats, most: int, overlap: float) -> NDArray[np.intp]:
    """Rows of the boxes, best first, that no better kept box overlaps more than this."""
    overlaps_NN = overlaps(boxes_N4, boxes_N4)
    kept: list[int] = []
    for row in range(len(boxes_N4)):
        if len(kept) == most:
            break
        if not kept or overlaps_NN[row, kept].max() <= overlap:
            kept.append(row)
    return np.array(kept, np.intp)


def box_means(field_HWC: Floats, boxes_N4: Floats) -> Floats:
    """The mean of a field over each box, exact to fractions of a cell."""
    height, width, channels = field_HWC.shape
    rows_NH = _shares(boxes_N4[:, 1], boxes_N4[:, 3], height)
    columns_NW = _shares(boxes_N4[:, 0], boxes_N4[:, 2], width)
    lines_NWC = (rows_NH @ field_HWC.reshape(height, width * channels)).reshape(-1, width, channels)
    return np.asarray((columns_NW[:, None, :] @ lines_NWC)[:, 0, :], np.float32)


def _shares(low_N: Floats, high_N: Floats, cells: int) -> Floats:
    """How much of each interval falls into each of equal cells; rows sum to one."""
    middle_N = np.clip((low_N + high_N) / 2, THINNEST / 2, 1 - THINNEST / 2)
    half_N = np.maximum(high_N - low_N, THINNEST) / 2
    edges = np.arange(cells + 1, dtype=np.float32) / cells
    inside_NE = np.clip(edges[None, :], (middle_N - half_N)[:, None], (middle_N + half_N)[:, None])
    shares_NE = np.diff(inside_NE, axis=1)
    return np.asarray(shares_NE / shares_NE.sum(axis=1, keepdims=True), np.float32)
