"""People at a doorway: they go through, come back, walk past, or turn round on the threshold."""

from stamina_video.data.world.body import Material, Shape
from stamina_video.data.world.builder import Builder
from stamina_video.data.world.camera import Camera
from stamina_video.data.world.counted import event_target
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.figure import Figure, figure_shapes
from stamina_video.data.world.mesh import block
from stamina_video.data.world.motion import crossings, milliseconds, still
from stamina_video.data.world.palette import WALLS, varied
from stamina_video.data.world.rooms import clutter, room
from stamina_video.data.world.scene import Scene
from stamina_video.data.world.space import placed
from stamina_video.data.world.walk import Walk
from stamina_video.semantics import Operator, Scope

DOOR, WIDE, HIGH = 1.6, 1.0, 2.1  # metres: the wall's distance, the opening
SETTLED = 0.5  # seconds after a visit until the next could begin
NEAR_SIDE, OUTSIDE = 0.3, 4.2  # where people linger; how far to the side nobody sees them


def stage(build: Builder) -> Scene:
    """Several people, each with plans of their own."""
    dice = build.dice
    room(build, DOOR + dice.between(2.0, 3.2), 3.6)
    _wall(build)
    clothes = [build.colour() for _ in range(3)]
    ids = []
    for _ in range(dice.whole(2, 7)):
        person = build.entity("person")
        ids.append(person.id)
        walk = _itinerary(build, dice)
        _record(build, person.id, walk)
        # A stream of its own and few seeds: some people look alike.
        look = Dice(build.seed, dice.whole(0, 3))
        build.add(
            figure_shapes(look, dice.pick(clothes)),
            Figure(walk.track(), seat=dice.between(-0.02, 0.04)),
            person,
        )
    clutter(build, ("chair", "plant"), [(side * dice.between(1.3, 1.9), DOOR - 0.4, 0.0) for side in (-1, 1)])
    events = [
        event_target(
            Operator.E1_TRANSIT,
            ("people going out through the doorway", "people who left through the door"),
            "How many times has someone gone out through the doorway so far?", ids, "out", Scope.ENTITY,
        ),
        event_target(
            Operator.E1_TRANSIT,
            ("people coming in through the doorway", "people who came in through the door"),
            "How many times has someone come in through the doorway so far?", ids, "in", Scope.ENTITY,
        ),
        event_target(
            Operator.E2_EPISODE,
            ("visits to the room beyond the doorway", "stays in the other room"),
            "How many visits to the room beyond the doorway have been completed so far?", ids, "visit",
        ),
    ]  # fmt: skip
    eye = (dice.between(-0.8, 0.8), dice.between(-3.4, -2.6), dice.between(1.3, 2.1))
    camera = Camera(
        still(*eye),
        still(0.0, 1.0, dice.between(0.9, 1.1)),
        still(dice.between(1.9, 2.5)),
        dice.pick((0.0, 0.006, 0.015)),
        build.phases(),
    )
    return build.scene(camera, build.light(), events)


def _wall(build: Builder) -> None:
    """A wall with an opening, and a frame around it."""
    paint = Material(
        build.looks.pick(("plain", "bricks", "bricks", "wood", "tiles")),
        varied(build.dice, build.dice.pick(WALLS), 0.05),
        (2, 2),
        0.0,
        0.0,
        build.dice.whole(0, 99),
    )
    trim, frame = Material("wood", (0.9, 0.88, 0.84), (1, 1), 0.2), build.landmark("doorway")
    for side in (-1, 1):
        build.fix(Shape(block(3.1, 0.12, 2.7), paint), at=placed(side * (WIDE / 2 + 1.55), DOOR, 0))
        post = Shape(block(0.08, 0.16, HIGH + 0.04), trim)
        build.fix(post, at=placed(side * (WIDE / 2 + 0.02), DOOR, 0), landmark=frame)
    build.fix(Shape(block(WIDE, 0.12, 2.7 - HIGH), paint), at=placed(0, DOOR, HIGH))
    build.fix(Shape(block(WIDE + 0.12, 0.16, 0.08), trim), at=placed(0, DOOR, HIGH), landmark=frame)


def _itinerary(build: Builder, dice: Dice) -> Walk:
    """A person's errands until the time is up."""
    beyond = dice.chance(0.4)
    side = dice.pick((-1, 1))
    x, y = (
        (dice.between(-0.25, 0.25), DOOR + dice.between(0.4, 1.2))
        if beyond
        else (side * OUTSIDE, dice.between(-0.4, 0.6))
    )
    if dice.chance(0.3) and not beyond:
        x, y = dice.between(-0.8, 0.8), dice.between(0.0, 0.5)
    walk = Walk(-dice.between(0.0, 2.0), x, y, dice.between(0, 1), dice.between(0.75, 1.3))
    walk.stand_until(dice.between(-1.0, 5.0))
    while walk.now < build.seconds:
        x, y = walk.path.here[:2]
        if y > DOOR:
            walk.along([(dice.between(-0.15, 0.15), DOOR + 0.35), (dice.between(-0.15, 0.15), DOOR - 0.5)])
            walk.along([(dice.between(-1.2, 1.2), dice.between(-0.1, 0.6))])
        else:
            _errand(build, dice, walk)
        walk.stand(dice.between(0.3, 2.5))
    return walk


def _errand(build: Builder, dice: Dice, walk: Walk) -> None:
    act = dice.pick(("through", "through", "turn", "past", "leave"))
    if act == "through":
        walk.along([(dice.between(-0.15, 0.15), DOOR - 0.5), (dice.between(-0.15, 0.15), DOOR + 0.35)])
        walk.along([(dice.between(-0.9, 0.9), DOOR + dice.between(0.6, 1.4))])
    elif act == "turn":
        walk.along([(dice.between(-0.15, 0.15), DOOR - dice.between(0.2, 0.4))])
        walk.stand(dice.between(0.3, 1.0))
        walk.along([(dice.between(-1.2, 1.2), NEAR_SIDE)])
        build.twins.add("turns back")
    elif act == "past":
        walk.along([(dice.pick((-1.4, 1.4)), dice.between(0.2, 0.8))])
    else:
        walk.along([(dice.pick((-1, 1)) * OUTSIDE, dice.between(-0.2, 0.6))])
        walk.stand(dice.between(0.5, 2.0))
        walk.along([(dice.between(-1.0, 1.0), dice.between(0.0, 0.6))])
        build.twins.add("returns")


def _record(build: Builder, person: int, walk: Walk) -> None:
    """The script follows from the path: crossing the wall's plane completes; crossing back resets."""
    passed = crossings(walk.track(), 1, DOOR)
    if passed and not passed[0][1]:
        build.happened(
            "visit", person, walk.track().times[0], passed[0][0], milliseconds(passed[0][0] + SETTLED)
        )
    for number, (time, outward) in enumerate(passed):
        following = passed[number + 1][0] if number + 1 < len(passed) else None
        build.happened("out" if outward else "in", person, None, time, following)
        if outward:
            settled = None if following is None else milliseconds(following + SETTLED)
            build.happened("visit", person, time, following, settled)
