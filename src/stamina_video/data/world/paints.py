"""Every surface by its name, painted with the stains of use and halved for the distance."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from stamina_video.data.world.dice import Dice
from stamina_video.data.world.photographs import (
    asphalt,
    bricks,
    greenery,
    hall,
    lawn,
    meadow,
    shelves,
    street,
)
from stamina_video.data.world.texture import (
    Field,
    Image,
    Surface,
    banded,
    card,
    cloth,
    dotted,
    label,
    picture,
    plain,
    rough,
    speckled,
    stone,
    striped,
    tiles,
    wood,
)

STAINS = 8  # fields of stains that all textures share

SURFACES: dict[str, Surface] = {
    "plain": plain,
    "wood": wood,
    "cloth": cloth,
    "tiles": tiles,
    "stone": stone,
    "speckled": speckled,
    "card": card,
    "striped": striped,
    "dotted": dotted,
    "banded": banded,
    "picture": picture,
    "label": label,
    "street": street,
    "greenery": greenery,
    "meadow": meadow,
    "hall": hall,
    "shelves": shelves,
    "lawn": lawn,
    "asphalt": asphalt,
    "bricks": bricks,
}


def levels(image: Image) -> NDArray[np.uint8]:
    """The texture and its halvings down to 4 × 4, one after the other."""
    level = np.floor(np.clip(image, 0, 1) * 255 + 0.5)
    rows = [level.reshape(-1, 3)]
    while len(level) > 4:
        level = (level[0::2, 0::2] + level[1::2, 0::2] + level[0::2, 1::2] + level[1::2, 1::2]) / 4
        rows.append(level.reshape(-1, 3))
    return np.concatenate(rows).astype(np.uint8)


def paint(surface: str, colour: Sequence[float], seed: int) -> NDArray[np.uint8]:
    red, green, blue = colour
    clean = SURFACES[surface](Dice(seed), (red, green, blue))
    return levels(clean * _worn(seed % STAINS)[..., None])


@cache
def _worn(number: int) -> Field:
    """Light and dark patches and fine dirt: nothing real is one colour all over."""
    dice = Dice(number, STAINS)
    return np.asarray(1 + 0.35 * (rough(dice, 2, 3) - 0.5) + 0.22 * (rough(dice, 24, 3) - 0.5))
