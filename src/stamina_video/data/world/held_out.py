"""How the held-out kinds are built: vase, can, doughnut. A detector that never met them must recognise them.

A build takes as many draws as it always did; what refines looks has a stream of its own, and no scene moves.
"""

import numpy as np

from stamina_video.data.world.body import Material, Shape
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.mesh import Mesh, Outline, ball, grid_mesh, joined, lathe, moved
from stamina_video.data.world.motion import cosine, sine
from stamina_video.data.world.palette import varied
from stamina_video.data.world.space import placed, spanning
from stamina_video.data.world.texture import Colour, scale

_LOOKS_STREAM = 1_000_081
_FLOWERS = 0.15  # the share of vases that hold some; with more, detectors speak of potted plants
_METAL = Material("plain", (0.68, 0.69, 0.71), gloss=1.0)
_DARK_METAL = Material("plain", (0.42, 0.43, 0.45), gloss=1.0)
_DOUGH: Colour = (0.65, 0.36, 0.13)
_SUGAR: tuple[Colour, ...] = ((0.97, 0.96, 0.93), (0.30, 0.15, 0.08), (0.90, 0.25, 0.35), (0.95, 0.80, 0.20))
_PETALS: tuple[Colour, ...] = ((0.95, 0.94, 0.90), (0.95, 0.80, 0.25), (0.90, 0.45, 0.55), (0.85, 0.25, 0.22))
_COAT = 1.06  # the icing's radius over the dough's


def vase(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A foot, a belly, a neck and a flared lip; some hold flowers."""
    r, h, seed = dice.between(0.06, 0.078), dice.between(0.224, 0.29), dice.whole(0, 2**30)
    looks = Dice(seed, _LOOKS_STREAM)
    foot, waist = looks.between(0.33, 0.42), looks.between(0.4, 0.54)
    neck, lip = looks.between(0.34, 0.44), looks.between(0.66, 0.84)
    flowers = _flowers(looks, h * 0.64, h * 0.34) if looks.chance(_FLOWERS) else ()
    tall = h * 0.8 if flowers else h
    belly = [(foot + (1 - foot) * sine(k / 24), 0.02 + (waist - 0.02) * k / 6) for k in range(7)]
    shoulder = [
        (neck + (1 - neck) * (0.5 + 0.5 * cosine(k / 12)), waist + (0.78 - waist) * k / 6)
        for k in range(1, 7)
    ]
    flare = [(neck + (lip - neck) * (k / 5) ** 2, 0.78 + 0.042 * k) for k in range(1, 6)]
    brim = (lip * 0.9, 0.995)
    outside = ((0.0, 0.0), (foot, 0.0), *belly, *shoulder, *flare, (lip * 0.97, 1.0), brim)
    inside = (brim, *((x * 0.86, z) for x, z in reversed(flare[:-1])), (neck * 0.8, 0.76), (0.0, 0.75))
    return (
        Shape(_turned(outside, r, tall), Material(pattern, colour, (1.0, 2.0), 0.9, 0.0, seed)),
        Shape(_turned(inside, r, tall), Material("plain", scale(colour, 0.35))),
        *flowers,
    )


def _turned(outline: Outline, radius: float, height: float) -> Mesh:
    return lathe(tuple((x * radius, z * height) for x, z in outline), 28)


def _flowers(looks: Dice, low: float, long: float) -> tuple[Shape, ...]:
    """A few stems that lean out of a vase's mouth."""
    green, heads = [], []
    for number in range(looks.whole(3, 5)):
        stem = long * looks.between(0.75, 1.0)
        leaning = placed(0, 0, low, number / 5 + looks.between(0, 0.1), looks.between(0.02, 0.07))
        leaf = moved(ball(0.009, 0.003, 0.025, 8, 6), placed(0, 0, stem * 0.6, 0.1, 0.08))
        green += [
            moved(moved(ball(0.0025, 0.0025, stem / 2, 6, 4), placed(0, 0, stem / 2)), leaning),
            moved(leaf, leaning),
        ]
        heads.append(moved(moved(ball(0.018, 0.018, 0.012, 10, 6), placed(0, 0, stem)), leaning))
    return (
        Shape(joined(*green), Material("speckled", varied(looks, (0.22, 0.45, 0.18)), gloss=0.2)),
        Shape(joined(*heads), Material("speckled", varied(looks, looks.pick(_PETALS)), gloss=0.1)),
    )


def can(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A printed wall between bright ends, and a ring to pull on the lid."""
    r, h, seed = 0.033, dice.between(0.11, 0.125), dice.whole(0, 2**30)
    low, high, rim, lid = h * 0.07, h * 0.89, r * 0.86, h - 0.004
    bottom = lathe(((0.0, 0.006), (r * 0.74, 0.0), (r * 0.82, 0.0), (r, low)), 26)
    top = lathe(((r, high), (rim, h * 0.965), (rim, h), (rim - 0.002, h), (rim - 0.003, lid), (0.0, lid)), 26)
    ring = lathe(((0.004, 0.0), (0.008, 0.0), (0.008, 0.0015), (0.004, 0.0015), (0.004, 0.0)), 12)
    opening = moved(ball(0.008, 0.009, 0.0006, 10, 4), placed(rim * 0.5, 0, lid))
    surface = "label" if pattern == "plain" else pattern
    return (
        Shape(lathe(((r, low), (r, high)), 26), Material(surface, colour, (1.0, 1.0), 0.9, 0.0, seed)),
        Shape(joined(bottom, top), _METAL),
        Shape(joined(moved(ring, placed(-rim * 0.35, 0, lid)), opening), _DARK_METAL),
    )


def doughnut(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A baked ring under icing that has run unevenly, with sugar in one colour or in several."""
    big, small, seed = 0.043, 0.0204, dice.whole(0, 2**30)
    looks = Dice(seed, _LOOKS_STREAM)
    ring = tuple((big + small * cosine(k / 24), small + small * sine(k / 24)) for k in range(-12, 13))
    dough = Material("speckled", varied(looks, _DOUGH, 0.03), (6.0, 2.0), 0.15, 0.0, seed)
    icing = Material("plain", colour, (1.0, 1.0), 0.8, 0.0, seed)
    sugar = looks.shuffled(_SUGAR)[: 1 if pattern == "plain" else None]
    return (
        Shape(lathe(ring, 28), dough),
        Shape(_icing(looks, big, small), icing),
        *(Shape(_sprinkles(looks, big, small, 28 // len(sugar)), Material("plain", one)) for one in sugar),
    )


def _upon(big: float, small: float, turn: float, angle: float) -> tuple[float, float, float]:
    """A point of the icing: so far around the hole, so far up from the outside. Both in turns."""
    out = big + small * _COAT * cosine(angle)
    return (out * cosine(turn), out * sine(turn), small + small * _COAT * sine(angle))


def _icing(looks: Dice, big: float, small: float) -> Mesh:
    around, across = [k / 32 for k in range(33)], [k / 9 for k in range(10)]
    a, b, c, d = (looks.between(0, 1) for _ in range(4))
    edges = [
        (
            0.1 + 0.018 * (sine(5 * turn + a) + 0.7 * sine(9 * turn + b)),
            0.42 + 0.01 * (sine(4 * turn + c) + 0.7 * sine(7 * turn + d)),
        )
        for turn in around
    ]
    points = [
        [
            _upon(big, small, turn, outer + (inner - outer) * share)
            for turn, (outer, inner) in zip(around, edges, strict=True)
        ]
        for share in across
    ]
    return grid_mesh(np.array(points), around, across)


def _sprinkles(looks: Dice, big: float, small: float, count: int) -> Mesh:
    crumb, lying = ball(0.0016, 0.0016, 0.0048, 6, 4), []
    for number in range(count):
        turn, angle = number / count + looks.between(0, 0.04), looks.between(0.13, 0.39)
        aside = looks.between(-1, 1)
        towards = _upon(big, small, turn + 0.02 * aside, angle + 0.03 * (1 - abs(aside)))
        lying.append(moved(crumb, spanning(_upon(big, small, turn, angle), towards)))
    return joined(*lying)
