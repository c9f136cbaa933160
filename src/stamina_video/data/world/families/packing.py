"""A packing table: hands put mugs into a box, hesitate, take things away and bring them back."""

from stamina_video.data.world.builder import Builder
from stamina_video.data.world.camera import Camera
from stamina_video.data.world.carton import Carton, carton_shapes
from stamina_video.data.world.counted import Counted, event_target, plural
from stamina_video.data.world.families.packing_crew import crew_of, perform
from stamina_video.data.world.families.packing_table import Packing
from stamina_video.data.world.kinds import nouns
from stamina_video.data.world.motion import Path, still
from stamina_video.data.world.rooms import TABLE, clutter, room, table
from stamina_video.data.world.scene import Scene
from stamina_video.semantics import Operator, Scope


def stage(build: Builder) -> Scene:
    """Stage one packing scene."""
    dice = build.dice
    packing = Packing(build)
    room(build, dice.between(1.1, 2.2))
    table(build, dice.between(1.3, 1.8), dice.between(0.75, 0.95))
    crew = crew_of(packing)
    _items(packing)
    perform(packing, crew.hands)
    crew.join(build)
    build.add(carton_shapes(dice), Carton(packing.box_at, packing.lid.track()), packing.box)
    others = tuple(
        kind
        for kind in nouns("train", "book", "plant", "bowl", "bottle", "mug", "ball")
        if kind != packing.kind
    )
    clutter(
        build,
        others,
        [(dice.between(-0.6, 0.6), dice.between(0.30, 0.36), TABLE + 0.001) for _ in range(dice.whole(1, 4))],
    )
    return build.scene(_camera(build), build.light(), _events(packing))


def _items(packing: Packing) -> None:
    build, dice = packing.build, packing.dice
    for _ in range(dice.whole(3, 6)):
        place = packing.spot()
        assert place is not None, "an empty table has places"
        alike = packing.items and dice.chance(0.35)
        packing.items.append(
            build.twin(dice.pick(packing.items), place) if alike else build.prop(packing.kind, place)
        )


def _camera(build: Builder) -> Camera:
    dice = build.dice
    eye = (dice.between(-0.35, 0.35), dice.between(-1.1, -0.85), TABLE + dice.between(0.5, 0.95))
    aim = (dice.between(-0.05, 0.05), dice.between(0.0, 0.08), TABLE + dice.between(0.0, 0.1))
    path = Path(0.0, eye)
    while path.now < build.seconds:
        path.to(tuple(c + dice.between(-0.06, 0.06) for c in eye), dice.between(4.0, 9.0))
    shake = dice.pick((0.0, 0.0015, 0.004, 0.008))
    return Camera(
        path.track() if dice.chance(0.6) else still(*eye),
        still(*aim),
        still(dice.between(2.3, 3.1)),
        shake,
        build.phases(),
    )


def _events(packing: Packing) -> list[Counted]:
    ids = [item.entity.id for item in packing.items]
    noun, others = plural(packing.kind)
    word = packing.dice.pick((noun, *others))
    put = packing.dice.pick(("packed", "put"))
    return [
        event_target(
            Operator.E2_EPISODE,
            (f"{word} packed into the box", f"{noun} packed", f"{noun} put into the box"),
            f"How many {word} have been {put} into the box so far?",
            ids,
            "pack",
        ),
        event_target(
            Operator.E1_ACTION,
            (f"{noun} picked up", f"{noun} lifted off the table"),
            f"How many times has one of the {noun} been picked up so far?",
            ids,
            "lift",
        ),
        event_target(
            Operator.E1_TRANSIT,
            ("boxes that were closed", "times the box was closed"),
            "How many times has the box been closed so far?",
            [packing.box.id],
            "close",
            Scope.ENTITY,
        ),
    ]
