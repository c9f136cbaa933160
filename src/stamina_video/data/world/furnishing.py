"""What tells a kitchen from a workshop: furniture along the back wall, behind everything that is counted.

Its looks have a stream of their own: furniture covers nothing and draws nothing from the scene's dice, so
truth stays as it was.
"""

from stamina_video.data.world.body import Material, Shape
from stamina_video.data.world.builder import Builder
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.mesh import Mesh, block, disc, joined, moved
from stamina_video.data.world.palette import WOODS, varied
from stamina_video.data.world.space import placed
from stamina_video.data.world.texture import Colour

_STREAM = 1_000_087
CORNER = 0.36  # metres from the side wall to the middle of what stands there
_STEEL: Colour = (0.70, 0.71, 0.73)
_DARK: Colour = (0.12, 0.12, 0.13)
_FRONTS: tuple[Colour, ...] = ((0.93, 0.93, 0.91), (0.55, 0.62, 0.58), (0.30, 0.36, 0.45), (0.80, 0.74, 0.62))
_CHESTS: tuple[Colour, ...] = ((0.72, 0.12, 0.10), (0.12, 0.25, 0.55), (0.85, 0.60, 0.10))


def furnish(build: Builder, room: str, number: int, x: float, back: float, half: float) -> None:
    """The furniture of the room with this name around x; most rooms are known by their tables and shelves."""
    looks = Dice(build.seed, _STREAM, number)
    if room == "kitchen":
        _kitchen(build, looks, x, back, half)
    elif room == "workshop":
        _workshop(build, looks, x, back, half)


def _kitchen(build: Builder, looks: Dice, x: float, back: float, half: float) -> None:
    """A refrigerator in the corner, and cupboards with a hood between them on the wall."""
    front = Material("plain", varied(looks, looks.pick(_FRONTS), 0.04), (1, 1), 0.4)
    steel, dark = Material("plain", _STEEL, (1, 1), 0.9), Material("plain", _DARK, (1, 1), 0.3)
    tall = looks.between(1.6, 1.8)
    handles = joined(*(_front(0.03, 0.29, tall * low, tall * (low + 0.2), 0.22) for low in (0.36, 0.66)))
    cold = Material("plain", looks.pick((_STEEL, _FRONTS[0])), (1, 1), 0.7)
    build.fix(
        Shape(block(0.6, 0.5, tall), cold),
        Shape(_front(0.6, 0.25, tall * 0.6, tall * 0.62), dark),
        Shape(handles, dark),
        at=placed(x + half - CORNER, back - 0.28, 0),
    )
    for place in (-1.15, -0.6, 0.6):
        build.fix(
            Shape(block(0.53, 0.32, 0.6), front),
            Shape(_front(0.02, 0.18, 0.06, 0.16, 0.2), steel),
            at=placed(x + place, back - 0.17, 1.45),
        )
    build.fix(
        Shape(block(0.56, 0.4, 0.1), steel),
        Shape(moved(block(0.24, 0.24, 0.55), placed(0, 0.06, 0.1)), steel),
        at=placed(x, back - 0.21, 1.5),
    )


def _workshop(build: Builder, looks: Dice, x: float, back: float, half: float) -> None:
    """A chest of drawers in the corner, and a board with tools on the wall."""
    wood = Material("wood", varied(looks, looks.pick(WOODS)), (2, 1), 0.1, 0.0, looks.whole(0, 999))
    steel, dark = Material("plain", _STEEL, (1, 1), 0.9), Material("plain", _DARK, (1, 1), 0.2)
    red = Material("plain", varied(looks, looks.pick(_CHESTS), 0.04), (1, 1), 0.5)
    drawers = joined(*(_front(0.62, 0.27, 0.1 + 0.2 * k, 0.115 + 0.2 * k) for k in range(5)))
    handles = joined(*(_front(0.3, 0.29, 0.19 + 0.2 * k, 0.21 + 0.2 * k) for k in range(4)))
    build.fix(
        Shape(block(0.64, 0.5, 1.0), red),
        Shape(drawers, dark),
        Shape(handles, steel),
        at=placed(x + half - CORNER, back - 0.28, 0),
    )
    grips, blades = [], []
    for number in range(6):
        grip, blade = looks.pick((_hammer, _saw, _spanner, _driver))()
        at = placed(-0.95 + 0.38 * number, -0.05, looks.between(0.06, 0.14))
        grips.append(moved(grip, at))
        blades.append(moved(blade, at))
    build.fix(
        Shape(block(2.3, 0.03, 0.7), wood),
        Shape(joined(*grips), Material("plain", looks.pick(_CHESTS), (1, 1), 0.3)),
        Shape(joined(*blades), steel),
        at=placed(x - 0.2, back - 0.02, 1.3),
    )


def _front(width: float, out: float, low: float, high: float, aside: float = 0.0) -> Mesh:
    """A plate before what stands at the wall: so far out, from one height to another."""
    return moved(block(width, 0.02, high - low), placed(aside, -out, low))


def _hammer() -> tuple[Mesh, Mesh]:
    return block(0.03, 0.03, 0.34), moved(block(0.16, 0.05, 0.06), placed(0, 0, 0.34))


def _saw() -> tuple[Mesh, Mesh]:
    return moved(block(0.12, 0.03, 0.12), placed(0, 0, 0.36)), block(0.09, 0.01, 0.36)


def _spanner() -> tuple[Mesh, Mesh]:
    ring = moved(disc(0.05), placed(0, -0.02, 0.4, 0.0, 0.25))
    return moved(block(0.03, 0.02, 0.06), placed(0, 0, 0.02)), joined(block(0.03, 0.015, 0.38), ring)


def _driver() -> tuple[Mesh, Mesh]:
    return moved(block(0.05, 0.05, 0.16), placed(0, 0, 0.24)), block(0.015, 0.015, 0.24)
