"""How further kinds of toys are built, and what else is played and celebrated with."""

import numpy as np

from stamina_video.data.world.body import Material, Shape
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.further.pieces import BRIGHT, DARK, WHITE, at, coat, grounded, plain, rod, slab
from stamina_video.data.world.mesh import Mesh, ball, block, disc, joined, lathe, moved
from stamina_video.data.world.motion import cosine, sine
from stamina_video.data.world.palette import WOODS, varied
from stamina_video.data.world.space import placed
from stamina_video.data.world.texture import Colour, scale


def teddy(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A sitting bear with round ears, a pale snout and a belly."""
    s = dice.between(0.8, 1.2)
    fat, head = dice.between(0.88, 1.12), dice.between(0.9, 1.15)
    neck, up = 0.105, 0.105 + 0.045 * head
    wide = dice.between(0.0, 0.08)
    fur = [
        at(ball(0.05 * fat, 0.045 * fat, 0.06), 0, 0, 0.058),
        at(ball(0.045 * head, 0.042, 0.042), 0, 0, up),
    ]
    pads = []
    for side in (-1, 1):
        ear = side * 0.036 * head
        fur.append(at(ball(0.018, 0.01, 0.018, 12, 8), ear, 0, up + 0.036))
        pads.append(at(ball(0.011, 0.006, 0.011, 10, 6), ear, -0.007, up + 0.036))
        arm = moved(ball(0.017, 0.017, 0.042, 12, 8), placed(0, 0, 0, 0, -0.08 - wide, side * 0.12))
        fur.append(at(arm, side * 0.054 * fat, -0.02, neck - 0.025))
        leg = moved(ball(0.022, 0.022, 0.045, 12, 8), placed(0, 0, 0, side * (0.05 + wide), 0.25))
        fur.append(at(leg, side * 0.042, -0.048, 0.022))
        out = side * (0.042 + 0.04 * sine(0.05 + wide))
        pads.append(at(ball(0.015, 0.006, 0.015, 10, 6), out, -0.048 - 0.042 * cosine(0.05 + wide), 0.022))
    pads += [
        at(ball(0.02, 0.018, 0.016, 12, 8), 0, -0.036, up - 0.01),
        at(ball(0.032 * fat, 0.012, 0.036, 12, 8), 0, -0.036 * fat, 0.058),
    ]
    eyes = [at(ball(0.0052, 0.004, 0.0052, 8, 6), side * 0.017, -0.0385, up + 0.012) for side in (-1, 1)]
    nose = at(ball(0.0075, 0.005, 0.0055, 8, 6), 0, -0.054, up - 0.005)
    pale = tuple(0.45 * c + 0.5 for c in colour)
    bow = [moved(ball(0.016, 0.006, 0.01, 10, 6), placed(side * 0.014, -0.044, neck)) for side in (-1, 1)]
    shapes = (
        Shape(joined(*fur), coat(dice, colour, pattern, 0.0, "cloth")),
        Shape(joined(*pads), Material("cloth", (pale[0], pale[1], pale[2]))),
        Shape(joined(*eyes, nose), plain(DARK, 0.9)),
        *((Shape(joined(*bow), plain(dice.pick(BRIGHT))),) if dice.chance(0.5) else ()),
    )
    grown = np.eye(3, 4) * s
    return tuple(
        Shape(_unit(moved(shape.mesh, grown), shape.mesh), shape.material)
        for shape in grounded(shapes, placed(0, 0, 0))
    )


def _unit(grown: Mesh, mesh: Mesh) -> Mesh:
    """A mesh that was scaled evenly, with the normals that it had before."""
    return Mesh(grown.points_V3, mesh.normals_V3, mesh.texture_V2, mesh.triangles_T3, mesh.closed)


def frisbee(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A shallow round disc with a turned-down rim, rings on top and a printed badge."""
    r, h = dice.between(0.095, 0.12), dice.between(0.026, 0.034)
    rings = [(r * share, h * (1 + rise)) for share, rise in (
        (0.86, 0.0), (0.84, 0.06), (0.81, 0.0), (0.74, 0.0), (0.72, 0.06), (0.69, 0.0),
    )]  # fmt: skip
    edge = ((0, 0.0), (r * 0.96, 0.0), (r, h * 0.3), (r * 0.99, h * 0.62), (r * 0.93, h * 0.9))
    mesh = lathe((*edge, *rings, (r * 0.4, h * 1.02), (0, h * 1.02)), 36)
    badge = at(disc(r * dice.between(0.25, 0.42), 24), 0, 0, h * 1.05)
    print_ = Material("label", dice.pick(BRIGHT), (1.0, 1.0), 0.3, 0.0, dice.whole(0, 2**30))
    return (Shape(mesh, coat(dice, colour, pattern, 0.5)), Shape(badge, print_))


def rubber_ball(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A plain ball for one hand, dull or glossy."""
    r = dice.between(0.02, 0.045)
    return (Shape(at(ball(r, r, r, 26, 16), 0, 0, r), coat(dice, colour, pattern, dice.between(0.0, 1.0))),)


def tennis_ball(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """Felt, with a seam around it."""
    r = dice.between(0.026, 0.038)
    felt = coat(dice, colour, pattern, 0.0, "speckled")
    seam = lathe(((r * 0.99, -r * 0.04), (r * 1.008, 0.0), (r * 0.99, r * 0.04)), 30)
    tilted = placed(0, 0, r, dice.between(0, 1), dice.between(0.1, 0.4))
    return (
        Shape(at(ball(r, r, r, 26, 16), 0, 0, r), felt),
        Shape(moved(seam, tilted), plain(dice.pick((WHITE, DARK)), 0.1)),
    )


def football(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """Twelve patches on a ball, dark on a light one and light on a dark one."""
    r = dice.between(0.05, 0.085)
    skin = Shape(at(ball(r, r, r, 26, 16), 0, 0, r), coat(dice, colour, pattern, dice.between(0.1, 0.8)))
    ink = plain(DARK if sum(colour) > 1.2 else WHITE, 0.4)
    cap = lathe(tuple((r * 1.006 * sine(k / 90), r * 1.006 * cosine(k / 90)) for k in range(5, -1, -1)), 10)
    lean, spin = dice.between(0, 1), dice.between(0, 1)
    patches = [cap, moved(cap, placed(0, 0, 0, 0, 0.5))]
    for row, start in ((0.1762, 0.0), (0.3238, 0.1)):  # the corners of an icosahedron, in turns
        patches += [moved(cap, placed(0, 0, 0, start + k / 5, row)) for k in range(5)]
    return (skin, Shape(moved(joined(*patches), placed(0, 0, r, spin, lean)), ink))


def toy_block(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A brick with studs, or a cube with a framed picture on each side."""
    if dice.chance(0.5):
        pitch, along, h = dice.between(0.024, 0.029), dice.whole(2, 4), dice.between(0.04, 0.055)
        stud = lathe(((0, 0), (pitch * 0.3, 0), (pitch * 0.3, pitch * 0.2), (0, pitch * 0.22)), 14)
        studs = [
            at(stud, pitch * (i - (along - 1) / 2), pitch * (j - 0.5), h)
            for i in range(along)
            for j in (0, 1)
        ]
        glossy = coat(dice, colour, pattern, 0.7)
        return (Shape(block(pitch * along, pitch * 2, h), glossy), Shape(joined(*studs), plain(colour, 0.7)))
    size = dice.between(0.045, 0.06)
    frame = size * dice.between(0.68, 0.8)
    inset = [at(block(frame, size + 0.0015, frame), 0, 0, (size - frame) / 2)]
    inset += [
        at(block(size + 0.0015, frame, frame), 0, 0, (size - frame) / 2),
        block(frame, frame, size + 0.0008),
    ]
    sign = Material("label", dice.pick(BRIGHT), (1.0, 1.0), 0.2, 0.0, dice.whole(0, 2**30))
    cube = slab(size, size, size, size * 0.08, size * 0.05)
    return (Shape(cube, coat(dice, colour, pattern, 0.3)), Shape(joined(*inset), sign))


def spinning_top(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A turned body on a point, upright, with rings and a stick to twirl."""
    r, h = dice.between(0.036, 0.052), dice.between(0.045, 0.06)
    belly = h * dice.between(0.5, 0.68)
    body = lathe(
        (
            (0.002, 0.008),
            (r * 0.45, belly * 0.55),
            (r * 0.94, belly * 0.92),
            (r, belly),
            (r * 0.92, belly * 1.08),
            (r * 0.4, h * 0.93),
            (0, h),
        ),
        28,
    )
    ring = lathe(
        (
            (r * 0.97, belly * 0.96),
            (r * 1.03, belly * 0.98),
            (r * 1.03, belly * 1.03),
            (r * 0.94, belly * 1.06),
        ),
        28,
    )
    tip = lathe(((0, 0), (0.003, 0.004), (0.006, 0.014), (0, 0.016)), 10)
    stick = rod((0, 0, h * 0.9), (0, 0, h + dice.between(0.025, 0.035)), 0.0045)
    knob = at(ball(0.008, 0.008, 0.007, 12, 8), 0, 0, h + 0.028)
    return (
        Shape(body, coat(dice, colour, pattern, 0.7)),
        Shape(joined(ring, tip), plain(dice.pick(BRIGHT), 0.5)),
        Shape(joined(stick, knob), plain(varied(dice, dice.pick(WOODS)), 0.4)),
    )


def party_hat(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A paper cone with a tuft on its tip and a fringe around its foot."""
    h, r = dice.between(0.13, 0.18), dice.between(0.042, 0.058)
    paper = lathe(((0, 0), (r, 0), (r * 0.05, h), (0, h)), 26)
    tuft = dice.between(0.011, 0.017)
    fuzz = [at(ball(tuft, tuft, tuft, 12, 8), 0, 0, h)]
    if dice.chance(0.6):
        fuzz += [
            at(ball(0.008, 0.008, 0.007, 8, 6), r * cosine(k / 18), r * sine(k / 18), 0.007)
            for k in range(18)
        ]
    surface = coat(dice, colour, pattern, 0.3, dice.pick(("dotted", "striped", "plain")))
    return (Shape(paper, surface), Shape(joined(*fuzz), plain(dice.pick(BRIGHT), 0.0)))


def bell(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    """A hand bell: a flared mouth, a shoulder and a turned handle."""
    r, h = dice.between(0.038, 0.052), dice.between(0.062, 0.08)
    profile = (
        (0.9, 0.0),
        (1.0, 0.0),
        (0.98, 0.07),
        (0.82, 0.22),
        (0.7, 0.45),
        (0.63, 0.7),
        (0.5, 0.88),
        (0.24, 0.98),
        (0, 1.0),
    )
    body = lathe(((0, 0.004), *((x * r, z * h) for x, z in profile)), 26)
    band = lathe(((r * 0.84, h * 0.2), (r * 0.88, h * 0.23), (r * 0.83, h * 0.27)), 26)
    grip, tall = dice.between(0.008, 0.012), dice.between(0.05, 0.075)
    turned = (
        (0, 0),
        (0.5, 0),
        (0.55, 0.1),
        (0.9, 0.3),
        (1.0, 0.55),
        (0.75, 0.75),
        (0.7, 0.8),
        (1.0, 0.9),
        (0.7, 1.0),
        (0, 1.0),
    )
    handle = lathe(tuple((x * grip, h * 0.97 + z * tall) for x, z in turned), 16)
    metal = plain(scale(colour, 0.65), 1.0)
    return (
        Shape(body, coat(dice, colour, pattern, 1.0)),
        Shape(band, metal),
        Shape(handle, plain(varied(dice, dice.pick(WOODS)), 0.4)),
    )
