"""Surroundings: tables, floors, walls, windows, pictures and clutter, drawn differently every time."""

from stamina_video.data.world.body import Material, Shape
from stamina_video.data.world.builder import Builder
from stamina_video.data.world.kinds import KINDS
from stamina_video.data.world.mesh import Mesh, block, moved, quad
from stamina_video.data.world.palette import COLOURS, WALLS, WOODS, varied
from stamina_video.data.world.space import placed
from stamina_video.data.world.texture import Colour

TABLE = 0.74  # metres from the floor


def surface(build: Builder, repeat: float = 1.0) -> Material:
    """A table top, counter or belt."""
    dice = build.dice
    name = dice.pick(("wood", "wood", "cloth", "stone", "tiles", "plain", "speckled"))
    colour = dice.pick(WOODS) if name == "wood" else dice.pick((*WALLS, *COLOURS.values()))
    return Material(
        name, varied(dice, colour, 0.08), (repeat, repeat), dice.between(0.0, 0.5), 0.0, dice.whole(0, 2**30)
    )


def table(build: Builder, width: float, depth: float, x: float = 0.0, y: float = 0.0) -> None:
    legs = [
        moved(
            block(0.06, 0.06, TABLE - 0.04),
            placed(x + sx * (width / 2 - 0.06), y + sy * (depth / 2 - 0.06), 0),
        )
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    top = moved(block(width, depth, 0.04), placed(x, y, TABLE - 0.04))
    sheet = _level(x - width / 2, x + width / 2, y - depth / 2, y + depth / 2, TABLE + 0.0006)
    wood = Material("wood", varied(build.dice, build.dice.pick(WOODS)), (1, 1), 0.2, 0.0, 3)
    build.fix(*(Shape(leg, wood) for leg in (*legs, top)), Shape(sheet, surface(build, 1.6)))


def _level(left: float, right: float, front: float, back: float, z: float) -> Mesh:
    return quad((left, front, z), (right, front, z), (right, back, z), (left, back, z))


def room(
    build: Builder, back: float, half: float = 2.6, front: float = -3.0, height: float = 2.7, x: float = 0.0
) -> None:
    """Floor and three walls with skirting, pictures, perhaps a window, around x."""
    dice = build.dice
    floor = dice.pick(("wood", "tiles", "speckled", "stone", "cloth"))
    ground = varied(dice, dice.pick(WOODS) if floor == "wood" else dice.pick(WALLS), 0.1)
    wall = Material(
        dice.pick(("plain", "plain", "speckled", "striped", "tiles")),
        varied(dice, dice.pick(WALLS), 0.06),
        (2, 2),
        0.0,
        0.0,
        dice.whole(0, 999),
    )
    if wall.surface == "striped":
        wall = Material("cloth", wall.colour, (3, 3), 0.0, 0.0, wall.seed)
    left, right = x - half, x + half
    sheets = (
        Shape(
            _level(left, right, front, back, 0.0),
            Material(floor, ground, (3, 3), dice.between(0, 0.3), 0.0, dice.whole(0, 999)),
        ),
        Shape(quad((left, back, 0), (right, back, 0), (right, back, height), (left, back, height)), wall),
        Shape(quad((left, front, 0), (left, back, 0), (left, back, height), (left, front, height)), wall),
        Shape(quad((right, back, 0), (right, front, 0), (right, front, height), (right, back, height)), wall),
        Shape(
            moved(block(2 * half, 0.02, 0.1), placed(x, back - 0.01, 0)),
            Material("plain", (0.9, 0.89, 0.87), (1, 1), 0.2),
        ),
    )
    build.fix(*sheets)
    _hang(build, x, back, half)


def _hang(build: Builder, x: float, back: float, half: float) -> None:
    """Pictures and perhaps a bright window on the back wall."""
    dice = build.dice
    at = x - half + 0.5
    while at < x + half - 0.5:
        w, h, z = dice.between(0.3, 0.9), dice.between(0.3, 0.8), dice.between(1.0, 1.6)
        if dice.chance(0.25):
            pane = Material("plain", (0.85, 0.92, 1.0), (1, 1), 0.0, 0.8)
            frame = Material("plain", (0.92, 0.92, 0.9), (1, 1), 0.2)
            build.fix(Shape(block(w + 0.1, 0.03, h + 0.1), frame), at=placed(at, back - 0.01, z - 0.05))
            build.fix(Shape(block(w, 0.02, h), pane), at=placed(at, back - 0.03, z))
            build.fix(Shape(block(0.03, 0.03, h), frame), at=placed(at, back - 0.035, z))
        elif dice.chance(0.6):
            art = Material(
                "picture",
                (dice.between(0, 1), dice.between(0, 1), dice.between(0, 1)),
                (1, 1),
                0.1,
                0.0,
                dice.whole(0, 2**30),
            )
            build.fix(Shape(block(w, 0.03, h), art), at=placed(at, back - 0.015, z))
        at += w + dice.between(0.3, 1.0)


def shelf_unit(
    build: Builder, x: float, y: float, width: float, heights: tuple[float, ...], depth: float = 0.32
) -> None:
    """Boards on two sides and a back; the heights are the boards' upper faces."""
    wood = Material(
        "wood", varied(build.dice, build.dice.pick(WOODS)), (1, 1), 0.15, 0.0, build.dice.whole(0, 999)
    )
    top = heights[-1] + 0.45
    boards = [Shape(block(width, depth, 0.025), wood) for _ in heights]
    for board, z in zip(boards, heights, strict=True):
        build.fix(board, at=placed(x, y, z - 0.025))
    for side in (-1, 1):
        build.fix(Shape(block(0.025, depth, top), wood), at=placed(x + side * width / 2, y, 0))
    build.fix(
        Shape(block(width, 0.01, top), Material("plain", _darker(wood.colour))),
        at=placed(x, y + depth / 2, 0),
    )


def _darker(colour: Colour) -> Colour:
    return (colour[0] * 0.75, colour[1] * 0.75, colour[2] * 0.75)


def clutter(build: Builder, kinds: tuple[str, ...], spots: list[tuple[float, float, float]]) -> None:
    """Things of other kinds that stay put; they are entities too, so truth about them holds."""
    for x, y, z in spots:
        kind = build.dice.pick(kinds)
        assert kind in KINDS, "clutter comes from the catalogue"
        build.prop(kind, (x, y, z, build.dice.between(0, 1), 0.0, 0.0))
