"""The catalogue of countable things: how each kind is built, what it is called, what it resembles."""

from collections.abc import Callable
from dataclasses import dataclass

from stamina_video.data.world import further
from stamina_video.data.world.body import Material, Shape
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.held_out import can, doughnut, vase
from stamina_video.data.world.mesh import Mesh, ball, block, disc, joined, lathe, moved, tube
from stamina_video.data.world.motion import cosine, sine
from stamina_video.data.world.palette import WOODS, varied
from stamina_video.data.world.space import placed
from stamina_video.data.world.texture import Colour

Build = Callable[[Dice, Colour, str], tuple[Shape, ...]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A named kind of thing. `like` is the nearest class of common detectors; heights are in metres."""

    name: str
    plural: str
    aliases: tuple[str, ...]
    like: str
    height: float
    radius: float
    build: Build
    unseen: bool = False
    further: bool = False  # of the assorted split alone

    @property
    def taught(self) -> bool:
        """Whether scenes to learn counting from show it."""
        return not self.unseen and not self.further


def _arc(radius_x: float, radius_z: float, x: float, z: float, thick: float) -> Mesh:
    """Half a ring standing in the x–z plane: the handle of a mug."""
    centres = tuple((x + radius_x * sine(k / 20), 0.0, z - radius_z * cosine(k / 20)) for k in range(11))
    return tube(centres, (thick,) * 11, 8)


def _mug(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    radius, height = dice.between(0.038, 0.046), dice.between(0.085, 0.108)
    foot, wall = dice.between(0.78, 1.0), 0.0045
    outline = (
        (0.0, 0.0), (radius * foot * 0.94, 0.0), (radius * foot, 0.005),
        (radius * (foot + 1) / 2, height * 0.3), (radius, height * 0.65), (radius, height - 0.002),
        (radius - wall / 2, height), (radius - wall, height - 0.002),
        (radius - wall, height * 0.6), (radius * foot - wall, 0.012), (0.0, 0.009),
    )  # fmt: skip
    seed = dice.whole(0, 2**30)
    body = Shape(lathe(outline, 28), Material(pattern, colour, (1.0, 2.0), 0.9, 0.0, seed))
    handle = _arc(height * dice.between(0.28, 0.36), height * 0.31, radius - 0.003, height * 0.53, 0.0062)
    drink = Shape(moved(disc(radius - wall), placed(0, 0, height * 0.72)), _plain((0.2, 0.11, 0.06), 0.5))
    return (body, Shape(handle, _plain(colour, 0.9)), *((drink,) if dice.chance(0.5) else ()))


def _plain(colour: Colour, gloss: float = 0.0, surface: str = "plain") -> Material:
    return Material(surface, colour, (1.0, 1.0), gloss)


def _bottle(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    r, h = dice.between(0.031, 0.039), dice.between(0.22, 0.28)
    neck = dice.between(0.35, 0.45)
    outline = (
        (0.0, 0.0), (r * 0.93, 0.0), (r, 0.008), (r, h * 0.58), (r * 0.93, h * 0.66), (r * 0.6, h * 0.76),
        (r * neck, h * 0.84), (r * neck, h * 0.93), (r * neck * 1.12, h * 0.935), (r * neck * 1.12, h * 0.95),
        (0.0, h * 0.951),
    )  # fmt: skip
    cap = lathe(((0.0, h * 0.93), (r * neck * 1.25, h * 0.93), (r * neck * 1.25, h), (0.0, h)), 16)
    seed = dice.whole(0, 2**30)
    surface = "label" if pattern == "plain" else pattern
    return (
        Shape(lathe(outline, 24), Material(surface, colour, (1.0, 1.0), 1.0, 0.0, seed)),
        Shape(cap, _plain((0.85, 0.85, 0.85), 0.4)),
    )


def _bowl(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    r, h = dice.between(0.07, 0.09), dice.between(0.055, 0.075)
    outer = [(0.0, 0.0), (r * 0.42, 0.0), (r * 0.45, 0.008)]
    outer += [(r * (0.45 + 0.55 * sine(k / 28)), h * (1 - cosine(k / 28)) + 0.008) for k in range(1, 8)]
    inner = [(x - 0.005, z + 0.004) for x, z in reversed(outer[3:])]
    seed = dice.whole(0, 2**30)
    return (
        Shape(
            lathe((*outer, *inner, (0.0, 0.014)), 28), Material(pattern, colour, (1.0, 1.5), 0.8, 0.0, seed)
        ),
    )


def _book(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    w, d, h = dice.between(0.14, 0.18), dice.between(0.2, 0.25), dice.between(0.02, 0.04)
    cover = Material(
        "label" if pattern == "plain" else pattern, colour, (1.0, 1.0), 0.25, 0.0, dice.whole(0, 2**30)
    )
    pages = moved(block(w * 0.96, d * 0.97, h - 0.006), placed(0.003, 0, 0.003))
    lids = joined(
        block(w, d, 0.003),
        moved(block(w, d, 0.003), placed(0, 0, h - 0.003)),
        moved(block(0.003, d, h), placed(-w / 2, 0, 0)),
    )
    return (Shape(lids, cover), Shape(pages, _plain((0.9, 0.88, 0.8), 0.0, "card")))


def _ball(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    r = dice.between(0.055, 0.08)
    mesh = moved(ball(r, r, r, 24, 14), placed(0, 0, r))
    return (Shape(mesh, Material(pattern, colour, (1.0, 1.0), 0.35, 0.0, dice.whole(0, 2**30))),)


def _apple(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    r = dice.between(0.036, 0.042)
    outline = tuple(
        (
            r * sine(k / 24) * (1.0 + 0.12 * sine(k / 24)),
            r * (1 - cosine(k / 24)) - 0.25 * r * max(0.0, cosine(k / 24) ** 9) * (1 if k < 6 else -0.8),
        )
        for k in range(13)
    )
    stalk = tube(((0, 0, r * 1.7), (0.002, 0, r * 1.95), (0.006, 0, r * 2.2)), (0.002, 0.0016, 0.0014), 6)
    skin = Material(
        "speckled" if pattern == "plain" else pattern, colour, (1.0, 1.0), 0.5, 0.0, dice.whole(0, 2**30)
    )
    return (Shape(lathe(outline, 20), skin), Shape(stalk, _plain((0.3, 0.2, 0.1))))


def _plant(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    r = dice.between(0.055, 0.075)
    pot = lathe(
        (
            (0.0, 0.0),
            (r * 0.7, 0.0),
            (r, r * 1.6),
            (r * 1.1, r * 1.62),
            (r * 1.1, r * 1.85),
            (r * 0.95, r * 1.85),
            (r * 0.9, r * 1.6),
            (0.0, r * 1.6),
        ),
        22,
    )
    leaves = []
    for _ in range(18):
        lean, turn, long = dice.between(0.03, 0.19), dice.between(0, 1), dice.between(1.6, 3.4) * r
        leaf = ball(r * 0.3, r * 0.07, long / 2, 8, 6)
        leaves.append(moved(moved(leaf, placed(0, 0, long / 2)), placed(0, 0, r * 1.5, turn, lean)))
    green = Material("speckled", varied(dice, (0.2, 0.45, 0.16), 0.08), (1.0, 1.0), 0.25, 0.0, 18)
    return (
        Shape(pot, Material(pattern, colour, (1.0, 1.0), 0.4, 0.0, dice.whole(0, 2**30))),
        Shape(joined(*leaves), green),
    )


def _chair(dice: Dice, colour: Colour, pattern: str) -> tuple[Shape, ...]:
    w, seat, back = dice.between(0.42, 0.48), dice.between(0.43, 0.47), dice.between(0.4, 0.5)
    legs = [
        moved(block(0.04, 0.04, seat), placed(x * (w / 2 - 0.03), y * (w / 2 - 0.03), 0))
        for x in (-1, 1)
        for y in (-1, 1)
    ]
    posts = [
        moved(block(0.04, 0.035, back), placed(x * (w / 2 - 0.03), w / 2 - 0.03, seat, 0, -0.02))
        for x in (-1, 1)
    ]
    slats = [
        moved(
            block(w - 0.06, 0.02, 0.07),
            placed(0, w / 2 - 0.02 + 0.03 * k, seat + back * (0.3 + 0.25 * k), 0, -0.02),
        )
        for k in range(3)
    ]
    timber = Material("wood", varied(dice, dice.pick(WOODS)), (0.5, 1.0), 0.25, 0.0, dice.whole(0, 2**30))
    cushion = moved(ball(w * 0.5, w * 0.5, 0.04, 20, 8), placed(0, 0, seat + 0.02))
    fabric = Material(
        "cloth" if pattern == "plain" else pattern, colour, (2.0, 2.0), 0.0, 0.0, dice.whole(0, 2**30), 0.004
    )
    return (Shape(joined(*legs, *posts, *slats), timber), Shape(cushion, fabric))


def _further(
    name: str,
    aliases: tuple[str, ...],
    like: str,
    height: float,
    radius: float,
    build: Build,
    several: str | None = None,
) -> Kind:
    several = several or name + ("es" if name.endswith("s") else "s")
    return Kind(name, several, aliases, like, height, radius, build, further=True)


# What the assorted split adds. "something" is like no class of common detectors.
_FURTHER = (
    _further("orange", ("citrus fruits",), "orange", 0.08, 0.045, further.orange),
    _further("banana", ("toy bananas",), "banana", 0.035, 0.095, further.banana),
    _further("wine glass", ("glasses", "goblets"), "wine glass", 0.18, 0.043, further.wine_glass),
    _further("teddy bear", ("teddies", "stuffed bears"), "teddy bear", 0.18, 0.085, further.teddy),
    _further("clock", ("alarm clocks",), "clock", 0.15, 0.07, further.clock),
    _further("suitcase", ("travel cases", "toy suitcases"), "suitcase", 0.17, 0.08, further.suitcase),
    _further("cake", ("birthday cakes",), "cake", 0.12, 0.1, further.cake),
    _further("carrot", ("roots",), "carrot", 0.045, 0.11, further.carrot),
    _further("frisbee", ("flying discs",), "frisbee", 0.032, 0.11, further.frisbee),
    _further("fire hydrant", ("hydrants",), "fire hydrant", 0.22, 0.07, further.hydrant),
    _further("cell phone", ("phones", "mobile phones"), "cell phone", 0.14, 0.05, further.phone),
    _further("laptop", ("notebook computers",), "laptop", 0.13, 0.12, further.laptop),
    _further("umbrella", ("parasols",), "umbrella", 0.18, 0.115, further.umbrella),
    _further("pizza", ("pizza pies",), "pizza", 0.03, 0.105, further.pizza),
    _further("toy block", ("toy bricks", "building blocks"), "something", 0.05, 0.04, further.toy_block),
    _further("traffic cone", ("cones", "safety cones"), "something", 0.2, 0.08, further.cone),
    _further("bucket", ("pails",), "something", 0.18, 0.075, further.bucket),
    _further("desk lamp", ("lamps", "reading lamps"), "something", 0.21, 0.09, further.desk_lamp),
    _further("bell", ("hand bells",), "something", 0.13, 0.045, further.bell),
    _further("egg cup", ("eggcups",), "something", 0.085, 0.03, further.egg_cup),
    _further("spinning top", ("toy tops",), "something", 0.085, 0.045, further.spinning_top),
    _further("party hat", ("paper hats",), "something", 0.165, 0.05, further.party_hat),
    _further("jar", ("lidded jars",), "something", 0.105, 0.05, further.jar),
    _further("candle", ("wax candles",), "something", 0.13, 0.034, further.candle),
    _further("pepper mill", ("mills",), "something", 0.17, 0.03, further.pepper_mill),
    _further("spool", ("spools of thread",), "something", 0.075, 0.038, further.spool),
    _further("roll of tape", ("tapes",), "something", 0.037, 0.052, further.tape, "rolls of tape"),
    _further("flower pot", ("empty pots",), "something", 0.1, 0.06, further.flower_pot),
    _further("skittle", ("pins",), "something", 0.2, 0.04, further.skittle),
    _further("battery", ("power cells",), "something", 0.12, 0.034, further.battery, "batteries"),
    _further("wheel", ("toy wheels",), "something", 0.03, 0.057, further.wheel),
    # More balls than the one that is counted: without them eyes call every plain round thing an apple.
    _further("rubber ball", ("bouncy balls",), "sports ball", 0.065, 0.0325, further.rubber_ball),
    _further("tennis ball", ("practice balls",), "sports ball", 0.064, 0.032, further.tennis_ball),
    _further("football", ("soccer balls",), "sports ball", 0.135, 0.0675, further.football),
)
KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("mug", "mugs", ("cups", "coffee mugs", "coffee cups"), "cup", 0.1, 0.05, _mug),
        Kind("bottle", "bottles", ("drink bottles", "flasks"), "bottle", 0.25, 0.04, _bottle),
        Kind("bowl", "bowls", ("dishes",), "bowl", 0.07, 0.09, _bowl),
        Kind("book", "books", ("volumes", "hardbacks"), "book", 0.03, 0.13, _book),
        Kind("ball", "balls", ("toy balls",), "sports ball", 0.14, 0.08, _ball),
        Kind("apple", "apples", ("pieces of fruit",), "apple", 0.08, 0.045, _apple),
        Kind("plant", "potted plants", ("plants", "house plants"), "potted plant", 0.35, 0.09, _plant),
        Kind("chair", "chairs", ("seats",), "chair", 0.95, 0.3, _chair),
        Kind("vase", "vases", ("flower vases",), "vase", 0.24, 0.065, vase, True),
        Kind("can", "cans", ("drink cans", "tins"), "bottle", 0.12, 0.035, can, True),
        Kind("doughnut", "doughnuts", ("donuts",), "donut", 0.035, 0.052, doughnut, True),
        *_FURTHER,
    )
}


def nouns(split: str, *wanted: str) -> list[str]:
    """The kinds of a split, in a fixed order; all of them, or those wanted. Further ones always are."""
    return [name for name, kind in KINDS.items() if _belongs(kind, split, wanted)]


def _belongs(kind: Kind, split: str, wanted: tuple[str, ...]) -> bool:
    if kind.further:
        return split == "assorted"
    return kind.unseen == (split == "unseen") and (not wanted or kind.name in wanted)
