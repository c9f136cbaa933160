"""How further kinds of turned things are built: round like mugs and bottles, and neither of them."""

from stamina_video.data.world.body import Shape
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.further.pieces import BRIGHT, DARK, WHITE, at, coat, plain, rod
from stamina_video.data.world.mesh import Mesh, Outline, ball, joined, lathe
from stamina_video.data.world.motion import cosine, sine
from stamina_video.data.world.palette import WOODS, varied
from stamina_video.data.world.texture import Colour, scale

_METAL: Colour = (0.7, 0.7, 0.72)


def _turned(outline: Outline, radius: float, height: float, around: int = 26) -> Mesh:
    """From the axis at the bottom to the axis at the top; shares of radius and height."""
    return lathe(tuple((x * radius, z * height) for x, z in outline), around)


def jar(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A squat body with round shoulders under a wide lid with a knob."""
    r, h = dice.between(0.042, 0.055), dice.between(0.075, 0.1)
    mouth = dice.between(0.6, 0.75)
    body = (
        (0.0, 0.0),
        (0.88, 0.0),
        (1.0, 0.1),
        (1.0, 0.66),
        (0.9, 0.8),
        (mouth, 0.88),
        (mouth, 0.92),
        (0.0, 0.92),
    )
    lid = ((mouth * 1.08, 0.9), (mouth * 1.08, 1.02), (mouth * 0.5, 1.1), (0.0, 1.12))
    knob = at(ball(r * 0.2, r * 0.2, r * 0.16, 12, 8), 0, 0, h * 1.15)
    return (
        Shape(_turned(body, r, h), coat(dice, colour, pattern, 0.7)),
        Shape(joined(_turned(lid, r, h), knob), plain(dice.pick((scale(colour, 0.5), WHITE, _METAL)), 0.5)),
    )


def candle(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A pillar of wax with a hollow top, a wick and often a flame."""
    r, h = dice.between(0.028, 0.04), dice.between(0.09, 0.15)
    wax = ((0.0, 0.0), (1.0, 0.0), (1.0, 0.97), (0.92, 1.0), (0.75, 0.97), (0.0, 0.93))
    wick = rod((0, 0, h * 0.93), (0.001, 0, h + 0.008), 0.0014)
    glow = at(ball(0.0055, 0.0055, 0.013, 10, 8), 0, 0, h + 0.02)
    flame = (Shape(glow, plain((1.0, 0.8, 0.35), 0.0, 0.9)),) if dice.chance(0.5) else ()
    return (Shape(_turned(wax, r, h), coat(dice, colour, pattern, 0.25)), Shape(wick, plain(DARK)), *flame)


def pepper_mill(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A turned pillar with a waist, a head and a bright nut on top."""
    r, h = dice.between(0.026, 0.033), dice.between(0.14, 0.2)
    waist, low = dice.between(0.45, 0.65), dice.between(0.35, 0.5)
    body = (
        (0.0, 0.0), (1.0, 0.0), (1.0, 0.12), (waist, low), (0.85, 0.66), (0.6, 0.7), (0.6, 0.73),
        (0.95, 0.8), (0.8, 0.9), (0.35, 0.94), (0.0, 0.95),
    )  # fmt: skip
    nut = at(ball(r * 0.24, r * 0.24, r * 0.22, 10, 8), 0, 0, h * 0.97)
    return (Shape(_turned(body, r, h), coat(dice, colour, pattern, 0.6)), Shape(nut, plain(_METAL, 1.0)))


def spool(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """Thread wound between two wooden discs."""
    r, h = dice.between(0.032, 0.043), dice.between(0.06, 0.09)
    full, flat = dice.between(0.62, 0.9), dice.between(0.08, 0.14)
    thread = ((full, flat), (full * 1.04, 0.5), (full, 1 - flat))
    wood = varied(dice, dice.pick(WOODS))
    ends = [
        _turned(((0.0, low), (1.0, low), (1.0, low + flat), (0.0, low + flat)), r, h)
        for low in (0.0, 1 - flat)
    ]
    return (
        Shape(_turned(thread, r, h), coat(dice, colour, pattern, 0.1, "banded")),
        Shape(joined(*ends), plain(wood, 0.3)),
    )


def tape(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A roll, lying: straight walls around a wide hole, on a core of card."""
    r, h = dice.between(0.045, 0.06), dice.between(0.025, 0.05)
    hole = dice.between(0.6, 0.72)
    roll = ((hole, 0.0), (1.0, 0.0), (1.0, 1.0), (hole, 1.0))
    core = ((hole, 1.0), (hole * 0.93, 1.0), (hole * 0.93, 0.0), (hole, 0.0))
    card = varied(dice, (0.72, 0.58, 0.4))
    return (
        Shape(_turned(roll, r, h, 30), coat(dice, colour, pattern, 0.6)),
        Shape(_turned(core, r, h, 30), plain(card)),
    )


def flower_pot(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """An empty pot: narrow foot, thick collar, earth inside."""
    r, h = dice.between(0.05, 0.068), dice.between(0.085, 0.12)
    foot, collar = dice.between(0.6, 0.72), dice.between(0.74, 0.8)
    wall = (
        (0.0, 0.0), (foot, 0.0), (0.88, collar), (1.0, collar), (1.0, 1.0), (0.9, 1.0), (0.86, 0.9),
    )  # fmt: skip
    earth = ((0.87, 0.9), (0.5, 0.93), (0.0, 0.9))
    return (
        Shape(_turned(wall, r, h), coat(dice, colour, pattern, 0.15)),
        Shape(_turned(earth, r, h), plain((0.2, 0.14, 0.1))),
    )


def skittle(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A pin to be bowled at: a belly, a neck with a ring of paint, a round head."""
    r, h = dice.between(0.036, 0.045), dice.between(0.17, 0.23)
    neck = dice.between(0.36, 0.46)
    body = (
        (0.0, 0.0), (0.55, 0.0), (0.9, 0.16), (1.0, 0.32), (0.85, 0.5), (neck, 0.68), (neck, 0.74),
        (0.55, 0.84), (0.5, 0.93), (0.28, 0.99), (0.0, 1.0),
    )  # fmt: skip
    ring = ((neck * 1.05, 0.69), (neck * 1.08, 0.71), (neck * 1.05, 0.73))
    return (
        Shape(_turned(body, r, h), coat(dice, colour, pattern, 0.7)),
        Shape(_turned(ring, r, h), plain(dice.pick(BRIGHT), 0.5)),
    )


def battery(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A sleeve with a dark end, and a small bright pole on top."""
    r, h = dice.between(0.03, 0.037), dice.between(0.1, 0.13)
    dark = dice.between(0.55, 0.8)
    pole = ((0.3, 0.98), (0.3, 1.05), (0.0, 1.05))
    end = ((1.0, dark), (1.0, 0.99), (0.9, 1.0), (0.0, 1.0))
    return (
        Shape(_turned(((0.0, 0.0), (1.0, 0.0), (1.0, dark)), r, h), coat(dice, colour, pattern, 0.5)),
        Shape(_turned(end, r, h), plain(dice.pick((DARK, scale(colour, 0.4))), 0.5)),
        Shape(_turned(pole, r, h), plain(_METAL, 1.0)),
    )


def wheel(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A toy's wheel, lying: a fat dark tyre around a painted disc with a hub."""
    r, thick = dice.between(0.05, 0.064), dice.between(0.2, 0.27)
    h = 2 * thick * r
    tyre = tuple((1 - thick + thick * cosine(k / 20), 0.5 + 0.5 * sine(k / 20)) for k in range(-10, 11))
    wide = 1 - 1.6 * thick
    disc = ((wide, 0.3), (wide, 0.62), (0.25, 0.55), (0.22, 0.8), (0.0, 0.84))
    return (
        Shape(_turned(tyre, r, h, 28), plain(varied(dice, (0.1, 0.1, 0.11), 0.03), 0.1)),
        Shape(_turned(disc, r, h, 28), coat(dice, colour, pattern, 0.5)),
    )
