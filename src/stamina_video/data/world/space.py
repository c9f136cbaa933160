"""Rigid placement in a room: metres, z up, angles in turns. A placement is a 3×4 matrix."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stamina_video.data.world.motion import cosine, sine

Matrix = NDArray[np.float64]

IDENTITY: Matrix = np.eye(3, 4)


def placed(x: float, y: float, z: float, yaw: float = 0.0, pitch: float = 0.0, roll: float = 0.0) -> Matrix:
    """At a point, turned about z (yaw), then tipped about its own x (pitch) and y (roll)."""
    cy, sy, cp, sp, cr, sr = cosine(yaw), sine(yaw), cosine(pitch), sine(pitch), cosine(roll), sine(roll)
    return np.array(
        (
            (cy * cr - sy * sp * sr, -sy * cp, cy * sr + sy * sp * cr, x),
            (sy * cr + cy * sp * sr, cy * cp, sy * sr - cy * sp * cr, y),
            (-cp * sr, sp, cp * cr, z),
        )
    )


def chained(outer: Matrix, inner: Matrix) -> Matrix:
    """The placement of something placed by `inner` inside what `outer` places."""
    result = np.empty((3, 4))
    for row in range(3):
        a, b, c, d = outer[row]
        # Written out: a library's matrix product may round differently on another machine.
        result[row] = a * inner[0] + b * inner[1] + c * inner[2]
        result[row, 3] += d
    return result


def scaled(matrix: Matrix, x: float, y: float, z: float) -> Matrix:
    return np.asarray(matrix * np.array((x, y, z, 1.0)))


def spanning(
    start: Sequence[float], end: Sequence[float], aside: Sequence[float] = (1.0, 0.0, 0.0)
) -> Matrix:
    """From one point with the own z axis towards another; `aside` is near the own x axis."""
    axis, _ = direction(start, end)
    y, length = direction((0, 0, 0), cross(axis, aside))
    if length < 1e-6:
        y, _ = direction((0, 0, 0), cross(axis, (0.0, 1.0, 0.0)))
    x = cross(y, axis)
    return np.array([[x[i], y[i], axis[i], start[i]] for i in range(3)])


def direction(start: Sequence[float], end: Sequence[float]) -> tuple[tuple[float, float, float], float]:
    """Unit vector and distance from one point to another."""
    dx, dy, dz = end[0] - start[0], end[1] - start[1], end[2] - start[2]
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    if length < 1e-12:
        return (0.0, 0.0, 1.0), 0.0
    return (dx / length, dy / length, dz / length), length


def cross(a: Sequence[float], b: Sequence[float]) -> tuple[float, float, float]:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def bent(
    start: Sequence[float], end: Sequence[float], upper: float, lower: float, pole: Sequence[float]
) -> tuple[float, ...]:
    """Where the joint of a two-bone limb lies when it reaches from start towards end, bent to the pole."""
    axis, distance = direction(start, end)
    reach = min(max(distance, abs(upper - lower) + 1e-6), upper + lower - 1e-6)
    along = (upper * upper - lower * lower + reach * reach) / (2 * reach)
    out = math.sqrt(max(upper * upper - along * along, 0.0))
    side = cross(cross(axis, pole), axis)
    unit, length = direction((0, 0, 0), side)
    if length < 1e-9:
        unit = (0.0, 0.0, 0.0)
    return tuple(start[i] + axis[i] * along + unit[i] * out for i in range(3))
