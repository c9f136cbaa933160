"""What the further kinds are put together from: colours, surfaces and small meshes."""

import numpy as np

from stamina_video.data.world.body import Material, Shape
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.mesh import Mesh, grid_mesh, lathe, moved, tube
from stamina_video.data.world.motion import cosine, sine
from stamina_video.data.world.space import Matrix, placed, spanning
from stamina_video.data.world.texture import Colour

WHITE: Colour = (0.94, 0.93, 0.9)
DARK: Colour = (0.07, 0.07, 0.08)
BRIGHT: tuple[Colour, ...] = ((0.85, 0.15, 0.15), (0.95, 0.8, 0.2), (0.2, 0.45, 0.8), (0.95, 0.94, 0.9))


def plain(colour: Colour, gloss: float = 0.2, glow: float = 0.0) -> Material:
    return Material("plain", colour, (1.0, 1.0), gloss, glow)


def coat(dice: Dice, colour: Colour, pattern: str, gloss: float = 0.4, usual: str = "plain") -> Material:
    """The main surface; `usual` is what it has instead of no pattern."""
    surface = usual if pattern == "plain" else pattern
    return Material(surface, colour, (1.0, 1.0), gloss, 0.0, dice.whole(0, 2**30))


def at(mesh: Mesh, x: float, y: float, z: float) -> Mesh:
    return moved(mesh, placed(x, y, z))


def grounded(shapes: tuple[Shape, ...], matrix: Matrix) -> tuple[Shape, ...]:
    """Turned together, then set on the ground."""
    turned = [moved(shape.mesh, matrix) for shape in shapes]
    low = min(float(mesh.points_V3[:, 2].min()) for mesh in turned)
    return tuple(
        Shape(at(mesh, 0, 0, -low), shape.material) for mesh, shape in zip(turned, shapes, strict=True)
    )


def slab(x: float, y: float, z: float, corner: float, edge: float) -> Mesh:
    """A block with rounded corners seen from above, and bevelled edges."""
    sides = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    turns = [(sx, sy, (q + k / 3) / 4) for q, (sx, sy) in enumerate(sides) for k in range(4)]
    rows = []
    for share, inset, level in (
        (0, 0, 0), (1, edge, 0), (1, 0, edge), (1, 0, z - edge), (1, edge, z), (0, 0, z),
    ):  # fmt: skip
        bend = corner - inset
        rows.append(
            [
                (
                    share * (sx * (x / 2 - corner) + bend * cosine(turn)),
                    share * (sy * (y / 2 - corner) + bend * sine(turn)),
                    level,
                )
                for sx, sy, turn in (*turns, turns[0])
            ]
        )
    return grid_mesh(np.array(rows), np.linspace(0, 1, 17).tolist(), (0.0, 0.2, 0.22, 0.78, 0.8, 1.0))


def arch(wide: float, tall: float, thick: float) -> Mesh:
    """Half a ring that stands on its two ends in the x–z plane."""
    centres = tuple((-wide * cosine(k / 24), 0.0, tall * sine(k / 24)) for k in range(13))
    return tube(centres, (thick,) * 13, 8)


def rod(start: tuple[float, float, float], end: tuple[float, float, float], thick: float) -> Mesh:
    long = sum((b - a) ** 2 for a, b in zip(start, end, strict=True)) ** 0.5
    return moved(lathe(((0, 0), (thick, 0), (thick, long), (0, long)), 10), spanning(start, end))
