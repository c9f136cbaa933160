"""Two people hand things to each other across a table; some offers are refused."""

from stamina_video.data.world.builder import Builder, Prop
from stamina_video.data.world.camera import Camera
from stamina_video.data.world.counted import event_target, plural
from stamina_video.data.world.figure import Figure, figure_shapes
from stamina_video.data.world.hands import Hand
from stamina_video.data.world.kinds import nouns
from stamina_video.data.world.motion import still
from stamina_video.data.world.rooms import TABLE, room, table
from stamina_video.data.world.scene import Scene
from stamina_video.semantics import Operator

MEETING = (0.0, -0.02, TABLE + 0.16)


class Handover:
    """One handover scene in the making."""

    def __init__(self, build: Builder) -> None:
        self.build, self.dice = build, build.dice
        self.kind = self.dice.pick(
            nouns(build.split, "mug", "bottle", "book", "ball", "apple", "can", "vase", "doughnut")
        )
        start = -self.dice.between(1.0, 2.0) if self.dice.chance(0.5) else self.dice.between(0.2, 1.0)
        self.hands = {side: Hand((side * 0.33, -0.02, TABLE + 0.16), start) for side in (-1, 1)}
        self.owned: dict[int, list[Prop]] = {-1: [], 1: []}
        for side in (-1, 1):
            for k in range(self.dice.whole(1, 2)):
                self.owned[side].append(build.prop(self.kind, self._place(side, k)))

    def _place(self, side: int, number: int) -> tuple[float, ...]:
        return (side * 0.26, -0.2 + 0.14 * number, TABLE + 0.001, self.dice.between(0, 1), 0.0, 0.0)

    def give(self, side: int, item: Prop) -> None:
        """Lifted, offered, taken by the other hand, let go: complete at the release."""
        giver, taker = self.hands[side], self.hands[-side]
        start = max(giver.now, taker.now, item.path.now)
        giver.wait_until(start)
        gripped = giver.grip(item)
        giver.lift()
        giver.bring((*MEETING[:2], MEETING[2], *item.path.here[3:]))
        x, y, z = giver.path.here[:3]
        refused = self.dice.chance(0.3)
        taker.wait_until(giver.now - 0.8)
        taker.over((x - side * 0.05, y + 0.03, z + 0.02 if not refused else z + 0.12))
        giver.wait_until(taker.now + 0.2)
        if refused:
            self._refused(giver, taker, item, gripped, side)
            return
        taker.wait_until(giver.now)
        released = giver.release()
        taker.adopt(item)
        self.build.happened("give", item.entity.id, gripped, released, giver.home_again())
        spot = self._place(-side, len(self.owned[-side]))
        taker.bring(spot)
        taker.release()
        taker.home_again()
        self.owned[side].remove(item)
        self.owned[-side].append(item)

    def _refused(self, giver: Hand, taker: Hand, item: Prop, gripped: float, side: int) -> None:
        """The other hand comes near and goes away; the thing goes back to its place."""
        taker.home_again()
        giver.bring(self._place(side, self.owned[side].index(item)))
        giver.release()
        giver.home_again()
        self.build.happened("give", item.entity.id, gripped, None)
        self.build.twins.add("refused")


def stage(build: Builder) -> Scene:
    """Two people at the ends of a table."""
    dice = build.dice
    work = Handover(build)
    room(build, dice.between(1.0, 2.0))
    table(build, 0.86, 0.8)
    while max(hand.now for hand in work.hands.values()) < build.seconds - 4.0:
        side = dice.pick((-1, 1))
        if work.owned[side]:
            work.give(side, dice.pick(work.owned[side]))
        for hand in work.hands.values():
            hand.wait(dice.between(0.2, 1.5))
    for side, hand in work.hands.items():
        reaching = (True, False) if side < 0 else (False, True)
        rig = Figure(
            still(side * 0.66, 0.06, 0.25 * side, 0.0, 0.0),
            left_reach=hand.track() if reaching[0] else None,
            right_reach=hand.track() if reaching[1] else None,
            seat=0.3,
            bend=still(0.04),
        )
        build.add(figure_shapes(dice, build.colour(), reaching), rig, build.entity("person"))
    ids = [item.entity.id for items in work.owned.values() for item in items]
    noun, others = plural(work.kind)
    words = tuple(f"{word} handed over" for word in (noun, *others))
    target = event_target(
        Operator.E2_EPISODE,
        words,
        f"How many times has one of the {noun} been handed over so far?",
        ids,
        "give",
    )
    eye = (dice.between(-0.3, 0.3), dice.between(-2.1, -1.8), TABLE + dice.between(0.4, 0.75))
    camera = Camera(
        still(*eye),
        still(0.0, 0.0, TABLE + 0.2),
        still(dice.between(2.0, 2.5)),
        dice.pick((0.0, 0.003, 0.008)),
        build.phases(),
    )
    return build.scene(camera, build.light(), [target])
