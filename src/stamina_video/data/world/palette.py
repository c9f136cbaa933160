"""Named colours and patterns, some of them held out for testing."""

from matplotlib.colors import XKCD_COLORS, to_rgb

from stamina_video.data.world.dice import Dice
from stamina_video.data.world.texture import Colour
from stamina_video.semantics.colours import is_colour

COLOURS: dict[str, Colour] = {
    "red": (0.78, 0.12, 0.12),
    "blue": (0.13, 0.28, 0.72),
    "green": (0.15, 0.52, 0.22),
    "yellow": (0.92, 0.78, 0.14),
    "orange": (0.93, 0.47, 0.10),
    "white": (0.93, 0.92, 0.89),
    "black": (0.10, 0.10, 0.11),
    "brown": (0.42, 0.26, 0.15),
    "grey": (0.52, 0.53, 0.54),
    "pink": (0.93, 0.58, 0.68),
    "purple": (0.46, 0.20, 0.60),
    "turquoise": (0.15, 0.66, 0.66),
    "beige": (0.83, 0.75, 0.60),
}
UNSEEN_COLOURS = frozenset({"purple", "turquoise", "beige"})
_SURVEY = "xkcd:"
_CRUDE = ("poo", "shit", "puke", "barf", "vomit", "snot", "piss", "booger")
# What people call colours in the xkcd survey, without those that have a held-out word in them.
SURVEYED: dict[str, Colour] = {
    name.removeprefix(_SURVEY): to_rgb(name)
    for name in XKCD_COLORS
    if is_colour(name.removeprefix(_SURVEY)) and not any(word in name for word in (*UNSEEN_COLOURS, *_CRUDE))
}
PAINTS: dict[str, Colour] = SURVEYED | COLOURS
PATTERNS = ("plain", "striped", "dotted", "banded")

SKIN: tuple[Colour, ...] = (
    (0.93, 0.76, 0.65),
    (0.87, 0.67, 0.53),
    (0.76, 0.55, 0.40),
    (0.55, 0.37, 0.26),
    (0.38, 0.25, 0.18),
)
HAIR: tuple[Colour, ...] = ((0.10, 0.07, 0.05), (0.27, 0.17, 0.10), (0.55, 0.38, 0.20), (0.60, 0.60, 0.60))
WOODS: tuple[Colour, ...] = ((0.72, 0.52, 0.33), (0.50, 0.33, 0.20), (0.85, 0.70, 0.52), (0.36, 0.23, 0.15))
WALLS: tuple[Colour, ...] = (
    (0.86, 0.84, 0.79),
    (0.72, 0.78, 0.80),
    (0.80, 0.72, 0.62),
    (0.62, 0.68, 0.60),
    (0.55, 0.58, 0.66),
    (0.90, 0.88, 0.86),
)


def colours(split: str) -> list[str]:
    """The colours of a split, in a fixed order."""
    if split in ("varied", "assorted"):
        return list(SURVEYED)
    return [name for name in COLOURS if (name in UNSEEN_COLOURS) == (split == "unseen")]


def varied(dice: Dice, colour: Colour, by: float = 0.05) -> Colour:
    """The same colour as another batch of paint would have it."""
    return tuple(min(max(c + dice.between(-by, by), 0.02), 0.98) for c in colour)  # type: ignore[return-value]
