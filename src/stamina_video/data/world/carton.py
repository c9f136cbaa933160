"""A cardboard box with two flaps."""

from dataclasses import dataclass

from stamina_video.data.world.body import Material, Shape
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.mesh import block
from stamina_video.data.world.motion import Track, Vector
from stamina_video.data.world.palette import varied
from stamina_video.data.world.space import Matrix, chained, placed

WIDE, DEEP, TALL = 0.36, 0.27, 0.13  # metres
_CARDS = ((0.69, 0.52, 0.34), (0.62, 0.45, 0.28), (0.82, 0.80, 0.76))


@dataclass(frozen=True, slots=True)
class Carton:
    """A box with two flaps; the track holds how far they are closed, 0 to 1."""

    place: Vector
    closed: Track

    def pose(self, time: float) -> list[Matrix]:
        base = placed(*self.place)
        share = self.closed.at(time)[0]
        walls = [chained(base, placed(0, side * DEEP / 2, 0)) for side in (-1, 1)]
        ends = [chained(base, placed(side * WIDE / 2, 0, 0)) for side in (-1, 1)]
        flaps = [
            chained(base, placed(0, side * DEEP / 2, TALL, 0.0, side * (0.58 * share - 0.33)))
            for side in (-1, 1)
        ]
        return [base, *walls, *ends, *flaps]


def carton_shapes(dice: Dice) -> tuple[Shape, ...]:
    card = Material("card", varied(dice, dice.pick(_CARDS), 0.05), (1, 1), 0.0, 0.0, dice.whole(0, 999))
    wall, end, flap = block(WIDE, 0.006, TALL), block(0.006, DEEP, TALL), block(WIDE, 0.005, DEEP / 2)
    return tuple(Shape(mesh, card) for mesh in (block(WIDE, DEEP, 0.006), wall, wall, end, end, flap, flap))
