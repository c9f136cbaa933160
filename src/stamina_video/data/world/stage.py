"""A scene's bodies as arrays that the rasteriser reads; poses them at a time."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from stamina_video.data.world.body import Body, Fixed, Material
from stamina_video.data.world.mesh import Mesh
from stamina_video.data.world.paints import paint
from stamina_video.data.world.raster import F32, F64, I32, U8, draw, place
from stamina_video.data.world.shade import TEXTURE

T = TypeVar("T")

FAR = 14.0  # metres; what lies beyond, another room of the same world, is not drawn


@dataclass(frozen=True, eq=False, slots=True)
class Posed:
    """Every instance's vertices in the world at one time."""

    stage: "Stage"
    chosen_I: NDArray[np.int64]
    xyz: F32
    facing: F32
    first_I: I32  # triangles
    last_I: I32
    shift_I: I32  # from a mesh's vertex to its copy in the world
    vertices_I2: I32  # first and last of each instance's copies
    closed_I: U8

    def draw(
        self,
        view: F64,
        ortho: bool,
        depth: F32,
        instance: I32,
        triangle: I32,
        only: NDArray[np.int64] | None = None,
    ) -> None:
        """Fill the buffers with the nearest triangles of all instances, or of some."""
        depth.fill(-np.inf if ortho else 0.0)
        instance.fill(-1)
        chosen = slice(None) if only is None else only
        draw(
            self.xyz,
            self.stage.triangles_T3,
            self.first_I[chosen],
            self.last_I[chosen],
            self.shift_I[chosen],
            self.vertices_I2[chosen],
            self.closed_I[chosen],
            view,
            ortho,
            depth,
            instance,
            triangle,
        )


class Stage:
    """The fixed arrays of a scene: surfaces, materials, textures, and which body each instance belongs to."""

    def __init__(self, bodies: Sequence[Body]) -> None:
        self.bodies = tuple(bodies)
        shapes = [shape for body in self.bodies for shape in body.shapes]
        meshes = _Numbered[Mesh]()
        mesh_I = np.array([meshes.number(id(shape.mesh), shape.mesh) for shape in shapes])
        vertices = _starts([len(mesh.points_V3) for mesh in meshes.items])
        triangles = _starts([len(mesh.triangles_T3) for mesh in meshes.items])
        self.points_V3 = np.concatenate([mesh.points_V3 for mesh in meshes.items])
        self.normals_V3 = np.concatenate([mesh.normals_V3 for mesh in meshes.items])
        self.texture_V2 = np.concatenate([mesh.texture_V2 for mesh in meshes.items])
        self.texels_T = np.concatenate([_texels(mesh) for mesh in meshes.items])
        self.triangles_T3 = np.concatenate(
            [mesh.triangles_T3 + start for mesh, start in zip(meshes.items, vertices, strict=False)]
        ).astype(np.int32)
        self._first_vertex_I, self._last_vertex_I = vertices[mesh_I], vertices[mesh_I + 1]
        self._first_I, self._last_I = triangles[mesh_I], triangles[mesh_I + 1]
        self._centres_I3 = np.array([_centre(shape.mesh) for shape in shapes])
        self._closed_I = np.array([shape.mesh.closed for shape in shapes], np.uint8)
        self.body_I = np.repeat(np.arange(len(self.bodies)), [len(body.shapes) for body in self.bodies])
        self.materials_I8, self._paints = _materials([shape.material for shape in shapes])
        self._soft_I = np.array([shape.material.soft for shape in shapes])
        self._textures: U8 | None = None
        self._moving = [
            (body, int(np.argmax(self.body_I == b)))
            for b, body in enumerate(self.bodies)
            if not isinstance(body.rig, Fixed)
        ]
        self._matrices_I34 = np.array([matrix for body in self.bodies for matrix in body.rig.pose(0.0)])
        assert len(self._matrices_I34) == len(shapes), "a rig places every shape"

    @property
    def textures_KX3(self) -> U8:
        # Painted when first seen: truth alone needs no textures.
        if self._textures is None:
            self._textures = np.stack([paint(*paint_of) for paint_of in self._paints])
        return self._textures

    def posed(self, time: float, eye: Sequence[float], folded: bool = False) -> Posed:
        """Bodies within sight. Folds are for pictures: truth is told of the bodies beneath."""
        matrices = self._matrices(time)
        c = self._centres_I3
        middles = (
            matrices[:, :, 3]
            + matrices[:, :, 0] * c[:, :1]
            + matrices[:, :, 1] * c[:, 1:2]
            + matrices[:, :, 2] * c[:, 2:]
        )
        away = middles - np.asarray(eye)
        chosen = np.flatnonzero((away * away).sum(-1) < FAR * FAR)
        first, last = self._first_vertex_I[chosen], self._last_vertex_I[chosen]
        to = _starts(last - first)
        xyz, facing = self._placed(time, matrices, chosen, to[:-1], folded)
        return Posed(
            self,
            chosen,
            xyz,
            facing,
            self._first_I[chosen],
            self._last_I[chosen],
            to[:-1] - first,
            np.stack([to[:-1], to[1:]], axis=1),
            self._closed_I[chosen],
        )

    def points(self, time: float, posed: Posed) -> F32:
        """Where the vertices of a pose are at another time, folds and all."""
        to = np.ascontiguousarray(posed.vertices_I2[:, 0])
        return self._placed(time, self._matrices(time), posed.chosen_I, to, folded=True)[0]

    def _placed(
        self, time: float, matrices: F64, chosen: NDArray[np.int64], to: I32, folded: bool
    ) -> tuple[F32, F32]:
        first, last = self._first_vertex_I[chosen], self._last_vertex_I[chosen]
        xyz = np.empty((int((last - first).sum()), 3), np.float32)
        facing, soft = np.empty_like(xyz), self._soft_I[chosen] * folded
        points, normals = self.points_V3, self.normals_V3
        place(points, normals, first, last, matrices[chosen], soft, time, to, xyz, facing)
        return xyz, facing

    def _matrices(self, time: float) -> F64:
        matrices = self._matrices_I34.copy()
        for body, at in self._moving:
            matrices[at : at + len(body.shapes)] = body.rig.pose(time)
        return matrices


class _Numbered(Generic[T]):
    """Things in the order first met, each once."""

    def __init__(self) -> None:
        self.items: list[T] = []
        self._numbers: dict[Hashable, int] = {}

    def number(self, key: Hashable, item: T) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self.items)
            self.items.append(item)
        return self._numbers[key]


def _texels(mesh: Mesh) -> F32:
    """Texels per square metre of every triangle, for a texture that is not repeated."""
    a, b, c = (mesh.triangles_T3[:, corner] for corner in range(3))
    points, texture = mesh.points_V3.astype(np.float64), mesh.texture_V2.astype(np.float64)
    facing = np.cross(points[b] - points[a], points[c] - points[a])
    (u1, v1), (u2, v2) = (texture[b] - texture[a]).T, (texture[c] - texture[a]).T
    metres = np.sqrt((facing * facing).sum(-1))
    texels = np.abs(u1 * v2 - v1 * u2) * TEXTURE * TEXTURE
    return np.asarray(texels / np.maximum(metres, 1e-12), np.float32)


def _centre(mesh: Mesh) -> NDArray[np.float64]:
    low, high = mesh.points_V3.min(0), mesh.points_V3.max(0)
    return np.asarray((low.astype(np.float64) + high) / 2)


def _starts(lengths: Sequence[int] | NDArray[np.int32]) -> I32:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)


Paint = tuple[str, tuple[float, float, float], int]


def _materials(materials: Sequence[Material]) -> tuple[F32, list[Paint]]:
    paints = _Numbered[Paint]()
    rows = []
    for material in materials:
        wanted = (material.surface, material.colour, material.seed)
        number = paints.number(wanted, wanted)
        rows.append((number, 1.0, 1.0, 1.0, *material.repeat, material.gloss, material.glow))
    return np.array(rows, np.float32), paints.items
