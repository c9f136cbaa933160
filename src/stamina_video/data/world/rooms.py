"""Surroundings: tables, floors, walls, windows, pictures and clutter, drawn differently every time."""

from stamina_video.data.world.body import Material, Shape
from stamina_video.data.world.builder import Builder
from stamina_video.data.world.kinds import KINDS
from stamina_video.data.world.mesh import Mesh, block, moved, quad
from stamina_video.data.world.palette import COLOURS, WALLS, WOODS, varied
from stamina_video.data.world.space import Matrix, placed
from stamina_video.data.world.texture import Colour

TABLE = 0.74  # metres from the floor

VIEWS = ("street", "greenery", "meadow", "hall", "shelves")
PAPERS: tuple[Colour, ...] = ((0.95, 0.95, 0.94), (0.95, 0.95, 0.94), (0.6, 0.75, 0.85), (0.1, 0.1, 0.11))
GROUNDS: tuple[tuple[str, Colour, float], ...] = (
    ("lawn", (0.32, 0.45, 0.18), 2.0),
    ("asphalt", (0.36, 0.36, 0.37), 1.0),
    ("asphalt", (0.5, 0.25, 0.2), 1.0),
    ("tiles", (0.52, 0.42, 0.38), 4.0),
    ("stone", (0.5, 0.47, 0.42), 1.0),
)


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
    """Floor and three walls around x; indoors with skirting, pictures, perhaps a window."""
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
    carpet = Material(floor, ground, (3, 3), dice.between(0, 0.3), 0.0, dice.whole(0, 999))
    below, behind, beside, indoors = _surroundings(build, carpet, wall)
    left, right = x - half, x + half
    build.fix(
        Shape(_level(left, right, front, back, 0.0), below),
        Shape(quad((left, back, 0), (right, back, 0), (right, back, height), (left, back, height)), behind),
        Shape(quad((left, front, 0), (left, back, 0), (left, back, height), (left, front, height)), beside),
        Shape(
            quad((right, back, 0), (right, front, 0), (right, front, height), (right, back, height)), beside
        ),
    )
    hung = _hung(build, x, back, half)
    if indoors:
        skirting = Material("plain", (0.9, 0.89, 0.87), (1, 1), 0.2)
        build.fix(Shape(block(2 * half, 0.02, 0.1), skirting), at=placed(x, back - 0.01, 0))
        for shape, at in hung:
            build.fix(shape, at=at)


def _surroundings(
    build: Builder, floor: Material, wall: Material
) -> tuple[Material, Material, Material, bool]:
    """What lies below, behind and beside, and whether that is a room: it may be a studio, or outdoors."""
    looks = build.looks
    place = looks.pick(("room", "room", "room with a view", "studio", "outdoors", "outdoors"))
    seed, tone = looks.whole(0, 2**30), looks.pick(WALLS)
    view = Material(looks.pick(VIEWS), tone, (1, 1), 0.0, 0.25, seed)
    paper = Material("plain", looks.pick(PAPERS), (1, 1), 0.0, looks.between(0.0, 0.15), seed)
    name, colour, repeat = looks.pick(GROUNDS)
    if place == "room":
        return floor, wall, wall, True
    if place == "room with a view":
        return floor, view, wall, True
    if place == "studio":
        return paper, paper, paper, False
    return Material(name, varied(looks, colour), (repeat, repeat), 0.0, 0.0, seed), view, view, False


def _hung(build: Builder, x: float, back: float, half: float) -> list[tuple[Shape, Matrix]]:
    """Pictures and perhaps a bright window for the back wall."""
    dice, hung = build.dice, []
    at = x - half + 0.5
    while at < x + half - 0.5:
        w, h, z = dice.between(0.3, 0.9), dice.between(0.3, 0.8), dice.between(1.0, 1.6)
        if dice.chance(0.25):
            pane = Material("plain", (0.85, 0.92, 1.0), (1, 1), 0.0, 0.8)
            frame = Material("plain", (0.92, 0.92, 0.9), (1, 1), 0.2)
            hung += [
                (Shape(block(w + 0.1, 0.03, h + 0.1), frame), placed(at, back - 0.01, z - 0.05)),
                (Shape(block(w, 0.02, h), pane), placed(at, back - 0.03, z)),
                (Shape(block(0.03, 0.03, h), frame), placed(at, back - 0.035, z)),
            ]
        elif dice.chance(0.6):
            colour = (dice.between(0, 1), dice.between(0, 1), dice.between(0, 1))
            print_of = build.looks.pick(("picture", *VIEWS))
            art = Material(print_of, colour, (1, 1), 0.1, 0.0, dice.whole(0, 2**30))
            hung.append((Shape(block(w, 0.03, h), art), placed(at, back - 0.015, z)))
        at += w + dice.between(0.3, 1.0)
    return hung


def shelf_unit(
    build: Builder, x: float, y: float, width: float, heights: tuple[float, ...], depth: float = 0.32
) -> None:
    """Boards on two sides and a back; the heights are the boards' upper faces."""
    wood = Material(
        "wood", varied(build.dice, build.dice.pick(WOODS)), (1, 1), 0.15, 0.0, build.dice.whole(0, 999)
    )
    top, shelf = heights[-1] + 0.45, build.landmark("shelf")
    boards = [Shape(block(width, depth, 0.025), wood) for _ in heights]
    for board, z in zip(boards, heights, strict=True):
        build.fix(board, at=placed(x, y, z - 0.025), landmark=shelf)
    for side in (-1, 1):
        upright = Shape(block(0.025, depth, top), wood)
        build.fix(upright, at=placed(x + side * width / 2, y, 0), landmark=shelf)
    build.fix(
        Shape(block(width, 0.01, top), Material("plain", _darker(wood.colour))),
        at=placed(x, y + depth / 2, 0),
        landmark=shelf,
    )


def _darker(colour: Colour) -> Colour:
    return (colour[0] * 0.75, colour[1] * 0.75, colour[2] * 0.75)


def clutter(build: Builder, kinds: tuple[str, ...], spots: list[tuple[float, float, float]]) -> None:
    """Things of other kinds that stay put; they are entities too, so truth about them holds."""
    for x, y, z in spots:
        kind = build.dice.pick(kinds)
        assert kind in KINDS, "clutter comes from the catalogue"
        build.prop(kind, (x, y, z, build.dice.between(0, 1), 0.0, 0.0))
