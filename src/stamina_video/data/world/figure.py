"""People: a skeleton of limbs that walks, crouches, swings its arms and reaches."""

from dataclasses import dataclass

from stamina_video.data.world.arm import LOWER, UPPER, arm_shapes, reach_pose
from stamina_video.data.world.body import Material, Shape
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.mesh import Mesh, ball, joined, lathe, limb, moved
from stamina_video.data.world.motion import Track, Vector, cosine, sine, still
from stamina_video.data.world.palette import HAIR, PAINTS, SKIN, varied
from stamina_video.data.world.space import Matrix, bent, chained, placed, spanning

THIGH, SHIN, ANKLE, HIP = 0.43, 0.42, 0.08, 0.10  # metres; HIP is half the distance of the hips
SHOULDER, CHEST = 0.175, 0.48  # half the shoulders' width, and their height above the hips

FOLDS = 0.006  # metres that clothes stand out and hang

_NONE, _HANGING = still(0.0), still(0.0, 0.03, 0.04)


@dataclass(frozen=True, slots=True)
class Figure:
    """Tracks of one body. The root holds x, y, yaw (facing +y at zero), metres walked, and how much it walks.

    An arm's swing holds turns forward, turns outward and the elbow's bend; an arm that reaches follows
    the grasped point and the curl of its fingers instead.
    """

    root: Track
    crouch: Track = _NONE
    left: Track = _HANGING
    right: Track = _HANGING
    left_reach: Track | None = None
    right_reach: Track | None = None
    seat: float = 0.0  # how much lower the hips are than standing: sitting, or a short person
    bend: Track = _NONE  # turns the trunk leans forward
    spread: Track = _NONE  # metres each foot stands further out

    def pose(self, time: float) -> list[Matrix]:
        x, y, yaw, walked, walking = self.root.at(time)
        crouch, spread = self.crouch.at(time)[0], self.spread.at(time)[0]
        stride = walked / 1.35
        bob = 0.02 * walking * abs(sine(stride)) + 0.48 * crouch + 0.3 * spread * spread
        base = placed(x, y, 0.0, yaw)
        height = THIGH + SHIN + ANKLE - 0.015 - bob - self.seat
        hips = chained(base, placed(0, -0.16 * crouch, height, 0.012 * walking * sine(stride), 0.0))
        lean = -0.10 * crouch - 0.008 * walking - self.bend.at(time)[0]
        trunk = chained(hips, placed(0, 0, 0, -0.02 * walking * sine(stride), lean))
        pose = [hips, trunk, chained(trunk, placed(0, 0.0, CHEST, 0, -lean * 0.6))]
        pose += [pose[-1]] * 3
        for side, phase in ((-1, 0.0), (1, 0.5)):
            pose += _leg(
                base,
                hips,
                side * (HIP + 0.02 + spread),
                side,
                sine(stride + phase) * walking,
                cosine(stride + phase) * walking,
            )
        swings = ((-1, self.left, self.left_reach, 0.5), (1, self.right, self.right_reach, 0.0))
        for side, swing, reach, phase in swings:
            shoulder = chained(trunk, placed(side * SHOULDER, 0, CHEST - 0.03))
            if reach is None:
                pose += _swung(shoulder, side, swing.at(time), 0.07 * walking * sine(stride + phase))
            else:
                gx, gy, gz, curl = reach.at(time)
                pole = _turned(base, (side * 0.7, -0.2, -0.8))
                pose += reach_pose(_origin(shoulder), (gx, gy, gz), curl, pole)
        return pose


def _leg(base: Matrix, hips: Matrix, out: float, side: int, forward: float, lift: float) -> list[Matrix]:
    hip = _origin(chained(hips, placed(side * HIP, 0, -0.02)))
    ankle = _origin(chained(base, placed(out, 0.36 * forward, ANKLE + 0.12 * max(lift, 0.0))))
    knee = bent(hip, ankle, THIGH, SHIN, _turned(base, (0.12 * side, 1.0, 0.15)))
    along = _turned(base, (1.0, 0.0, 0.0))
    foot = base.copy()
    foot[:, 3] = ankle
    return [spanning(hip, knee, along), spanning(knee, ankle, along), foot]


def _swung(shoulder: Matrix, side: int, swing: Vector, walk: float) -> list[Matrix]:
    forward, outward, elbow = swing
    upper = chained(
        shoulder, chained(placed(0, 0, 0, 0, 0, -side * outward), placed(0, 0, 0, 0, 0.5 + forward + walk))
    )
    lower = chained(upper, placed(0, 0, UPPER, 0, elbow + max(walk, 0.0)))
    return [upper, lower, chained(lower, placed(0, 0, LOWER + 0.06))]


def _origin(matrix: Matrix) -> Vector:
    return tuple(float(value) for value in matrix[:, 3])


def _turned(matrix: Matrix, vector: Vector) -> Vector:
    return tuple(
        float(matrix[i, 0] * vector[0] + matrix[i, 1] * vector[1] + matrix[i, 2] * vector[2])
        for i in range(3)
    )


def figure_shapes(dice: Dice, shirt: str, reaching: tuple[bool, bool] = (False, False)) -> tuple[Shape, ...]:
    """A dressed body in the order of `Figure.pose`: trunk, head, legs, left arm, right arm."""
    skin = Material("plain", varied(dice, dice.pick(SKIN), 0.03), (1, 1), 0.12, 0.0, 5)
    top = Material(
        dice.pick(("cloth", "plain", "cloth")),
        varied(dice, PAINTS[shirt], 0.04),
        (2, 2),
        0.0,
        0.0,
        dice.whole(0, 99),
        FOLDS,
    )
    trousers = Material(
        "cloth",
        varied(dice, dice.pick(((0.15, 0.18, 0.3), (0.2, 0.2, 0.2), (0.5, 0.42, 0.3), (0.3, 0.33, 0.38)))),
        (3, 3),
        0.0,
        0.0,
        dice.whole(0, 99),
        FOLDS,
    )
    hair = Material("speckled", dice.pick(HAIR), (2, 2), 0.2, 0.0, 3)
    shoe = Material("plain", dice.pick(((0.1, 0.1, 0.1), (0.9, 0.9, 0.9), (0.35, 0.2, 0.1))), (1, 1), 0.3)
    dark = Material("plain", (0.05, 0.04, 0.04), (1, 1), 0.8)
    bare = dice.chance(0.6)
    legs = (
        Shape(limb(THIGH, 0.088, 0.058, 1.05), trousers),
        Shape(limb(SHIN, 0.056, 0.040, 1.12), trousers),
        Shape(moved(ball(0.045, 0.13, 0.045, 12, 8), placed(0, 0.06, -0.045)), shoe),
    )
    arms = [arm_shapes(top, skin, bare) if reach else _plain_arm(top, skin, bare) for reach in reaching]
    return (
        Shape(ball(0.165, 0.125, 0.12, 18, 10), trousers),
        Shape(_trunk(), top),
        *_head(dice, skin, hair, dark),
        *legs,
        *legs,
        *arms[0],
        *arms[1],
    )


def _plain_arm(sleeve: Material, skin: Material, bare: bool) -> tuple[Shape, ...]:
    return (
        Shape(limb(UPPER, 0.056, 0.043, 1.08), sleeve),
        Shape(limb(LOWER, 0.042, 0.027, 1.1), skin if bare else sleeve),
        Shape(ball(0.036, 0.022, 0.085, 10, 8), skin),
    )


def _trunk() -> Mesh:
    outline = (
        (0.0, -0.10), (0.14, -0.09), (0.165, -0.02), (0.155, 0.08), (0.148, 0.16), (0.165, 0.28),
        (0.192, 0.38), (0.195, 0.44), (0.165, 0.49), (0.10, 0.52), (0.06, 0.54), (0.0, 0.545),
    )  # fmt: skip
    return lathe(outline, 20, 0.62)


def _head(dice: Dice, skin: Material, hair: Material, dark: Material) -> tuple[Shape, ...]:
    """Neck and head, hair, eyes, ears and nose; the origin is the base of the neck."""
    neck = limb(0.1, 0.055, 0.05)
    skull = moved(ball(0.078, 0.095, 0.118, 18, 14), placed(0, 0.015, 0.19))
    nose = moved(ball(0.012, 0.018, 0.022, 8, 6), placed(0, 0.108, 0.18))
    ears = [moved(ball(0.012, 0.022, 0.032, 8, 6), placed(side * 0.078, 0.005, 0.185)) for side in (-1, 1)]
    eyes = [moved(ball(0.011, 0.008, 0.009, 8, 6), placed(side * 0.032, 0.098, 0.205)) for side in (-1, 1)]
    brows = [moved(ball(0.018, 0.008, 0.005, 8, 6), placed(side * 0.032, 0.098, 0.228)) for side in (-1, 1)]
    cap = moved(ball(0.085, 0.098, 0.105, 18, 12), placed(0, -0.012, 0.222))
    locks = [moved(ball(0.08, 0.05, 0.12, 14, 10), placed(0, -0.06, 0.14))] if dice.chance(0.5) else []
    mouth = moved(ball(0.024, 0.008, 0.006, 8, 6), placed(0, 0.1, 0.135))
    lips = Material("plain", (skin.colour[0] * 0.8, skin.colour[1] * 0.5, skin.colour[2] * 0.5))
    return (
        Shape(joined(neck, skull, nose, *ears), skin),
        Shape(joined(cap, *brows, *locks), hair),
        Shape(joined(*eyes), dark),
        Shape(mouth, lips),
    )
