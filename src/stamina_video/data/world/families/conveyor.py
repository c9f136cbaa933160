"""Things on a conveyor belt that passes through a scanner, stops, and sometimes runs back."""

from dataclasses import dataclass

from stamina_video.data.world.body import Material, Shape
from stamina_video.data.world.builder import Builder
from stamina_video.data.world.camera import Camera
from stamina_video.data.world.counted import event_target, plural
from stamina_video.data.world.kinds import KINDS, nouns
from stamina_video.data.world.mesh import block
from stamina_video.data.world.motion import Path, Track, crossings, still
from stamina_video.data.world.palette import WOODS, varied
from stamina_video.data.world.rooms import TABLE, clutter, room
from stamina_video.data.world.scene import Scene
from stamina_video.data.world.script import PICTURE
from stamina_video.data.world.space import Matrix, placed
from stamina_video.semantics import Operator, Scope

SLAT, LONG = 0.06, 3.0  # metres between slats, and of belt
DEEP = 0.42
MOST_LOOKS = 24  # long videos repeat them: a texture for each of a thousand things would fill the memory


@dataclass(frozen=True, slots=True)
class Slats:
    """The belt's surface, which comes round again after one slat."""

    travelled: Track
    count: int

    def pose(self, time: float) -> list[Matrix]:
        shift = self.travelled.at(time)[0] % SLAT
        return [placed(-LONG / 2 + k * SLAT + shift, 0.0, TABLE - 0.012) for k in range(self.count)]


@dataclass(frozen=True, slots=True)
class Riding:
    """A thing that lies on the belt."""

    travelled: Track
    place: tuple[float, ...]
    shapes: int

    def pose(self, time: float) -> list[Matrix]:
        x, y, z, yaw = self.place
        return [placed(x + self.travelled.at(time)[0], y, z, yaw)] * self.shapes


def stage(build: Builder) -> Scene:
    """A run of the belt, laden as densely as it likes."""
    dice = build.dice
    room(build, dice.between(1.2, 2.0))
    belt = _belt(build)
    gate = dice.between(-0.25, 0.25)
    _machine(build, belt, gate)
    kinds = nouns(build.split, "mug", "bottle", "bowl", "apple", "ball", "book", "can", "doughnut", "vase")
    kind, other = dice.shuffled(kinds)[:2]
    ids = _load(build, belt, gate, kind, other)
    noun, aliases = plural(kind)
    words = tuple(f"{word} through the scanner" for word in (noun, *aliases))
    events = [
        event_target(
            Operator.E1_TRANSIT,
            words,
            f"How many times has one of the {noun} passed through the scanner so far?",
            ids,
            "pass",
            Scope.ENTITY,
        ),
        event_target(
            Operator.E1_ACTION,
            ("belt stops", "times the conveyor belt stopped"),
            "How many times has the conveyor belt stopped so far?",
            [PICTURE],
            "stop",
            Scope.GLOBAL,
        ),
    ]
    clutter(build, ("plant", "book"), [(dice.between(-0.7, 0.7), 0.55, TABLE - 0.1)])
    eye = (dice.between(-0.3, 0.3), dice.between(-1.25, -0.95), TABLE + dice.between(0.45, 0.9))
    camera = Camera(
        still(*eye),
        still(dice.between(-0.1, 0.1), 0.0, TABLE + 0.06),
        still(dice.between(2.0, 2.7)),
        dice.pick((0.0, 0.002, 0.006)),
        build.phases(),
    )
    return build.scene(camera, build.light(), events)


def _belt(build: Builder) -> Track:
    """Metres the belt has run: it runs, stops, and now and then backs up a little."""
    dice = build.dice
    path = Path(-6.0, (0.0,))
    speed = dice.between(0.14, 0.3)
    while path.now < build.seconds:
        run = dice.between(2.0, 6.0)
        path.to((path.here[0] + speed * run,), run)
        if dice.chance(0.5):
            halted = path.now
            path.wait(dice.between(0.5, 2.0))
            build.happened("stop", PICTURE, None, halted, path.now)
        if dice.chance(0.3):
            back = dice.between(0.05, 0.2)
            path.to((path.here[0] - back,), back / speed + 0.4)
            build.twins.add("runs back")
    return path.track()


def _machine(build: Builder, belt: Track, gate: float) -> None:
    rubber = Material("speckled", varied(build.dice, (0.16, 0.17, 0.18), 0.04), (4, 1), 0.1, 0.0, 1)
    count = round(LONG / SLAT)
    build.add((Shape(block(SLAT * 0.93, DEEP, 0.012), rubber),) * count, Slats(belt, count))
    steel = Material("plain", (0.6, 0.62, 0.65), (1, 1), 0.8)
    for side in (-1, 1):
        build.fix(Shape(block(LONG, 0.03, 0.1), steel), at=placed(0, side * (DEEP / 2 + 0.02), TABLE - 0.09))
    build.fix(
        Shape(block(LONG, DEEP, 0.6), Material("plain", varied(build.dice, build.dice.pick(WOODS)))),
        at=placed(0, 0, 0.06),
    )
    housing = Material("plain", varied(build.dice, (0.75, 0.77, 0.8), 0.1), (1, 1), 0.4, 0.0, 2)
    scanner = build.landmark("scanner")
    for side in (1, -1):
        post = Shape(block(0.1, 0.05, 0.42), housing)
        build.fix(post, at=placed(gate, side * (DEEP / 2 + 0.05), TABLE), landmark=scanner)
    beam = Shape(block(0.12, DEEP + 0.15, 0.07), housing)
    build.fix(beam, at=placed(gate, 0, TABLE + 0.4), landmark=scanner)
    build.fix(
        Shape(block(0.02, 0.02, 0.01), Material("plain", (0.9, 0.1, 0.1), (1, 1), 0.0, 1.0)),
        at=placed(gate, -DEEP / 2 - 0.08, TABLE + 0.35),
    )


def _load(build: Builder, belt: Track, gate: float, kind: str, other: str) -> list[int]:
    """Lay things along the belt; those of the counted kind are scripted as they pass."""
    dice = build.dice
    ids: list[int] = []
    end = max(value for (value,) in belt.values)
    x = 0.9
    entity, shapes = build.loose(kind)
    looks = [(entity, shapes)]
    while x > -end - 0.9:
        place = (x, dice.between(-0.1, 0.1), TABLE + 0.001, dice.between(0, 1))
        build.add(shapes, Riding(belt, place, len(shapes)), entity)
        if entity.kind == kind:
            ids.append(entity.id)
            _record(build, entity.id, belt, gate - x)
        x -= KINDS[entity.kind].radius * 2 + dice.between(0.02, 0.3)
        if dice.chance(0.3) or len(looks) == MOST_LOOKS:
            like, shapes = dice.pick(looks)
            entity = build.look_alike(like)
        else:
            entity, shapes = build.loose(kind if dice.chance(0.75) else other)
            looks.append((entity, shapes))
    return ids


def _record(build: Builder, entity: int, belt: Track, travelled: float) -> None:
    """Passing forwards completes; being carried back re-establishes the source."""
    passed = crossings(belt, 0, travelled)
    for number, (time, forward) in enumerate(passed):
        if forward:
            back = passed[number + 1][0] if number + 1 < len(passed) else None
            build.happened("pass", entity, None, time, back)
