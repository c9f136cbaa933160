"""Which colour a description names, as a point of colour space; and what is left of it without the colour."""

import re
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from matplotlib.colors import XKCD_COLORS, to_rgb
from numpy.typing import NDArray

from stamina_video.backbone.names import PLAIN
from stamina_video.semantics.colours import is_colour

Floats = NDArray[np.float32]

_SURVEY = "xkcd:"  # what people call colours, asked by the thousands
_LONGEST = 3  # words of a name
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Painted:
    """A description taken apart: `lab_3` is None where it names no colour."""

    rest: str
    lab_3: Floats | None = None


def painted(description: str) -> Painted:
    """The first colour that something else follows: an orange is no colour, an orange mug has one."""
    words = [
        (match[0].strip(".,;:!?()").lower(), match.start(), match.end())
        for match in _WORD.finditer(description)
    ]
    known = _survey()
    for first in range(len(words)):
        for length in range(min(_LONGEST, len(words) - first - 1), 0, -1):
            name = " ".join(word for word, _, _ in words[first : first + length])
            if name in known and words[first + length][0] not in PLAIN:
                before, after = description[: words[first][1]], description[words[first + length - 1][2] :]
                return Painted(" ".join(f"{before} {after}".split()), known[name])
    return Painted(description)


def lab(rgb: tuple[float, float, float]) -> Floats:
    """CIE Lab of a colour given by its shares of red, green and blue."""
    return np.asarray(cv2.cvtColor(np.array([[rgb]], np.float32), cv2.COLOR_RGB2LAB)[0, 0], np.float32)


@cache
def _survey() -> dict[str, Floats]:
    names = (name.removeprefix(_SURVEY) for name in XKCD_COLORS)
    return {name: lab(to_rgb(_SURVEY + name)) for name in names if is_colour(name)}
