"""The packing table: where things stand and lie, and what a hand can do with them there."""

from stamina_video.data.world.body import Entity
from stamina_video.data.world.builder import Builder, Prop
from stamina_video.data.world.carton import TALL
from stamina_video.data.world.hands import Hand
from stamina_video.data.world.kinds import nouns
from stamina_video.data.world.motion import Path, Vector
from stamina_video.data.world.rooms import TABLE

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
