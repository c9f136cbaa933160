"""A packing table: hands put mugs into a box, hesitate, take things away and bring them back."""

from stamina_video.data.world.arm import LoneArm, arm_shapes
from stamina_video.data.world.body import Entity, Material
from stamina_video.data.world.builder import Builder, Prop
from stamina_video.data.world.camera import Camera
from stamina_video.data.world.carton import TALL, Carton, carton_shapes
from stamina_video.data.world.counted import Counted, event_target, plural
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.figure import Figure, figure_shapes
from stamina_video.data.world.hands import Hand
from stamina_video.data.world.kinds import nouns
from stamina_video.data.world.motion import Path, Vector, still
from stamina_video.data.world.palette import COLOURS, SKIN, varied
from stamina_video.data.world.rooms import TABLE, clutter, room, table
from stamina_video.data.world.scene import Scene
from stamina_video.semantics import Operator, Scope

AWAY = 1.1  # metres to the side, out of the picture


class Packing:
    """One packing scene in the making."""

    def __init__(self, build: Builder) -> None:
        self.build, self.dice = build, build.dice
        self.kind = self.dice.pick(
            nouns(build.split, "mug", "bottle", "bowl", "can", "vase", "apple", "doughnut")
        )
        if build.split == "train" and self.dice.chance(0.5):
            self.kind = "mug"
        self.side = self.dice.pick((-1, 1))
        self.box_at = (
            self.side * self.dice.between(0.28, 0.34),
            self.dice.between(-0.06, 0.08),
            TABLE + 0.001,
            self.dice.between(-0.04, 0.04),
        )
        self.box: Entity = build.entity("box")
        self.lid = Path(-60.0, (0.0,))
        self.spots, self.slots = list(range(8)), list(range(6))
        self.freed: list[Vector] = []
        self.inside: list[tuple[Prop, int]] = []
        self.items: list[Prop] = []

    def spot(self) -> Vector | None:
        """A free place on the table, in four columns and two rows."""
        if not self.spots:
            return self.freed.pop(0) if self.freed else None
        number = self.spots.pop(0)
        column, row = number % 4, number // 4
        x = -self.side * (0.36 - 0.14 * column) + self.dice.between(-0.015, 0.015)
        y = -0.13 + 0.17 * row + self.dice.between(-0.015, 0.015)
        return (x, y, TABLE + 0.001, self.dice.between(0, 1), 0.0, 0.0)

    def slot(self, number: int) -> Vector:
        """A place in the box, in three columns and two rows."""
        column, row = number % 3, number // 3
        x, y = self.box_at[0] + (column - 1) * 0.105, self.box_at[1] + (row - 0.5) * 0.11
        return (x, y, TABLE + 0.008, 0.1 * column, 0.0, 0.0)

    def pack(self, hand: Hand, item: Prop) -> None:
        """Pick up, lower, let go: complete at the release."""
        number = self.slots.pop(0)
        start = hand.grip(item)
        lifted = hand.lift()
        hand.bring(self.slot(number))
        hand.wait(self.dice.between(0.1, 0.9))
        released = hand.release()
        clear = hand.home_again()
        self.inside.append((item, number))
        self.build.happened("pack", item.entity.id, start, released, clear)
        self.build.happened("lift", item.entity.id, None, lifted, released)

    def unpack(self, hand: Hand, place: Vector) -> Prop:
        """Take something out of the box again; packing it once more is another placement."""
        item, number = self.inside.pop(0)
        hand.wait_until(item.path.now)
        hand.grip(item)
        lifted = hand.lift()
        hand.bring(place)
        released = hand.release()
        hand.home_again()
        self.slots.append(number)
        self.build.happened("lift", item.entity.id, None, lifted, released)
        return item

    def think_again(self, hand: Hand, item: Prop) -> None:
        """Lower into the box and lift back out without letting go: no placement."""
        place = item.path.here
        start = hand.grip(item)
        lifted = hand.lift()
        hand.bring(self.slot(self.slots[0]))
        hand.wait(self.dice.between(0.2, 0.8))
        hand.lift()
        hand.bring(place)
        released = hand.release()
        hand.home_again()
        self.build.happened("pack", item.entity.id, start, None)
        self.build.happened("lift", item.entity.id, None, lifted, released)
        self.build.twins.add("lifted back")

    def hover(self, hand: Hand, item: Prop) -> None:
        """A hand over a thing, and away again: nothing happens."""
        x, y, z = item.path.here[:3]
        hand.over((x, y, z + item.height + 0.06))
        hand.wait(self.dice.between(0.5, 1.5))
        hand.home_again()
        self.build.twins.add("hover")

    def away_and_back(self, hand: Hand, item: Prop) -> None:
        """Carried out of the picture and brought back: the same individual."""
        place = item.path.here
        hand.grip(item)
        lifted = hand.lift()
        hand.bring((-self.side * AWAY, 0.1, TABLE + 0.05, *place[3:]))
        hand.wait(self.dice.between(0.8, 3.0))
        hand.bring(place)
        released = hand.release()
        hand.home_again()
        self.build.happened("lift", item.entity.id, None, lifted, released)
        self.build.twins.add("returns")

    def fetch(self, hand: Hand, item: Prop, place: Vector) -> None:
        """A thing from outside the picture is set on the table: picked up where nobody sees it."""
        hand.grip(item)
        hand.bring(place)
        hand.release()
        hand.home_again()

    def shut(self, hand: Hand) -> None:
        """Fold the flaps; sometimes open them and shut them once more."""
        reopens = self.dice.chance(0.35)
        closed = self._fold(hand, 1.0)
        reopened = None
        if reopens:
            hand.wait(self.dice.between(0.4, 1.2))
            reopened = self._fold(hand, 0.0)
            hand.wait(0.3)
            self.build.happened("close", self.box.id, None, self._fold(hand, 1.0))
        self.build.happened("close", self.box.id, None, closed, reopened)
        hand.home_again()

    def _fold(self, hand: Hand, closed: float) -> float:
        hand.over((self.box_at[0], self.box_at[1], TABLE + TALL + 0.1))
        self.lid.wait_until(hand.now)
        self.lid.to((closed,), 0.8)
        hand.wait_until(self.lid.now)
        return self.lid.now


def stage(build: Builder) -> Scene:
    """Stage one packing scene."""
    dice = build.dice
    packing = Packing(build)
    room(build, dice.between(1.1, 2.2))
    table(build, dice.between(1.3, 1.8), dice.between(0.75, 0.95))
    crew = _crew(packing)
    _items(packing)
    _perform(packing, crew.hands)
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


def _crew(packing: Packing) -> "Seated | ReachingIn":
    """Somebody who packs; the first action may be under way when the video starts."""
    dice = packing.dice
    start = -dice.between(1.0, 2.6) if dice.chance(0.4) else dice.between(0.2, 1.2)
    pace = dice.between(0.8, 1.4)
    return Seated(dice, start, pace) if dice.chance(0.5) else ReachingIn(dice, start, pace)


class Seated:
    """One person behind the table, with both hands."""

    def __init__(self, dice: Dice, start: float, pace: float) -> None:
        self._x = dice.between(-0.1, 0.1)
        self.hands = [Hand((self._x - side * 0.28, 0.26, TABLE + 0.12), start, pace) for side in (-1, 1)]

    def join(self, build: Builder) -> None:
        left, right = (hand.track() for hand in self.hands)
        root = still(self._x, 0.56, 0.5, 0.0, 0.0)
        rig = Figure(root, left_reach=left, right_reach=right, seat=0.36, bend=still(0.03))
        build.add(figure_shapes(build.dice, build.colour(), (True, True)), rig, build.entity("person"))


class ReachingIn:
    """Two or three arms from outside the picture."""

    def __init__(self, dice: Dice, start: float, pace: float) -> None:
        sides = dice.shuffled((-1, 1))
        self._shoulders = [(side * 0.84, dice.between(-0.2, 0.3), TABLE + 0.38) for side in sides]
        if dice.chance(0.5):
            self._shoulders.append((dice.pick((-0.7, 0.7)), -0.5, TABLE + 0.3))
        homes = [(x * 0.8, y * 0.9, TABLE + 0.2) for x, y, _ in self._shoulders]
        self.hands = [Hand(home, start + dice.between(0, 1.5), pace) for home in homes]

    def join(self, build: Builder) -> None:
        dice = build.dice
        for hand, shoulder in zip(self.hands, self._shoulders, strict=True):
            skin = Material("plain", varied(dice, dice.pick(SKIN), 0.03), (1, 1), 0.12)
            cloth = varied(dice, COLOURS[build.colour()], 0.05)
            sleeve = Material("cloth", cloth, (2, 2), 0.0, 0.0, dice.whole(0, 99))
            arm = arm_shapes(sleeve, skin, dice.chance(0.6))
            build.add(arm, LoneArm(shoulder, hand.track(), (0.0, 0.0, 0.4)))


def _perform(packing: Packing, hands: list[Hand]) -> None:
    """Let the hands act until the time is up; each takes something that nobody holds."""
    build, dice = packing.build, packing.dice
    standing = list(packing.items)
    while min(hand.now for hand in hands) < build.seconds - 5.0:
        hand = min(hands, key=lambda each: each.now)
        act = dice.pick(("pack", "pack", "pack", "again", "hover", "away", "fetch", "rest"))
        if act == "fetch" or not standing:
            if not _replenish(packing, hand, standing):
                hand.wait(dice.between(0.5, 1.5))
        elif act == "rest" or (act in ("pack", "again") and not packing.slots):
            hand.wait(dice.between(0.5, 2.0))
        else:
            item = standing.pop(dice.whole(0, len(standing) - 1))
            _act(packing, hand, act, item)
            if act != "pack":
                standing.append(item)
    if dice.chance(0.5):
        packing.shut(max(hands, key=lambda each: each.now))


def _replenish(packing: Packing, hand: Hand, standing: list[Prop]) -> bool:
    """Something more for the table: from outside the picture, or out of the box when that is full."""
    build, dice = packing.build, packing.dice
    if packing.inside and (len(packing.items) > 8 or not packing.slots):
        place = packing.spot()
        if place is not None:
            standing.append(packing.unpack(hand, place))
        return place is not None
    place = packing.spot()
    if place is None:
        return False
    outside = (-packing.side * AWAY, 0.1, TABLE + 0.05, place[3], 0.0, 0.0)
    item = (
        build.twin(dice.pick(packing.items), outside)
        if dice.chance(0.5)
        else build.prop(packing.kind, outside)
    )
    packing.items.append(item)
    packing.fetch(hand, item, place)
    standing.append(item)
    return True


def _act(packing: Packing, hand: Hand, act: str, item: Prop) -> None:
    # Another hand may have set it down later than this one is free.
    hand.wait_until(item.path.now)
    place = item.path.here
    acts = {
        "pack": packing.pack,
        "again": packing.think_again,
        "hover": packing.hover,
        "away": packing.away_and_back,
    }
    acts[act](hand, item)
    if act == "pack":
        packing.freed.append(place)


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
