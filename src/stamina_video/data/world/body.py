"""What stands in a scene: shapes with materials, moved by a rig. Descriptions only; nothing is drawn here."""

from dataclasses import dataclass
from typing import Protocol

from stamina_video.data.world.mesh import Mesh
from stamina_video.data.world.motion import Track
from stamina_video.data.world.space import Matrix, placed
from stamina_video.data.world.texture import Colour


@dataclass(frozen=True, slots=True)
class Material:
    """How a surface looks. `surface` names a texture, `seed` its variant, `glow` is light of its own."""

    surface: str
    colour: Colour
    repeat: tuple[float, float] = (1.0, 1.0)
    gloss: float = 0.0
    glow: float = 0.0
    seed: int = 0
    soft: float = 0.0  # metres that folds rise and fall


@dataclass(frozen=True, eq=False, slots=True)
class Shape:
    mesh: Mesh
    material: Material


@dataclass(frozen=True, slots=True)
class Entity:
    """A physical individual. Two look-alikes differ in their id alone."""

    id: int
    kind: str
    colour: str = ""
    pattern: str = "plain"


class Rig(Protocol):
    """Where each shape of a body is at a time."""

    def pose(self, time: float) -> list[Matrix]: ...


@dataclass(frozen=True, slots=True)
class Rigid:
    """All shapes together along one track of x, y, z, yaw, pitch, roll."""

    track: Track
    shapes: int

    def pose(self, time: float) -> list[Matrix]:
        return [placed(*self.track.at(time))] * self.shapes


@dataclass(frozen=True, eq=False, slots=True)
class Fixed:
    """Shapes that never move."""

    matrices: tuple[Matrix, ...]

    def pose(self, time: float) -> list[Matrix]:  # noqa: ARG002  a rig is asked for a time
        return list(self.matrices)


@dataclass(frozen=True, eq=False, slots=True)
class Body:
    """Shapes and their rig; a countable body names its entity.

    What things pass, enter or stand on is a landmark: it is no target, but eyes may learn to see it.
    """

    shapes: tuple[Shape, ...]
    rig: Rig
    entity: Entity | None = None
    landmark: Entity | None = None  # bodies that make up one landmark share it
