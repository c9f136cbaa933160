"""Who packs: a seated person or arms from outside the picture, and what their hands do in turn."""

from stamina_video.data.world.arm import LoneArm, arm_shapes
from stamina_video.data.world.body import Material
from stamina_video.data.world.builder import Builder, Prop
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.families.packing_table import AWAY, Packing
from stamina_video.data.world.figure import FOLDS, Figure, figure_shapes
from stamina_video.data.world.hands import Hand
from stamina_video.data.world.motion import still
from stamina_video.data.world.palette import PAINTS, SKIN, varied
from stamina_video.data.world.rooms import TABLE


def crew_of(packing: Packing) -> "Seated | ReachingIn":
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
            cloth = varied(dice, PAINTS[build.colour()], 0.05)
            sleeve = Material("cloth", cloth, (2, 2), 0.0, 0.0, dice.whole(0, 99), FOLDS)
            arm = arm_shapes(sleeve, skin, dice.chance(0.6))
            build.add(arm, LoneArm(shoulder, hand.track(), (0.0, 0.0, 0.4)))


def perform(packing: Packing, hands: list[Hand]) -> None:
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
