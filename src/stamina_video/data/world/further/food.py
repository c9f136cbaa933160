"""How further kinds of food are built, and what it is served in."""

from stamina_video.data.world.body import Material, Shape
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.further.pieces import BRIGHT, DARK, WHITE, at, coat, grounded, plain, rod
from stamina_video.data.world.mesh import ball, block, disc, joined, lathe, moved, tube
from stamina_video.data.world.motion import cosine, sine
from stamina_video.data.world.palette import varied
from stamina_video.data.world.space import placed
from stamina_video.data.world.texture import Colour

_BROWN: Colour = (0.3, 0.19, 0.09)
_GREEN: Colour = (0.2, 0.45, 0.16)
_CRUST: Colour = (0.72, 0.47, 0.22)


def orange(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A dimpled fruit with a green button, some with a leaf."""
    r, squat = dice.between(0.035, 0.047), dice.between(0.86, 1.0)
    outline = tuple(
        (r * sine(k / 28), squat * r * (1 - cosine(k / 28) - 0.14 * max(0.0, -cosine(k / 28)) ** 12))
        for k in range(15)
    )
    top = 2 * r * squat * 0.94
    star = [moved(ball(0.006, 0.0022, 0.0015, 8, 4), placed(0, 0, top, k / 6)) for k in range(3)]
    leaf = moved(ball(r * 0.28, r * 0.6, 0.0015, 10, 6), placed(0, -r * 0.5, top + 0.006, 0, 0.02))
    green = [*star, *((leaf, rod((0, 0, top), (0, 0, top + 0.01), 0.002)) if dice.chance(0.6) else ())]
    return (
        Shape(lathe(outline, 24), coat(dice, colour, pattern, 0.35, "speckled")),
        Shape(joined(*green), plain(varied(dice, _GREEN))),
    )


def banana(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A bow that lies on its side, with a stalk and a dark tip."""
    r, bow, span = dice.between(0.015, 0.02), dice.between(0.075, 0.11), dice.between(0.24, 0.34)
    girth = (0.3, 0.36, 0.68, 0.92, 1.0, 1.02, 1.0, 0.9, 0.62, 0.3)
    along = [0.25 + span * (k / 9 - 0.5) for k in range(10)]
    centres = tuple((bow * cosine(a), 0.0, bow * (sine(a) - 0.8)) for a in along)
    ends = []
    for end, out in ((0, 0.018), (9, 0.006)):
        a = along[end]
        turn = -1 if end == 0 else 1
        x, _, z = centres[end]
        beyond = (x - turn * out * sine(a), 0.0, z + turn * out * cosine(a))
        ends.append(rod((x, 0.0, z), beyond, r * 0.32))
    skin = coat(dice, colour, pattern, 0.25)
    shapes = (
        Shape(tube(centres, tuple(r * g for g in girth), 7), skin),
        Shape(joined(*ends), plain(varied(dice, _BROWN, 0.04))),
    )
    return grounded(shapes, placed(0, 0, 0, 0, 0.25))


def carrot(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A tapering root that lies on its side, with green at the thick end."""
    long, r = dice.between(0.13, 0.17), dice.between(0.016, 0.024)
    blunt = dice.between(0.1, 0.35)
    wavy = [1 + 0.05 * sine(2.3 * k + blunt) for k in range(10)]
    root = [
        (r * (blunt + (1 - blunt) * (k / 9) ** 0.7) * wavy[k], long * (0.04 + 0.92 * k / 9))
        for k in range(10)
    ]
    mesh = lathe(((0, 0), *root, (r * 0.6, long), (0, long * 0.99)), 18)
    leaves = []
    for _ in range(dice.whole(6, 10)):
        size = dice.between(0.035, 0.06)
        leaf = at(ball(0.006, 0.004, size / 2, 8, 6), 0, 0, size / 2)
        leaves.append(moved(leaf, placed(0, 0, long * 0.97, dice.between(0, 1), dice.between(0.0, 0.08))))
    skin = coat(dice, colour, pattern, 0.25, "speckled")
    shapes = (Shape(mesh, skin), Shape(joined(*leaves), plain(varied(dice, _GREEN))))
    return grounded(grounded(shapes, placed(0, 0, 0, 0, 0.245)), placed(0, long * 0.62, 0))


def pizza(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A flat round with a baked rim, cheese in the asked colour, toppings, sometimes cuts."""
    r, h = dice.between(0.09, 0.118), dice.between(0.022, 0.03)
    rim = [(r * (0.92 + 0.08 * cosine(k / 24)), h * (0.5 + 0.5 * sine(k / 24))) for k in range(-6, 13)]
    crust = lathe(((0, 0), *rim, (0, h * 0.5)), 32)
    top = lathe(((0, 0), (r * 0.87, 0.0), (r * 0.86, h * 0.78), (r * 0.8, h * 0.84), (0, h * 0.86)), 30)
    coins, crumbs = [], []
    for _ in range(dice.whole(7, 12)):
        turn, out, size = dice.between(0, 1), r * dice.between(0.12, 0.7), dice.between(0.009, 0.014)
        coin = lathe(((0, 0), (size, 0), (size, 0.0025), (size * 0.9, 0.0032), (0, 0.0025)), 14)
        coins.append(at(coin, out * cosine(turn), out * sine(turn), h * 0.84))
    for _ in range(dice.whole(8, 20)):
        turn, out = dice.between(0, 1), r * dice.between(0.1, 0.75)
        leaf = moved(ball(0.004, 0.008, 0.0018, 8, 4), placed(0, 0, 0, dice.between(0, 1)))
        crumbs.append(at(leaf, out * cosine(turn), out * sine(turn), h * 0.9))
    cuts = [moved(block(r * 1.7, 0.0016, 0.001), placed(0, 0, h * 0.858, k / 6)) for k in range(3)]
    cheese = coat(dice, colour, pattern, 0.3, "speckled")
    dough = Material("speckled", varied(dice, _CRUST), (6.0, 1.0), 0.1, 0.0, 3)
    return (
        Shape(crust, dough),
        Shape(top, cheese),
        Shape(joined(*coins), plain(varied(dice, (0.6, 0.13, 0.08)), 0.4)),
        Shape(joined(*crumbs), plain(dice.pick((_GREEN, DARK)))),
        *((Shape(joined(*cuts), plain(_BROWN)),) if dice.chance(0.6) else ()),
    )


def cake(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """One or two tiers under cream, with cherries or candles."""
    r, tiers, iced = dice.between(0.065, 0.095), dice.whole(1, 2), dice.chance(0.4)
    h = dice.between(0.065, 0.085) if tiers == 1 else dice.between(0.045, 0.055)
    sizes = [r * (1 - 0.32 * tier) for tier in range(tiers)]
    walls, cream, top = [], [], 0.006
    for size in sizes:
        walls.append(at(lathe(((0, 0), (size, 0), (size, h * 0.9), (size * 0.97, h), (0, h)), 30), 0, 0, top))
        count = round(size * 260)
        top += h
        for k in range(count):
            x, y = size * cosine(k / count), size * sine(k / count)
            cream.append(at(ball(0.009, 0.009, 0.008, 8, 6), x * 0.91, y * 0.91, top))
            if k % 2 == 0:
                drip = dice.between(0.005, 0.014)
                cream.append(at(ball(0.007, 0.007, drip, 8, 6), x * 0.97, y * 0.97, top - drip * 0.7))
        if iced:
            cream.append(at(lathe(((size, -0.003), (size * 0.98, 0.002), (0, 0.003)), 26), 0, 0, top))
    plate = lathe(((0, 0), (r * 1.08, 0), (r * 1.18, 0.006), (r * 1.1, 0.006), (0, 0.006)), 30)
    last, lit = sizes[-1] * 0.6, dice.chance(0.5)
    count = dice.whole(3, 7)
    fire: tuple[Shape, ...] = ()
    spots = [(last * cosine(k / count), last * sine(k / count)) for k in range(count)]
    if lit:
        topping = [rod((x, y, top), (x, y, top + 0.035), 0.0032) for x, y in spots]
        flames = [at(ball(0.003, 0.003, 0.007, 8, 6), x, y, top + 0.041) for x, y in spots]
        fire = (Shape(joined(*flames), plain((1.0, 0.75, 0.25), 0.0, 0.8)),)
    else:
        topping = [at(ball(0.009, 0.009, 0.009, 10, 8), x, y, top + 0.008) for x, y in spots]
    candles = dice.pick(BRIGHT) if lit else (0.75, 0.06, 0.1)
    return (
        Shape(joined(*walls), coat(dice, colour, pattern, 0.2)),
        Shape(joined(*cream), plain(WHITE, 0.3)),
        Shape(joined(*topping), plain(candles, 0.6)),
        Shape(plate, plain((0.85, 0.85, 0.83), 0.9)),
        *fire,
    )


def wine_glass(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A foot, a thin stem and a bowl; most hold wine."""
    h, r, foot = dice.between(0.15, 0.21), dice.between(0.032, 0.043), dice.between(0.029, 0.036)
    stem, mouth = h * dice.between(0.38, 0.52), dice.between(0.72, 1.0)
    deep = h - stem
    bowl = [(r * sine(k / 24), stem + 0.45 * deep * (1 - cosine(k / 24))) for k in range(1, 7)]
    wall = [(r * (1 + (mouth - 1) * k / 4), stem + deep * (0.45 + 0.55 * k / 4)) for k in range(1, 5)]
    inside = [(x - 0.0025, z) for x, z in reversed((*bowl[2:], *wall))]
    base = ((0.0, 0.0), (foot, 0.0), (foot, 0.003), (0.007, 0.008), (0.0038, 0.02), (0.0038, stem - 0.004))
    glass = lathe((*base, *bowl, *wall, *inside, (0.0, stem + 0.012)), 26)
    wine = dice.pick(((0.35, 0.03, 0.08), (0.85, 0.75, 0.35), (0.85, 0.45, 0.4)))
    drink = Shape(at(disc(r * 0.95), 0, 0, stem + deep * 0.47), plain(wine, 0.6))
    full = dice.chance(0.7)
    return (Shape(glass, coat(dice, colour, pattern, 1.0)), *((drink,) if full else ()))


def egg_cup(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A small footed cup with an egg in it."""
    h, r, foot = dice.between(0.045, 0.065), dice.between(0.024, 0.029), dice.between(0.018, 0.026)
    waist = dice.between(0.25, 0.45)
    cup = lathe(
        ((0, 0), (foot, 0), (foot, 0.004), (0.008, h * waist * 0.6), (0.008, h * waist),
         (r * 0.75, h * (waist + 0.15)), (r * 0.97, h * 0.8), (r, h), (r - 0.003, h), (0, h * 0.6)), 22,
    )  # fmt: skip
    tall, thick = dice.between(0.026, 0.032), r - 0.0035
    shell = tuple(
        (thick * sine(k / 24), tall * (1 - cosine(k / 24)) * (1.0 if k < 6 else 1.08)) for k in range(13)
    )
    egg = at(lathe(shell, 20), 0, 0, h - tall * 0.95)
    tint = dice.pick(((0.95, 0.91, 0.84), (0.8, 0.58, 0.42)))
    return (Shape(cup, coat(dice, colour, pattern, 0.8)), Shape(egg, plain(varied(dice, tint, 0.03), 0.2)))
