"""What the frozen eyes saw in one observation: a bounded set of tokens. Knows nothing about models."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class TokenKind(IntEnum):
    DETECTION = 0  # a thing that was found
    GRID = 1  # one cell of the regular grid, there whether or not anything was found
    GLOBAL = 2  # the whole image
    REGION = 3  # something that moves or stands out, of no known class


@dataclass(frozen=True, slots=True)
class PerceptLayout:
    """How wide every part of a token is, and how many tokens of each kind there can be at most."""

    appearance: int = 368
    names: int = 86
    motion: int = 12
    colour: int = 19
    life: int = 37
    detections: int = 24
    grid: int = 7  # cells on a side
    regions: int = 8

    @property
    def most_tokens(self) -> int:
        return self.detections + self.grid**2 + self.regions + 1

    @property
    def seats(self) -> int:
        """Places that things keep while they are in view: detections', regions', and the whole image's."""
        return self.detections + self.regions + 1

    @property
    def widths(self) -> Mapping[str, int]:
        """Columns of every array of a percept; a vector of one number per token has none."""
        return {
            "appearance_NP": self.appearance,
            "boxes_N4": 4,
            "names_NS": self.names,
            "scores_N": 0,
            "motion_NM": self.motion,
            "colour_NC": self.colour,
            "life_NL": self.life,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Percept:
    """N tokens of one image. Boxes are (left, top, right, bottom) as fractions of the image."""

    appearance_NP: Floats
    boxes_N4: Floats
    names_NS: Floats
    scores_N: Floats
    motion_NM: Floats
    colour_NC: Floats
    life_NL: Floats
    kind_N: NDArray[np.int8]
    seat_N: NDArray[np.int8]  # −1 of a token that has none

    def __post_init__(self) -> None:
        for name, array in self.arrays().items():
            wanted = np.int8 if name in WHOLE_NUMBERS else np.float32
            assert array.dtype == wanted, f"{name} is {array.dtype}, not {np.dtype(wanted)}"
            assert len(array) == len(self), f"{name} has {len(array)} rows for {len(self)} tokens"

    def __len__(self) -> int:
        return len(self.kind_N)

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {name: getattr(self, name) for name in PERCEPT_ARRAYS}

    def of_kind(self, kind: TokenKind) -> NDArray[np.intp]:
        """The rows of this kind."""
        return np.flatnonzero(self.kind_N == kind)

    def fits(self, layout: PerceptLayout) -> bool:
        """Whether a model made for this layout can read it."""
        arrays = self.arrays()
        shapes_agree = all(
            arrays[name].shape == ((len(self), width) if width else (len(self),))
            for name, width in layout.widths.items()
        )
        return shapes_agree and len(self) <= layout.most_tokens


WHOLE_NUMBERS = ("kind_N", "seat_N")
PERCEPT_ARRAYS = (
    *("appearance_NP", "boxes_N4", "names_NS", "scores_N", "motion_NM", "colour_NC", "life_NL"),
    *WHOLE_NUMBERS,
)
