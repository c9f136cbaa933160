"""A tour of rooms with hard cuts; flashes and whip pans look like cuts and are none."""

from stamina_video.data.world.builder import Builder
from stamina_video.data.world.camera import Camera
from stamina_video.data.world.counted import Counted, event_target
from stamina_video.data.world.figure import Figure, figure_shapes
from stamina_video.data.world.furnishing import furnish
from stamina_video.data.world.kinds import nouns
from stamina_video.data.world.motion import Path, milliseconds, still
from stamina_video.data.world.rooms import TABLE, clutter, room, shelf_unit, table
from stamina_video.data.world.scene import Scene
from stamina_video.data.world.script import PICTURE
from stamina_video.semantics import Operator, Scope

APART = 40.0  # metres between rooms: one never shows in another
SETTLED = 0.5  # seconds after a cut until the next could count
ROOMS = ("kitchen", "study", "living room", "workshop")
BACK, HALF = 2.0, 2.4  # metres from the middle of a room to its walls


class Filming:
    """The paths of eye, aim and exposure in the making; they share every cut to the millisecond."""

    def __init__(self) -> None:
        self.eye, self.aim, self.exposure = Path(0.0, (0, 0, 0)), Path(0.0, (0, 0, 0)), Path(0.0, (1.0,))

    @property
    def now(self) -> float:
        return self.eye.now

    def shot(self, build: Builder, x: float) -> None:
        """One shot of the room at x: a slow move, perhaps with a whip pan or a flash on the way."""
        dice = build.dice
        eye = (x + dice.between(-1.0, 1.0), dice.between(-2.4, -1.6), dice.between(1.2, 1.7))
        aim = (x + dice.between(-1.2, 1.2), dice.between(0.5, 1.2), dice.between(0.7, 1.0))
        begun, seconds = self.now, dice.between(2.5, 6.0)
        self.eye.jump(eye).to(
            (eye[0] + dice.between(-0.4, 0.4), eye[1] + dice.between(-0.2, 0.3), eye[2]), seconds
        )
        self.aim.jump(aim)
        if dice.chance(0.35):
            self.aim.wait(seconds * 0.4).to((x + (1.4 if aim[0] < x else -1.4), aim[1], aim[2]), 0.35)
            self.aim.wait_until(self.now)
            build.twins.add("whip pan")
        else:
            self.aim.to((aim[0] + dice.between(-0.8, 0.8), aim[1], aim[2]), self.now - begun)
        if dice.chance(0.35):
            self.exposure.wait_until(begun + seconds * dice.between(0.3, 0.7))
            self.exposure.to((dice.between(3.0, 5.0),), 0.08).wait(0.08).to((1.0,), 0.2)
            build.twins.add("flash")


def stage(build: Builder) -> Scene:
    """Shots of a few rooms in some order, shown again and again."""
    dice = build.dice
    names = dice.shuffled(ROOMS)[: dice.whole(2, 4)]
    for number, name in enumerate(names):
        _furnish(build, name, number * APART)
    filming = Filming()
    where, since = dice.whole(0, len(names) - 1), 0.0
    filming.shot(build, where * APART)
    while filming.now < build.seconds:
        at = filming.now
        build.happened("cut", PICTURE, None, at, milliseconds(at + SETTLED))
        following = dice.pick(
            [number for number in range(len(names)) if number != where or dice.chance(0.2)] or [where]
        )
        if following != where:
            build.happened(f"shown {names[where]}", PICTURE, since, at, milliseconds(at + SETTLED))
            since, where = at, following
        filming.shot(build, where * APART)
    camera = Camera(
        filming.eye.track(),
        filming.aim.track(),
        still(dice.between(1.5, 2.0)),
        dice.pick((0.0, 0.004, 0.012)),
        build.phases(),
    )
    light = build.light(filming.exposure.track())
    return build.scene(camera, light, _events(names), dice.pick((4 / 3, 16 / 9)))


def _furnish(build: Builder, name: str, x: float) -> None:
    dice = build.dice
    room(build, BACK, HALF, -3.0, 2.6, x)
    furnish(build, name, round(x / APART), x, BACK, HALF)
    things = tuple(
        nouns(build.split, "mug", "bottle", "bowl", "book", "plant", "vase", "can", "doughnut", "ball")
    )
    chairs = dice.whole(1, 4)
    clutter(build, ("chair",), [(x - 1.5 + 0.95 * k, dice.between(0.3, 1.2), 0.0) for k in range(chairs)])
    if name in ("kitchen", "workshop", "living room"):
        table(build, 1.3, 0.7, x + 0.3, 1.45)
        clutter(
            build,
            things,
            [
                (x + 0.3 + dice.between(-0.5, 0.5), 1.45 + dice.between(-0.2, 0.2), TABLE + 0.001)
                for _ in range(dice.whole(2, 5))
            ],
        )
    if name in ("study", "living room"):
        shelf_unit(build, x - 1.3, 1.8, 1.0, (0.4, 0.8, 1.2))
        clutter(
            build,
            things,
            [
                (x - 1.3 + dice.between(-0.35, 0.35), 1.76, 0.801 + 0.4 * (k % 2))
                for k in range(dice.whole(2, 5))
            ],
        )
    if dice.chance(0.5):
        person = Figure(
            still(x + dice.between(0.8, 1.7), dice.between(0.4, 0.9), dice.between(0.35, 0.65), 0.0, 0.0)
        )
        build.add(figure_shapes(dice, build.colour()), person, build.entity("person"))


def _events(names: list[str]) -> list[Counted]:
    cuts = event_target(
        Operator.E1_TRANSIT,
        ("hard cuts", "scene transitions", "shot changes"),
        "How many hard cuts have occurred so far?",
        [PICTURE],
        "cut",
        Scope.GLOBAL,
    )
    shown = [
        event_target(
            Operator.E2_EPISODE,
            (f"times the {name} was shown", f"visits to the {name}"),
            f"How many times has the {name} been shown in full in the house tour so far?",
            [PICTURE],
            f"shown {name}",
            Scope.GLOBAL,
        )
        for name in names
    ]
    return [cuts, *shown]
