"""An arm that reaches with an articulated hand: shoulder, elbow, wrist, fingers that curl."""

from dataclasses import dataclass

from stamina_video.data.world.body import Material, Shape
from stamina_video.data.world.mesh import ball, limb
from stamina_video.data.world.motion import Track, Vector
from stamina_video.data.world.space import Matrix, bent, chained, direction, placed, scaled, spanning

UPPER, LOWER, PALM = 0.30, 0.26, 0.075  # metres
GRASP = 0.105  # from the wrist to what the fingertips close on

# Where each finger leaves the palm (across, along), and the lengths of its two bones.
_FINGERS = (
    (-0.030, 0.070, 0.036, 0.032),
    (-0.010, 0.076, 0.041, 0.036),
    (0.010, 0.074, 0.039, 0.034),
    (0.029, 0.066, 0.032, 0.028),
)


def hand_shapes(skin: Material) -> tuple[Shape, ...]:
    palm = Shape(ball(0.042, 0.019, 0.048, 14, 10), skin)
    bones = [
        Shape(limb(length, 0.0105, 0.0088, 1.0, 1.0, 8), skin) for *_, a, b in _FINGERS for length in (a, b)
    ]
    thumb = [
        Shape(limb(0.042, 0.0135, 0.0105, 1.0, 1.0, 8), skin),
        Shape(limb(0.030, 0.0105, 0.009, 1.0, 1.0, 8), skin),
    ]
    return (palm, *bones, *thumb)


def hand_pose(wrist: Matrix, curl: float) -> list[Matrix]:
    """The wrist's own z runs along the hand, its y out of the back of the hand."""
    pose = [chained(wrist, placed(0, 0, 0.042))]
    for across, along, first, _ in _FINGERS:
        knuckle = chained(wrist, placed(across, 0.004, along, 0, -0.02 - 0.10 * curl, across * 0.9))
        pose += [knuckle, chained(knuckle, placed(0, 0, first, 0, -0.03 - 0.13 * curl))]
    root = chained(wrist, placed(-0.032, -0.006, 0.022, 0, -0.05 - 0.07 * curl, -0.13 + 0.06 * curl))
    return [*pose, root, chained(root, placed(0, 0, 0.042, 0, -0.02 - 0.04 * curl, 0.05 * curl))]


def arm_shapes(sleeve: Material, skin: Material, bare: bool) -> tuple[Shape, ...]:
    """Upper arm, forearm and hand."""
    return (
        Shape(limb(UPPER, 0.056, 0.043, 1.08), sleeve),
        Shape(limb(LOWER, 0.042, 0.027, 1.1), skin if bare else sleeve),
        *hand_shapes(skin),
    )


def reach_pose(shoulder: Vector, grasp: Vector, curl: float, pole: Vector) -> list[Matrix]:
    """Poses of `arm_shapes` when the fingers close on a point from above and behind."""
    level, _ = direction((shoulder[0], shoulder[1], 0), (grasp[0], grasp[1], 0))
    fingers = (level[0] * 0.62, level[1] * 0.62, -0.785)
    wrist = tuple(grasp[i] - fingers[i] * GRASP for i in range(3))
    _, far = direction(shoulder, wrist)
    # Where the arm is too short it gives: a longer arm looks better than a loose hand.
    give = max(far / (UPPER + LOWER - 0.005), 1.0)
    elbow = bent(shoulder, wrist, UPPER * give, LOWER * give, pole)
    aside = (level[1], -level[0], 0.0)
    hand = spanning(wrist, grasp, aside)
    bones = (spanning(shoulder, elbow), spanning(elbow, wrist))
    return [*(scaled(bone, 1.0, 1.0, give) for bone in bones), *hand_pose(hand, curl)]


@dataclass(frozen=True, slots=True)
class LoneArm:
    """An arm whose owner stays out of the picture. The track holds the grasped point and the curl."""

    shoulder: Vector
    grasp: Track
    pole: Vector = (0.0, 0.0, 1.0)

    def pose(self, time: float) -> list[Matrix]:
        x, y, z, curl = self.grasp.at(time)
        return reach_pose(self.shoulder, (x, y, z), curl, self.pole)
