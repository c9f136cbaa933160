"""Restocking a shelf: things go from a trolley to the boards; some are put back, some are taken away."""

from stamina_video.data.world.builder import Builder, Prop
from stamina_video.data.world.camera import Camera
from stamina_video.data.world.counted import Counted, event_target, plural
from stamina_video.data.world.figure import Figure, figure_shapes
from stamina_video.data.world.hands import Hand
from stamina_video.data.world.kinds import nouns
from stamina_video.data.world.motion import Vector, still
from stamina_video.data.world.rooms import TABLE, clutter, room, shelf_unit, table
from stamina_video.data.world.scene import Scene
from stamina_video.semantics import Operator

BOARDS = (0.42, 0.80, 1.18)
BACK = 0.75  # metres to the shelf's middle


class Restocking:
    """One restocking scene in the making."""

    def __init__(self, build: Builder) -> None:
        self.build, self.dice = build, build.dice
        self.kind = self.dice.pick(
            nouns(build.split, "mug", "bottle", "bowl", "ball", "plant", "can", "vase")
        )
        self.side = self.dice.pick((-1, 1))
        places = [(x, z) for z in BOARDS[1:] for x in (-0.48, -0.29, -0.1, 0.1, 0.29, 0.48)]
        self.free = [self._place(-self.side * x, z) for x, z in self.dice.shuffled(places)]
        self.stock: list[tuple[Prop, Vector]] = []
        self.shelved: list[tuple[Prop, Vector]] = []

    def _place(self, x: float, z: float) -> Vector:
        return (x, BACK - 0.05 + self.dice.between(-0.03, 0.03), z + 0.001, self.dice.between(0, 1), 0.0, 0.0)

    def stockpile(self, number: int) -> None:
        for k in range(number):
            place = (
                self.side * (0.62 + 0.16 * (k % 3)),
                0.02 + 0.15 * (k // 3),
                TABLE + 0.001,
                self.dice.between(0, 1),
                0.0,
                0.0,
            )
            alike = self.stock and self.dice.chance(0.5)
            item = self.build.twin(self.stock[-1][0], place) if alike else self.build.prop(self.kind, place)
            self.stock.append((item, place))

    def shelve(self, hand: Hand) -> None:
        """From the trolley to a board: complete when let go."""
        item, home = self.stock.pop(0)
        place = self.free.pop(0)
        hand.wait_until(item.path.now)
        start = hand.grip(item)
        hand.lift()
        hand.bring(place)
        if self.dice.chance(0.25):
            # Held in place, doubted, carried back: nothing was shelved.
            hand.wait(self.dice.between(0.4, 1.0))
            hand.bring(home)
            hand.release()
            self.build.happened("shelve", item.entity.id, start, None)
            self.build.twins.add("lifted back")
            self.stock.append((item, home))
            self.free.append(place)
            hand.home_again()
            return
        hand.wait(self.dice.between(0.1, 0.5))
        released = hand.release()
        self.build.happened("shelve", item.entity.id, start, released, hand.home_again())
        self.shelved.append((item, place))

    def take(self, hand: Hand) -> None:
        """From a board back to the trolley: counted when it leaves the board."""
        item, place = self.shelved.pop(0)
        hand.wait_until(item.path.now)
        hand.grip(item)
        taken = hand.lift()
        home = (self.side * 0.62, 0.3, TABLE + 0.001, 0.0, 0.0, 0.0) if not self.stock else self.stock[0][1]
        home = (home[0], home[1] + self.dice.between(0.12, 0.16), *home[2:])
        hand.bring(home)
        released = hand.release()
        hand.home_again()
        self.build.happened("take", item.entity.id, None, taken, released)
        self.free.append(place)
        self.stock.append((item, home))

    def hover(self, hand: Hand) -> None:
        x, y, z = self.free[0][:3]
        hand.over((x, y - 0.1, z + 0.25))
        hand.wait(self.dice.between(0.4, 1.2))
        hand.home_again()
        self.build.twins.add("hover")


def stage(build: Builder) -> Scene:
    """A worker between a trolley and a shelf."""
    dice = build.dice
    work = Restocking(build)
    room(build, 1.1)
    shelf_unit(build, 0.0, BACK, 1.25, BOARDS)
    table(build, 0.62, 0.6, work.side * 0.78, 0.08)
    work.stockpile(dice.whole(3, 6))
    x = work.side * dice.between(0.3, 0.42)
    start = -dice.between(1.0, 2.4) if dice.chance(0.4) else dice.between(0.2, 1.0)
    hand = Hand((x - 0.12 * work.side, 0.28, 1.0), start, dice.between(0.8, 1.3))
    _perform(work, hand)
    reaching = (False, True) if work.side < 0 else (True, False)
    worker = Figure(
        still(x, 0.0, 0.02 * work.side, 0.0, 0.0),
        left_reach=hand.track() if reaching[0] else None,
        right_reach=hand.track() if reaching[1] else None,
    )
    build.add(figure_shapes(dice, build.colour(), reaching), worker, build.entity("person"))
    others = tuple(kind for kind in ("book", "bowl", "plant", "bottle") if kind != work.kind)
    clutter(build, others, [(0.3 * k - 0.3, BACK - 0.03, BOARDS[0] + 0.001) for k in range(3)])
    eye = (-work.side * dice.between(0.1, 0.7), dice.between(-1.9, -1.5), dice.between(1.2, 1.6))
    camera = Camera(
        still(*eye),
        still(0.05 * work.side, 0.4, 0.92),
        still(dice.between(2.3, 2.9)),
        dice.pick((0.0, 0.003, 0.008)),
        build.phases(),
    )
    return build.scene(camera, build.light(), _events(work))


def _perform(work: Restocking, hand: Hand) -> None:
    while hand.now < work.build.seconds - 4.0:
        act = work.dice.pick(("shelve", "shelve", "shelve", "take", "hover", "rest"))
        if act == "shelve" and work.stock and work.free:
            work.shelve(hand)
        elif act in ("take", "shelve") and work.shelved:
            work.take(hand)
        elif act == "hover" and work.free:
            work.hover(hand)
        else:
            hand.wait(work.dice.between(0.5, 1.5))


def _events(work: Restocking) -> list[Counted]:
    ids = [item.entity.id for item, _ in (*work.stock, *work.shelved)]
    noun, others = plural(work.kind)
    word = work.dice.pick((noun, *others))
    return [
        event_target(
            Operator.E2_EPISODE,
            (f"{word} put on the shelf", f"{noun} placed on the shelf", f"{noun} restocked"),
            f"How many times has one of the {word} been put on the shelf so far?", ids, "shelve",
        ),
        event_target(
            Operator.E1_ACTION,
            (f"{noun} taken from the shelf", f"{noun} removed from the shelf"),
            f"How many times has one of the {noun} been taken from the shelf so far?", ids, "take",
        ),
    ]  # fmt: skip
