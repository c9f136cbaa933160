"""How further kinds of household goods and street furniture are built."""

from stamina_video.data.world.body import Material, Shape
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.further.pieces import (
    BRIGHT,
    DARK,
    WHITE,
    arch,
    at,
    coat,
    grounded,
    plain,
    rod,
    slab,
)
from stamina_video.data.world.mesh import ball, block, disc, joined, lathe, moved, tube
from stamina_video.data.world.motion import cosine, sine
from stamina_video.data.world.palette import WOODS, varied
from stamina_video.data.world.space import placed
from stamina_video.data.world.texture import Colour, scale

_FACING = 0.25  # a pitch: what was built lying on its back stands up and faces −y
_STEEL: Colour = (0.66, 0.67, 0.69)


def clock(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A face with marks and hands, on two feet; some have bells."""
    r, thick, bells = dice.between(0.05, 0.075), dice.between(0.03, 0.05), dice.chance(0.5)
    rim = dice.between(0.66, 0.8)
    case = lathe(
        ((0, 0), (r * 0.85, 0), (r, thick * 0.2), (r, thick * 0.9), (r * 0.96, thick), (r * rim, thick),
         (r * rim, thick * 0.9), (0, thick * 0.9)), 32,
    )  # fmt: skip
    face = at(disc(r * rim * 0.99, 28), 0, 0, thick * 0.92)
    marks = [
        moved(block(r * 0.05, r * (0.15 if k % 3 == 0 else 0.08), 0.002), placed(
            r * rim * 0.82 * sine(k / 12), r * rim * 0.82 * cosine(k / 12), thick * 0.92, -k / 12))
        for k in range(12)
    ]  # fmt: skip
    hands = []
    for long, wide in ((0.32, 0.09), (0.48, 0.055)):
        hand = at(block(r * wide, r * (long + 0.1), 0.0025), 0, r * (long / 2 - 0.05), 0)
        hands.append(moved(hand, placed(0, 0, thick * 0.93, dice.between(0, 1))))
    shapes = [Shape(case, coat(dice, colour, pattern, 0.6)), Shape(face, plain(WHITE, 0.3))]
    shapes.append(Shape(joined(*marks, *hands), plain(DARK)))
    upright = placed(0, thick / 2, r + 0.012, 0, _FACING)
    shapes = [Shape(moved(shape.mesh, upright), shape.material) for shape in shapes]
    feet = [rod((side * r * 0.5, 0, 0.03), (side * r * 0.75, 0, -0.002), 0.006) for side in (-1, 1)]
    shapes.append(Shape(joined(*feet), plain(_STEEL, 0.9)))
    if bells:
        dome = lathe(((0, 0), (r * 0.36, 0), (r * 0.3, r * 0.16), (r * 0.15, r * 0.26), (0, r * 0.28)), 16)
        pair = [
            moved(dome, placed(side * r * 0.58, 0, r * 1.82 + 0.012, 0, 0, side * 0.09)) for side in (-1, 1)
        ]
        pair.append(at(arch(r * 0.6, r * 0.5, 0.003), 0, 0, 2 * r))
        shapes.append(Shape(joined(*pair), plain(_STEEL, 1.0)))
    return grounded(tuple(shapes), placed(0, 0, 0))


def suitcase(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """Upright, with a handle on top: with straps and locks, or with ribs and wheels."""
    wheeled = dice.chance(0.5)
    if wheeled:
        w, d, h = dice.between(0.1, 0.13), dice.between(0.05, 0.07), dice.between(0.14, 0.17)
    else:
        w, d, h = dice.between(0.15, 0.19), dice.between(0.045, 0.065), dice.between(0.11, 0.14)
    lift = 0.014 if wheeled else 0.0
    body = moved(slab(w, h, d, w * 0.12, 0.006), placed(0, d / 2, h / 2 + lift, 0, _FACING))
    top = h + lift
    dark, metal = [], []
    if wheeled:
        ribs = [
            at(block(0.006, d + 0.006, h * 0.86), w * k / 6, 0, lift + h * 0.07) for k in (-2, -1, 0, 1, 2)
        ]
        dark += [
            at(ball(0.009, 0.009, 0.009, 10, 6), x * w * 0.38, y * d * 0.3, 0.009)
            for x in (-1, 1)
            for y in (-1, 1)
        ]
        metal += [rod((x * w * 0.22, 0, top - 0.004), (x * w * 0.22, 0, top + 0.05), 0.003) for x in (-1, 1)]
        dark.append(at(block(w * 0.5, 0.012, 0.01), 0, 0, top + 0.048))
    else:
        ribs = []
        dark += [at(slab(w * 0.07, d + 0.005, h + 0.003, 0.002, 0.001), x * w * 0.3, 0, 0) for x in (-1, 1)]
        dark.append(at(arch(w * 0.16, 0.03, 0.005), 0, 0, top - 0.003))
        metal += [at(block(w * 0.09, 0.006, 0.016), x * w * 0.3, -d / 2 - 0.002, h * 0.72) for x in (-1, 1)]
    seam = moved(
        slab(w + 0.003, h + 0.003, 0.004, w * 0.12, 0.001), placed(0, 0.002, h / 2 + lift, 0, _FACING)
    )
    leather = scale(dice.pick(WOODS), 0.6) if not wheeled else DARK
    shell = coat(dice, colour, pattern, 0.5)
    return grounded(
        (
            Shape(joined(body), shell),
            *((Shape(joined(*ribs), plain(scale(colour, 0.85), 0.5)),) if ribs else ()),
            Shape(joined(seam, *dark), plain(leather)),
            Shape(joined(*metal), plain(_STEEL, 1.0)),
        ),
        placed(0, 0, 0),
    )


def hydrant(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A flanged post with a domed bonnet, a nut, and capped outlets."""
    h, r = dice.between(0.18, 0.26), dice.between(0.034, 0.042)
    outline = (
        (0, 0), (1.45, 0), (1.45, 0.05), (1.05, 0.06), (1.0, 0.1), (1.0, 0.56), (1.3, 0.58), (1.3, 0.64),
        (1.08, 0.66), (1.08, 0.7), (1.0, 0.78), (0.78, 0.86), (0.4, 0.92), (0.22, 0.93), (0.22, 1.0),
        (0, 1.0),
    )  # fmt: skip
    post = lathe(tuple((x * r, z * h) for x, z in outline), 24)
    out, lid, wide = dice.between(1.45, 1.75) * r, [], dice.between(0.4, 0.52) * r
    arms, level = [], h * dice.between(0.42, 0.48)
    for x, y, big in ((-1, 0, 1.0), (1, 0, 1.0), (0, -1, 1.35)):
        arms.append(rod((0, 0, level), (x * out, y * out, level), wide * big))
        lid.append(
            rod(
                (x * out * 0.9, y * out * 0.9, level),
                (x * (out + 0.008), y * (out + 0.008), level),
                wide * big * 1.25,
            )
        )
        lid.append(rod((x * out, y * out, level), (x * (out + 0.016), y * (out + 0.016), level), wide * 0.4))
    bolts = [
        at(ball(0.004, 0.004, 0.004, 6, 4), 1.2 * r * cosine(k / 8), 1.2 * r * sine(k / 8), h * 0.645)
        for k in range(8)
    ]
    caps = dice.pick((_STEEL, scale(colour, 0.6), WHITE))
    return (
        Shape(joined(post, *arms), coat(dice, colour, pattern, 0.5)),
        Shape(joined(*lid, *bolts), plain(caps, 0.6)),
    )


def phone(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """Propped up: a coloured case with cameras behind, a lit screen in front."""
    w, h, d = dice.between(0.066, 0.08), dice.between(0.132, 0.16), dice.between(0.008, 0.012)
    body = slab(w, h, d, w * 0.13, 0.002)
    edge = dice.between(0.86, 0.93)
    screen = at(slab(w * edge, h * (edge + 0.04), 0.0008, w * 0.1, 0.0003), 0, 0, d)
    icons = [
        at(
            block(w * 0.13, w * 0.13, 0.0008),
            w * 0.21 * (k % 4 - 1.5),
            h * (0.3 - 0.13 * (k // 4)),
            d + 0.0006,
        )
        for k in range(dice.whole(8, 20))
    ]
    lens = [
        at(
            lathe(((0, -0.003), (0.006, -0.003), (0.006, 0.0), (0, 0.0)), 12),
            -w * 0.28,
            h * (0.4 - 0.1 * k),
            0,
        )
        for k in range(dice.whole(1, 3))
    ]
    lit = Material("picture", colour, (1.0, 1.0), 0.9, 0.25, dice.whole(0, 2**30))
    shapes = (
        Shape(body, coat(dice, colour, pattern, 0.6)),
        Shape(screen, lit if dice.chance(0.7) else plain((0.03, 0.03, 0.04), 1.0)),
        Shape(joined(*icons), plain(dice.pick(BRIGHT), 0.5, 0.3)),
        Shape(joined(*lens), plain(DARK, 1.0)),
    )
    lean = grounded(shapes, placed(0, 0.0, h / 2, 0, _FACING - dice.between(0.03, 0.06)))
    stand = slab(w * 0.7, 0.06, 0.01, 0.008, 0.002)
    return (*lean, Shape(at(stand, 0, -0.0, 0), plain((0.25, 0.25, 0.27), 0.4)))


def laptop(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """Open: keys on the base, a lit screen in the lid."""
    w, d = dice.between(0.17, 0.22), dice.between(0.115, 0.145)
    base = slab(w, d, 0.011, 0.008, 0.002)
    keys = [
        at(
            block(w * 0.068, d * 0.085, 0.0018),
            w * 0.083 * (k % 11 - 5),
            d * (0.3 - 0.115 * (k // 11)),
            0.011,
        )
        for k in range(44)
    ]
    pad = at(block(w * 0.3, d * 0.2, 0.0008), 0, -d * 0.34, 0.011)
    hinge = placed(0, d / 2 - 0.004, 0.011, 0, _FACING - dice.between(0.01, 0.08))
    lid = at(slab(w, d, 0.006, 0.008, 0.002), 0, d / 2, -0.006)
    screen = at(slab(w * 0.92, d * 0.88, 0.001, 0.004, 0.0004), 0, d / 2, 0.0)
    badge = at(lathe(((0, 0), (0.012, 0), (0, 0.001)), 16), 0, d / 2, -0.0075)
    shown = varied(dice, dice.pick(((0.25, 0.45, 0.75), (0.1, 0.12, 0.2), (0.8, 0.85, 0.9), (0.2, 0.5, 0.4))))
    lit = Material("picture", shown, (1.0, 1.0), 0.5, 0.35, dice.whole(0, 2**30))
    shell = coat(dice, colour, pattern, 0.6)
    return (
        Shape(joined(base, moved(lid, hinge)), shell),
        Shape(joined(*keys), plain((0.1, 0.1, 0.11))),
        Shape(joined(pad, moved(badge, hinge)), plain((0.75, 0.75, 0.77), 0.7)),
        Shape(moved(screen, hinge), lit),
    )


def umbrella(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """Open and leaning on its rim, with ribs and a hooked handle."""
    r, deep, long = dice.between(0.095, 0.118), dice.between(0.04, 0.06), dice.between(0.13, 0.17)
    over = [(r * cosine(k / 24), long - deep + deep * sine(k / 24)) for k in range(7)]
    under = [(max(x - 0.003, 0.0), z - 0.003) for x, z in reversed(over)]
    canopy = lathe((*under, *over), dice.pick((8, 8, 10, 24)))
    hook = dice.between(0.012, 0.017)
    bend = tuple((hook * (1 - cosine(k / 16)), 0.0, -hook * sine(k / 16)) for k in range(9))
    ribs = [
        rod((0, 0, long * 0.75), (r * 0.6 * cosine(k / 8), r * 0.6 * sine(k / 8), long - deep * 0.45), 0.0014)
        for k in range(8)
    ]
    shapes = (
        Shape(canopy, coat(dice, colour, pattern, 0.2)),
        Shape(joined(rod((0, 0, 0), (0, 0, long + 0.018), 0.003), *ribs), plain(_STEEL, 0.9)),
        Shape(tube(bend, (0.0048,) * 9, 8), plain(varied(dice, dice.pick(WOODS)))),
    )
    return grounded(grounded(shapes, placed(0, 0, 0, 0, dice.between(0.13, 0.17))), placed(0, long * 0.4, 0))


def cone(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A traffic cone: a square foot, a hollow tip, pale bands."""
    h, r, tip = dice.between(0.16, 0.24), dice.between(0.045, 0.06), dice.between(0.14, 0.24)
    foot = slab(r * 2.6, r * 2.6, 0.012, r * 0.3, 0.003)

    def wide(share: float) -> float:
        return r * (1 + (tip - 1) * share)

    body = lathe(((0, 0.01), (r, 0.01), (wide(1), h), (wide(1) * 0.7, h), (0, h * 0.94)), 24)
    bands = []
    for low in dice.pick(((0.35, 0.65), (0.45,), (0.3, 0.6))):
        high = low + dice.between(0.13, 0.2)
        rims = [(wide(share) + 0.0012, 0.01 + (h - 0.01) * share) for share in (low, high)]
        bands.append(lathe(((rims[0][0] - 0.002, rims[0][1]), *rims, (rims[1][0] - 0.002, rims[1][1])), 24))
    base = DARK if dice.chance(0.4) else colour
    return (
        Shape(body, coat(dice, colour, pattern, 0.3)),
        Shape(foot, plain(base)),
        Shape(joined(*bands), plain(WHITE, 0.5)),
    )


def bucket(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """Wider at the top, hollow, with a wire bail that stands up or leans on the rim."""
    r, h, foot = dice.between(0.06, 0.078), dice.between(0.1, 0.135), dice.between(0.66, 0.8)
    outside = ((0, 0), (r * foot, 0), (r * foot, 0.004), (r, h * 0.94), (r * 1.06, h * 0.94), (r * 1.06, h))
    inside = ((r * 0.97, h), (r * 0.95, h * 0.94), (r * foot * 0.95, 0.012), (0, 0.01))
    wall = lathe((*outside, (r * 0.97, h)), 28)
    bail = moved(
        arch(r * 1.05, r * dice.between(0.8, 1.1), 0.0026),
        placed(0, 0, h * 0.9, 0, dice.between(-0.06, 0.06)),
    )
    ears = [at(ball(0.006, 0.009, 0.009, 8, 6), side * r * 1.05, 0, h * 0.9) for side in (-1, 1)]
    return (
        Shape(wall, coat(dice, colour, pattern, 0.5)),
        Shape(lathe(inside, 28), plain(scale(colour, 0.7), 0.3)),
        Shape(joined(bail, *ears), plain(_STEEL, 0.9)),
    )


def desk_lamp(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A round foot, a jointed arm and a tilted shade with a bulb."""
    foot, low, reach = dice.between(0.045, 0.06), dice.between(0.1, 0.13), dice.between(0.06, 0.09)
    back, rise = dice.between(0.015, 0.04), dice.between(0.07, 0.1)
    elbow, head = (-back, 0.0, low), (reach - back, 0.0, low + rise)
    base = lathe(((0, 0), (foot, 0), (foot, 0.008), (foot * 0.8, 0.014), (0, 0.016)), 26)
    arm = [
        rod((0, 0, 0.01), elbow, 0.0038),
        rod(elbow, head, 0.0038),
        at(ball(0.008, 0.008, 0.008, 10, 6), *elbow),
    ]
    mouth, deep = dice.between(0.036, 0.048), dice.between(0.05, 0.065)
    outside = (
        (mouth, 0),
        (mouth * 0.8, deep * 0.4),
        (mouth * 0.4, deep * 0.8),
        (mouth * 0.35, deep),
        (0, deep),
    )
    inside = ((0, deep * 0.7), (mouth * 0.35, deep * 0.7), (mouth * 0.95, 0))
    hung = placed(head[0] + 0.012, 0, head[2] - deep * 0.75, 0, 0, -dice.between(0.04, 0.12))
    bulb = moved(at(ball(0.016, 0.016, 0.02, 12, 8), 0, 0, deep * 0.25), hung)
    return (
        Shape(moved(lathe(outside, 24), hung), coat(dice, colour, pattern, 0.6)),
        Shape(base, plain(colour, 0.6)),
        Shape(moved(lathe(inside, 24), hung), plain(WHITE, 0.4, 0.3)),
        Shape(joined(*arm), plain(dice.pick((_STEEL, DARK, colour)), 0.9)),
        Shape(bulb, plain((1.0, 0.93, 0.7), 0.0, 0.9)),
    )
