"""Exercises in place: squats, arm raises, jumping jacks; some cut short, some paused half-way."""

from dataclasses import dataclass

from stamina_video.data.world.builder import Builder
from stamina_video.data.world.camera import Camera
from stamina_video.data.world.counted import event_target
from stamina_video.data.world.figure import Figure, figure_shapes
from stamina_video.data.world.motion import Path, Track, still
from stamina_video.data.world.rooms import clutter, room
from stamina_video.data.world.scene import Scene
from stamina_video.semantics import Operator


@dataclass(frozen=True, slots=True)
class Exercise:
    """A cycle from rest to the far position and back, in words."""

    words: tuple[str, ...]
    question: str
    seconds: float


EXERCISES = {
    "squat": Exercise(
        ("squats", "squats done", "knee bends"), "How many squats has the person completed so far?", 2.0
    ),
    "raise": Exercise(
        ("arm raises", "times the arms were raised", "overhead raises"),
        "How many arm raises has the person completed so far?",
        1.6,
    ),
    "jack": Exercise(
        ("jumping jacks", "star jumps"), "How many jumping jacks has the person completed so far?", 1.2
    ),
}


def repetitions(build: Builder, seconds: float, event: str, subject: int) -> Track:
    """How far from rest a cycle is, 0 to 1; writes the script.

    A cycle is away once it has reached its far position, so half of one never counts.
    """
    dice = build.dice
    pace = dice.between(0.75, 1.35)
    start = -dice.between(0.3, 0.8) * seconds if dice.chance(0.3) else dice.between(0.3, 1.5)
    path = Path(start, (0.0,))
    while path.now < build.seconds:
        half = seconds / 2 * pace * dice.between(0.85, 1.2)
        if dice.chance(0.15):
            path.to((dice.between(0.3, 0.55),), half * 0.5).to((0.0,), half * 0.5)
            build.twins.add("cut short")
        else:
            far = path.to((1.0,), half).now
            if dice.chance(0.2):
                path.wait(dice.between(0.4, 2.0))
                build.twins.add("pause")
            back = path.to((0.0,), half).now
            build.happened(event, subject, far, back)
        if dice.chance(0.2):
            path.wait(dice.between(0.4, 2.5))
    return path.track()


def stage(build: Builder) -> Scene:
    """One person exercises; others may stand about."""
    dice = build.dice
    room(build, dice.between(1.2, 2.5), 3.0)
    name = dice.pick(tuple(EXERCISES))
    exercise = EXERCISES[name]
    athlete = build.entity("person")
    x, yaw = dice.between(-0.3, 0.3), 0.5 + dice.between(-0.17, 0.17)
    cycle = repetitions(build, exercise.seconds, name, athlete.id)
    build.add(figure_shapes(dice, build.colour()), _figure(name, cycle, x, yaw), athlete)
    for side in dice.shuffled((-1, 1))[: dice.whole(0, 2)]:
        rig = Figure(
            still(x + side * dice.between(1.0, 1.4), dice.between(0.2, 0.9), dice.between(0.3, 0.7), 0.0, 0.0)
        )
        build.add(figure_shapes(dice, build.colour()), rig, build.entity("person"))
    clutter(
        build,
        ("chair", "plant", "ball"),
        [(x + side * dice.between(0.9, 1.6), dice.between(0.2, 0.9), 0.0) for side in (-1, 1)],
    )
    target = event_target(Operator.E2_PERIODIC, exercise.words, exercise.question, [athlete.id], name)
    eye = (dice.between(-0.7, 0.7), dice.between(-3.8, -3.0), dice.between(1.0, 1.7))
    camera = Camera(
        still(*eye),
        still(x, 0.0, dice.between(0.85, 1.0)),
        still(dice.between(2.5, 3.0)),
        dice.pick((0.0, 0.006, 0.015)),
        build.phases(),
    )
    return build.scene(camera, build.light(), [target])


def _figure(name: str, cycle: Track, x: float, yaw: float) -> Figure:
    root = still(x, 0.0, yaw, 0.0, 0.0)
    if name == "squat":
        arms = Track(cycle.times, tuple((0.22 * share, 0.02, 0.02) for (share,) in cycle.values))
        return Figure(root, crouch=cycle, left=arms, right=arms)
    if name == "raise":
        arms = Track(cycle.times, tuple((0.0, 0.03 + 0.4 * share, 0.02) for (share,) in cycle.values))
        return Figure(root, left=arms, right=arms)
    arms = Track(cycle.times, tuple((0.0, 0.03 + 0.42 * share, 0.0) for (share,) in cycle.values))
    spread = Track(cycle.times, tuple((0.2 * share,) for (share,) in cycle.values))
    return Figure(root, left=arms, right=arms, spread=spread)
