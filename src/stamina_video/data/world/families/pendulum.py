"""A pendulum that swings, is caught in mid-swing, let go again, or stopped short."""

from dataclasses import dataclass

from stamina_video.data.world.body import Material, Shape
from stamina_video.data.world.builder import Builder
from stamina_video.data.world.camera import Camera
from stamina_video.data.world.counted import event_target
from stamina_video.data.world.kinds import nouns
from stamina_video.data.world.mesh import ball, limb
from stamina_video.data.world.motion import Path, Track, still
from stamina_video.data.world.palette import PAINTS, varied
from stamina_video.data.world.rooms import TABLE, clutter, room, table
from stamina_video.data.world.scene import Scene
from stamina_video.data.world.script import PICTURE
from stamina_video.data.world.space import Matrix, chained, placed
from stamina_video.semantics import Operator

LONG = 0.5  # metres from the pivot to the bob


@dataclass(frozen=True, slots=True)
class Swinging:
    """A cord and a bob; the track holds the turns from hanging straight."""

    pivot: tuple[float, float, float]
    angle: Track

    def pose(self, time: float) -> list[Matrix]:
        hanging = placed(*self.pivot, 0.0, 0.0, 0.5 + self.angle.at(time)[0])
        return [hanging, chained(hanging, placed(0, 0, LONG))]


def stage(build: Builder) -> Scene:
    """One pendulum over a table, with things standing about."""
    dice = build.dice
    room(build, dice.between(1.0, 2.0))
    table(build, 1.5, 0.8)
    pivot = (dice.between(-0.1, 0.1), 0.05, TABLE + LONG + 0.16)
    _gallows(build, pivot)
    bob = Material("plain", varied(build.dice, PAINTS[build.colour()], 0.03), (1, 1), 0.9)
    cord = Material("plain", (0.2, 0.2, 0.2))
    build.add(
        (Shape(limb(LONG, 0.004, 0.004, 1, 1, 6), cord), Shape(ball(0.06, 0.06, 0.06, 22, 14), bob)),
        Swinging(pivot, _swings(build)),
    )
    kinds = tuple(nouns(build.split, "mug", "bottle", "book", "plant", "bowl", "can", "vase"))
    clutter(
        build,
        kinds,
        [(side * dice.between(0.4, 0.6), dice.between(0.1, 0.3), TABLE + 0.001) for side in (-1, 1)],
    )
    words = ("swings of the pendulum", "full swings", "pendulum swings")
    target = event_target(
        Operator.E2_PERIODIC, words, "How many full swings has the pendulum made so far?", [PICTURE], "swing"
    )
    eye = (dice.between(-0.4, 0.4), dice.between(-1.5, -1.1), TABLE + dice.between(0.3, 0.6))
    camera = Camera(
        still(*eye),
        still(0.0, 0.0, TABLE + 0.33),
        still(dice.between(2.6, 3.2)),
        dice.pick((0.0, 0.003, 0.008)),
        build.phases(),
    )
    return build.scene(camera, build.light(), [target])


def _gallows(build: Builder, pivot: tuple[float, float, float]) -> None:
    x, y, z = pivot
    steel = Material("plain", (0.35, 0.36, 0.38), (1, 1), 0.7)
    build.fix(Shape(limb(z - TABLE, 0.012, 0.012, 1, 1, 8), steel), at=placed(x + 0.02, y + 0.25, TABLE))
    build.fix(Shape(limb(0.25, 0.01, 0.01, 1, 1, 8), steel), at=placed(x + 0.02, y + 0.25, z, 0, 0.25))


def _swings(build: Builder) -> Track:
    """From one side to the other and back is a swing; it is away once it has turned on the far side."""
    dice = build.dice
    reach, half = dice.between(0.08, 0.13), dice.between(0.45, 1.0)
    path = Path(-dice.between(0.2, 1.2), (reach,))
    while path.now < build.seconds:
        if dice.chance(0.12):
            # Caught on the way and led back: it never turned on the far side.
            path.to((dice.between(-0.02, 0.03),), half * 0.6).wait(dice.between(0.3, 1.0)).to(
                (reach,), half * 0.7
            )
            build.twins.add("cut short")
            continue
        far = path.to((-reach,), half).now
        if dice.chance(0.15):
            path.to((0.0,), half * 0.5).wait(dice.between(0.4, 1.6))
            build.twins.add("pause")
        back = path.to((reach,), half).now
        build.happened("swing", PICTURE, far, back)
        if dice.chance(0.1):
            path.wait(dice.between(0.5, 2.0))
    return path.track()
