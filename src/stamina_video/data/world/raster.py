"""Draws triangles into buffers and shades what they hold. Knows nothing of scenes, only of arrays.

Only the four operations, square roots and integer edges are used, in a fixed order and without fused
multiply-adds, so that every machine draws the same pixels.
"""

import numpy as np
from numpy.typing import NDArray

from stamina_video.semantics import MissingExtra

try:
    from numba import njit
except ImportError:
    raise MissingExtra(
        "expected numba for the simulated world, got none: pip install 'stamina-video[data]'"
    ) from None

# No checks for division by zero: they cost a third of the time, and every divisor here is kept from zero.
compiled = njit(cache=True, nogil=True, error_model="numpy")
# For what runs once a pixel: passing a dozen arrays costs more than the work.
inlined = njit(cache=True, nogil=True, error_model="numpy", inline="always")

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
U8 = NDArray[np.uint8]

SUBPIXEL = 16  # vertices snap to 1/16 of a sample, so that edges are integers and neighbours leave no gap
NEAR = 0.05  # metres


@inlined
def _wave(turns: float) -> tuple[float, float]:
    """A parabola for every half turn, near to a sine, and its slope: the same on every machine."""
    share = 2.0 * (turns - np.floor(turns)) - 1.0
    return 4.0 * share * (1.0 - abs(share)), 8.0 * (1.0 - 2.0 * abs(share))


@compiled
def place(
    points_V3: F32,
    normals_V3: F32,
    first_I: I32,
    last_I: I32,
    matrices_I34: F64,
    soft_I: F64,
    time: float,
    to_I: I32,
    xyz: F32,
    facing: F32,
) -> None:
    """World points and normals of every instance's copy of its mesh, in folds where it is soft."""
    for i in range(first_I.size):
        m = matrices_I34[i]
        out = to_I[i]
        for v in range(first_I[i], last_I[i]):
            x, y, z = np.float64(points_V3[v, 0]), np.float64(points_V3[v, 1]), np.float64(points_V3[v, 2])
            a, b, c = np.float64(normals_V3[v, 0]), np.float64(normals_V3[v, 1]), np.float64(normals_V3[v, 2])
            if soft_I[i] > 0.0:
                # Two slow waves through the body's own space; the normals lean against their slopes.
                rise, slope = _wave(3.1 * x - 1.7 * y + 4.3 * z + 0.21 * time)
                rise2, slope2 = _wave(-6.1 * x + 4.7 * y + 5.3 * z - 0.33 * time)
                away = soft_I[i] * (rise + 0.5 * rise2)
                x, y, z = x + a * away, y + b * away, z + c * away
                slope, slope2 = soft_I[i] * slope, soft_I[i] * 0.5 * slope2
                a -= 3.1 * slope - 6.1 * slope2
                b -= -1.7 * slope + 4.7 * slope2
                c -= 4.3 * slope + 5.3 * slope2
            for k in range(3):
                xyz[out, k] = m[k, 0] * x + m[k, 1] * y + m[k, 2] * z + m[k, 3]
                facing[out, k] = m[k, 0] * a + m[k, 1] * b + m[k, 2] * c
            out += 1


@compiled
def draw(
    xyz: F32,
    triangles_T3: I32,
    first_I: I32,
    last_I: I32,
    shift_I: I32,
    vertices_I2: I32,
    closed_I: U8,
    view: F64,
    ortho: bool,
    depth: F32,
    instance: I32,
    triangle: I32,
) -> None:
    """Nearest triangle of every sample. `vertices_I2` bounds each instance's own vertices.

    `view` has rows: eye, right, up, forward, then scale and centre of the columns and of the rows of samples.
    `depth` holds 1/z in perspective and -z without: the greater, the nearer.
    """
    most = 0
    for i in range(first_I.size):
        most = max(most, vertices_I2[i, 1] - vertices_I2[i, 0])
    camera_V3, spots_V3 = np.empty((most, 3)), np.empty((most, 3))
    for i in range(first_I.size):
        start, shift = vertices_I2[i, 0], shift_I[i] - vertices_I2[i, 0]
        for v in range(vertices_I2[i, 1] - start):
            dx, dy, dz = (
                xyz[start + v, 0] - view[0, 0],
                xyz[start + v, 1] - view[0, 1],
                xyz[start + v, 2] - view[0, 2],
            )
            for axis in range(3):
                camera_V3[v, axis] = dx * view[axis + 1, 0] + dy * view[axis + 1, 1] + dz * view[axis + 1, 2]
            _spot(camera_V3[v], view, ortho, spots_V3[v])
        for t in range(first_I[i], last_I[i]):
            a, b, c = triangles_T3[t, 0] + shift, triangles_T3[t, 1] + shift, triangles_T3[t, 2] + shift
            behind = (camera_V3[a, 2] < NEAR) + (camera_V3[b, 2] < NEAR) + (camera_V3[c, 2] < NEAR)
            if ortho or behind == 0:
                _fill(spots_V3[a], spots_V3[b], spots_V3[c], closed_I[i], depth, instance, triangle, i, t)
            elif behind < 3:
                _clip_and_fill(camera_V3, (a, b, c), view, closed_I[i], depth, instance, triangle, i, t)


@compiled
def _spot(camera: F64, view: F64, ortho: bool, spot: F64) -> None:
    """Where a point falls, in whole sub-samples, and how near it is."""
    near = 1.0 if ortho else 1.0 / max(camera[2], NEAR)
    spot[0] = np.floor((view[4, 2] + view[4, 0] * camera[0] * near) * SUBPIXEL + 0.5)
    spot[1] = np.floor((view[5, 2] - view[5, 0] * camera[1] * near) * SUBPIXEL + 0.5)
    spot[2] = -camera[2] if ortho else near


@compiled
def _clip_and_fill(
    camera_V3: F64,
    corners: tuple[int, int, int],
    view: F64,
    closed: int,
    depth: F32,
    instance: I32,
    triangle: I32,
    i: int,
    t: int,
) -> None:
    """Keep the part of a triangle that lies before the eye."""
    kept, count = np.empty((4, 3)), 0
    for k in range(3):
        a, b = camera_V3[corners[k]], camera_V3[corners[(k + 1) % 3]]
        if a[2] >= NEAR:
            kept[count] = a
            count += 1
        if (a[2] >= NEAR) != (b[2] >= NEAR):
            share = (NEAR - a[2]) / (b[2] - a[2])
            for axis in range(2):
                kept[count, axis] = a[axis] + (b[axis] - a[axis]) * share
            kept[count, 2] = NEAR
            count += 1
    for k in range(count):
        _spot(kept[k].copy(), view, False, kept[k])
    for k in range(2, count):
        _fill(kept[0], kept[k - 1], kept[k], closed, depth, instance, triangle, i, t)


@compiled
def _fill(
    a: F64, b: F64, c: F64, closed: int, depth: F32, instance: I32, triangle: I32, i: int, t: int
) -> None:
    """Samples inside three spots, by integer edges."""
    height, width = depth.shape
    west, east = min(a[0], b[0], c[0]), max(a[0], b[0], c[0])
    north, south = min(a[1], b[1], c[1]), max(a[1], b[1], c[1])
    # Most triangles lie outside or between two samples, and cost no more than this.
    if east < 0 or south < 0 or west > width * SUBPIXEL or north > height * SUBPIXEL:
        return
    reach = 1 << 24  # farther out, products of edges would leave the integers
    if min(west, north) < -reach or max(east, south) > reach:
        return
    # The image's y runs down, so a triangle that faces the viewer has a negative area here; it is exact.
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
    if turn == 0 or (turn > 0 and closed):
        return
    x0, y0, x1, y1 = np.int64(a[0]), np.int64(a[1]), np.int64(b[0]), np.int64(b[1])
    x2, y2, area = np.int64(c[0]), np.int64(c[1]), np.int64(turn)
    da, db, dc = a[2], b[2], c[2]
    if area < 0:
        x1, y1, x2, y2, db, dc, area = x2, y2, x1, y1, dc, db, -area
    half = SUBPIXEL // 2
    left: int = max(int((np.int64(west) + half - 1) // SUBPIXEL), 0)
    right: int = min(int((np.int64(east) - half) // SUBPIXEL), width - 1)
    top: int = max(int((np.int64(north) + half - 1) // SUBPIXEL), 0)
    bottom: int = min(int((np.int64(south) - half) // SUBPIXEL), height - 1)
    if left > right or top > bottom:
        return
    # Top-left rule: a sample on a shared edge belongs to one of its two triangles.
    bias0 = 0 if (y2 < y1 or (y2 == y1 and x2 > x1)) else -1
    bias1 = 0 if (y0 < y2 or (y0 == y2 and x0 > x2)) else -1
    bias2 = 0 if (y1 < y0 or (y1 == y0 and x1 > x0)) else -1
    px = left * SUBPIXEL + half
    step0, step1, step2 = -(y2 - y1) * SUBPIXEL, -(y0 - y2) * SUBPIXEL, -(y1 - y0) * SUBPIXEL
    da, db, dc = da / area, db / area, dc / area
    for y in range(top, bottom + 1):
        py = y * SUBPIXEL + half
        e0 = (x2 - x1) * (py - y1) - (y2 - y1) * (px - x1)
        e1 = (x0 - x2) * (py - y2) - (y0 - y2) * (px - x2)
        e2 = (x1 - x0) * (py - y0) - (y1 - y0) * (px - x0)
        for x in range(left, right + 1):
            if ((e0 + bias0) | (e1 + bias1) | (e2 + bias2)) >= 0:
                near = np.float32(e0 * da + e1 * db + e2 * dc)
                if near > depth[y, x]:
                    depth[y, x] = near
                    instance[y, x] = i
                    triangle[y, x] = t
            e0 += step0
            e1 += step1
            e2 += step2
