"""Surfaces as triangles, made from outlines. Knows nothing of colour, place or time."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from stamina_video.data.world.motion import cosine, sine
from stamina_video.data.world.space import Matrix

Corner = Sequence[float] | NDArray[np.float64]
Outline = tuple[tuple[float, float], ...]


@dataclass(frozen=True, eq=False)
class Mesh:
    """Vertices V with normals and texture coordinates, triangles T; closed ones hide their backs."""

    points_V3: NDArray[np.float32]
    normals_V3: NDArray[np.float32]
    texture_V2: NDArray[np.float32]
    triangles_T3: NDArray[np.int32]
    closed: bool = True


def moved(mesh: Mesh, matrix: Matrix) -> Mesh:
    """The same surface elsewhere."""
    points, normals = mesh.points_V3.astype(np.float64), mesh.normals_V3.astype(np.float64)
    placed = _turned(points, matrix) + matrix[:, 3]
    return Mesh(
        _single(placed), _single(_turned(normals, matrix)), mesh.texture_V2, mesh.triangles_T3, mesh.closed
    )


def _turned(vectors: NDArray[np.float64], matrix: Matrix) -> NDArray[np.float64]:
    x, y, z = vectors[:, 0:1], vectors[:, 1:2], vectors[:, 2:3]
    return np.asarray(matrix[:, 0] * x + matrix[:, 1] * y + matrix[:, 2] * z)


def joined(*meshes: Mesh) -> Mesh:
    starts = np.cumsum([0] + [len(mesh.points_V3) for mesh in meshes])
    return Mesh(
        np.concatenate([mesh.points_V3 for mesh in meshes]),
        np.concatenate([mesh.normals_V3 for mesh in meshes]),
        np.concatenate([mesh.texture_V2 for mesh in meshes]),
        np.concatenate(
            [mesh.triangles_T3 + start for mesh, start in zip(meshes, starts, strict=False)]
        ).astype(np.int32),
        all(mesh.closed for mesh in meshes),
    )


def grid_mesh(
    points_RC3: NDArray[np.float64], u: Sequence[float], v: Sequence[float], closed: bool = True
) -> Mesh:
    """A surface through a grid of points, outside where rows × columns turn right-handed."""
    rows, columns = points_RC3.shape[:2]
    index = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = (index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1])
    triangles = np.concatenate(
        [np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)]
    )
    texture = np.stack(np.broadcast_arrays(np.asarray(u)[None, :], np.asarray(v)[:, None]), -1)
    return _finished(points_RC3.reshape(-1, 3), texture.reshape(-1, 2), triangles, closed, _seams(points_RC3))


def _seams(points_RC3: NDArray[np.float64]) -> NDArray[np.int64]:
    """For every vertex the first one at the same place, so that normals agree across seams."""
    flat = np.round(points_RC3.reshape(-1, 3) * 2**16).astype(np.int64)
    _, first, inverse = np.unique(flat, axis=0, return_index=True, return_inverse=True)
    return np.asarray(first[inverse.reshape(-1)], np.int64)


def _finished(
    points: NDArray[np.float64],
    texture: NDArray[np.float64],
    triangles: NDArray[np.int64],
    closed: bool,
    same: NDArray[np.int64],
) -> Mesh:
    p, q, r = (points[triangles[:, corner]] for corner in range(3))
    facing = np.cross(q - p, r - p)
    whole = (facing * facing).sum(-1) > 1e-16
    normals = np.zeros_like(points)
    for corner in range(3):
        np.add.at(normals, same[triangles[whole, corner]], facing[whole])
    normals = normals[same]
    length = np.sqrt((normals * normals).sum(-1, keepdims=True))
    normals = normals / np.maximum(length, 1e-12)
    return Mesh(
        _single(points), _single(normals), _single(texture), triangles[whole].astype(np.int32), closed
    )


def _single(values: NDArray[np.float64]) -> NDArray[np.float32]:
    # Rounded before use: the last bit of a library's arithmetic must not reach a pixel.
    return (np.round(values * 2**18) / 2**18).astype(np.float32)


def circle(segments: int) -> list[tuple[float, float]]:
    return [(cosine(i / segments), sine(i / segments)) for i in range(segments + 1)]


@lru_cache(maxsize=512)
def lathe(outline: Outline, segments: int = 24, flat: float = 1.0) -> Mesh:
    """Turns (radius, height) points, given from the bottom axis outwards and up, about z."""
    ring = circle(segments)
    points = np.array([[(r * x, r * y * flat, z) for x, y in ring] for r, z in outline])
    steps = [math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) for a, b in pairwise(outline)]
    lengths = np.cumsum([0.0, *steps])
    return grid_mesh(points, np.linspace(0, 1, segments + 1).tolist(), (lengths / lengths[-1]).tolist())


@lru_cache(maxsize=512)
def tube(
    centres: tuple[tuple[float, float, float], ...], radii: tuple[float, ...], segments: int = 10
) -> Mesh:
    """A pipe in the x–z plane through the centres, capped by its end radii."""
    ring = circle(segments)
    rows = []
    for i, (x, y, z) in enumerate(centres):
        before, after = centres[max(i - 1, 0)], centres[min(i + 1, len(centres) - 1)]
        dx, dz = after[0] - before[0], after[2] - before[2]
        length = max((dx * dx + dz * dz) ** 0.5, 1e-9)
        ax, az = dz / length, -dx / length
        rows.append([(x + radii[i] * c * ax, y + radii[i] * s, z + radii[i] * c * az) for c, s in ring])
    return grid_mesh(
        np.array(rows), np.linspace(0, 1, segments + 1).tolist(), np.linspace(0, 1, len(centres)).tolist()
    )


@lru_cache(maxsize=512)
def ball(rx: float, ry: float, rz: float, segments: int = 16, rings: int = 10) -> Mesh:
    outline = tuple((sine(k / rings / 2), -cosine(k / rings / 2)) for k in range(rings + 1))
    mesh = lathe(outline, segments)
    points = mesh.points_V3.astype(np.float64) * (rx, ry, rz)
    normals = mesh.points_V3.astype(np.float64) / (rx, ry, rz)
    normals = normals / np.sqrt((normals * normals).sum(-1, keepdims=True))
    return Mesh(_single(points), _single(normals), mesh.texture_V2, mesh.triangles_T3)


@lru_cache(maxsize=512)
def limb(
    length: float, start: float, end: float, bulge: float = 1.0, flat: float = 1.0, segments: int = 12
) -> Mesh:
    """A rounded, tapering limb along +z from a joint of one radius to a joint of another."""
    outline = [(start * sine(k / 16), -start * cosine(k / 16)) for k in range(4)]
    for k in range(7):
        share = k / 6
        swell = 1 + (bulge - 1) * 4 * share * (1 - share) * (1.2 - 0.6 * share)
        outline.append(((start + (end - start) * share) * swell, length * share))
    outline += [(end * cosine(k / 16), length + end * sine(k / 16)) for k in range(1, 5)]
    outline[-1] = (0.0, outline[-1][1])
    return lathe(tuple(outline), segments, flat)


@lru_cache(maxsize=512)
def block(x: float, y: float, z: float) -> Mesh:
    """A box standing on the ground, centred in x and y, one whole texture on every side."""
    hx, hy = x / 2, y / 2
    corners = np.array(
        [(sx * hx, sy * hy, sz * z) for sz in (0, 1) for sy in (-1, 1) for sx in (-1, 1)], np.float64
    )
    faces = ((0, 1, 5, 4), (1, 3, 7, 5), (3, 2, 6, 7), (2, 0, 4, 6), (4, 5, 7, 6), (2, 3, 1, 0))
    sides = (corners[list(face)] for face in faces)
    return joined(*(quad(a, b, c, d, pieces=1, closed=True) for a, b, c, d in sides))


@lru_cache(maxsize=512)
def disc(radius: float, segments: int = 20) -> Mesh:
    """A round sheet that faces up."""
    ring = circle(segments)
    points = np.array([[(r * x, r * y, 0.0) for x, y in ring] for r in (radius, 0.0)])
    return grid_mesh(points, np.linspace(0, 1, segments + 1).tolist(), (0.0, 1.0), False)


def quad(
    a: Corner,
    b: Corner,
    c: Corner,
    d: Corner,
    pieces: int = 8,
    closed: bool = False,
) -> Mesh:
    """A flat four-cornered sheet, cut into pieces × pieces."""
    steps = np.linspace(0, 1, pieces + 1)
    u, v = steps[None, :, None], steps[:, None, None]
    corners = [np.asarray(corner, np.float64) for corner in (a, b, c, d)]
    points = (
        corners[0] * (1 - u) * (1 - v)
        + corners[1] * u * (1 - v)
        + corners[2] * u * v
        + corners[3] * (1 - u) * v
    )
    return grid_mesh(points, steps.tolist(), steps.tolist(), closed)
