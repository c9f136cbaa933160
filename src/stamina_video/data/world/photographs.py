"""The world around: views as a camera would take them, out of focus, open ground, brick walls."""

import numpy as np

from stamina_video.data.world.dice import Dice
from stamina_video.data.world.texture import Colour, Image, X, Y, blend, noise, rough, scale


def street(dice: Dice, colour: Colour) -> Image:
    """Sky over buildings with windows, trees, and ground."""
    horizon = dice.between(0.4, 0.65)
    sky = blend((0.95, 0.96, 0.97), (dice.between(0.5, 0.8), 0.75, 0.9), np.clip(1 - Y / horizon, 0, 1))
    sky += 0.25 * (rough(dice, 3, 5)[..., None] - 0.5)
    image = np.where((horizon > Y)[..., None], sky, _ground(dice, colour))
    left = 0.0
    while left < 1:
        wide, high = dice.between(0.08, 0.3), dice.between(0.1, horizon)
        front = (left <= X) & (left + wide > X) & (horizon - high < Y) & (horizon + 0.05 > Y)
        wall = np.array([dice.between(0.2, 0.75)] * 3) + (dice.grid(1, 3) - 0.5) * 0.1
        panes = ((X * dice.whole(14, 30)) % 1 < 0.5) & ((Y * dice.whole(14, 30)) % 1 < 0.55)
        facade = np.where(panes[..., None], wall * dice.between(0.35, 1.3), wall)
        image = np.where(front[..., None], facade, image)
        left += wide * dice.between(0.8, 1.6)
    leaves = rough(dice, 5, 5)
    trees = (leaves > 0.53) & (np.abs(Y - horizon) < dice.between(0.1, 0.3))
    foliage = blend((0.05, 0.1, 0.04), (0.35, 0.45, 0.2), rough(dice, 24, 3))
    return _photographed(dice, np.where(trees[..., None], foliage, image))


def meadow(dice: Dice, colour: Colour) -> Image:
    """Open ground as far as a line of trees, under the sky."""
    horizon = dice.between(0.45, 0.6)
    sky = blend((0.93, 0.95, 0.97), (dice.between(0.35, 0.8), 0.7, 0.92), np.clip(1 - Y / horizon, 0, 1))
    sky += 0.15 * (rough(dice, 3, 5)[..., None] - 0.5)
    image = np.where((horizon > Y)[..., None], sky, _ground(dice, colour))
    tops = horizon - 0.02 - dice.between(0.03, 0.25) * rough(dice, 6)
    foliage = blend((0.05, 0.09, 0.04), (0.36, 0.44, 0.24), rough(dice, 20))
    return _photographed(dice, np.where(((tops < Y) & (horizon + 0.01 > Y))[..., None], foliage, image))


def hall(dice: Dice, colour: Colour) -> Image:
    """The wall of a gymnasium: boards, a painted foot, banners."""
    tone = dice.pick(((0.62, 0.45, 0.28), (0.35, 0.4, 0.5), (0.5, 0.5, 0.5), colour))
    image = blend(scale(tone, 0.7), scale(tone, 1.15), rough(dice, 8))
    image = image * np.where((X * dice.whole(4, 12)) % 1 < 0.06, 0.7, 1.0)[..., None]
    image = np.where((dice.between(0.6, 0.8) < Y)[..., None], dice.grid(1, 3) * 0.6, image)
    for _ in range(dice.whole(1, 5)):
        left, top = dice.between(0, 0.8), dice.between(0.05, 0.5)
        wide, high = dice.between(0.05, 0.3), dice.between(0.05, 0.25)
        banner = (left < X) & (left + wide > X) & (top < Y) & (top + high > Y)
        image = np.where(banner[..., None], dice.grid(1, 3) * dice.between(0.3, 1.2), image)
    return _photographed(dice, image)


def greenery(dice: Dice, colour: Colour) -> Image:  # noqa: ARG001  a surface is given a colour
    """Leaves and light between them."""
    leaves = blend((0.03, 0.08, 0.03), (0.45, 0.55, 0.25), rough(dice, 8, 5))
    light = np.clip((rough(dice, 6, 3) - 0.55) * 5, 0, 1)[..., None]
    return _photographed(dice, leaves * (1 - light) + light * np.asarray((0.9, 0.93, 0.95)))


def shelves(dice: Dice, colour: Colour) -> Image:
    """Boards full of things of all colours."""
    image = blend(scale(colour, 0.4), scale(colour, 0.6), rough(dice, 3))
    boards = dice.whole(3, 6)
    for board in range(boards):
        left, foot = 0.0, (board + 0.94) / boards
        while left < 1:
            wide, high = dice.between(0.015, 0.09), dice.between(0.3, 0.85) / boards
            thing = (left <= X) & (left + wide > X) & (foot - high < Y) & (foot > Y)
            across = np.clip((X - left) / wide, 0, 1)
            round_ = 0.55 + 0.9 * across * (1 - across) * 2
            grey = dice.between(0.15, 0.8)
            paint = grey + (dice.grid(1, 3) - 0.5) * dice.pick((0.15, 0.3, 0.6))
            image = np.where(thing[..., None], paint * round_[..., None], image)
            left += wide * dice.between(1.0, 1.5)
        edge = (foot <= Y) & (foot + 0.02 > Y)
        image = np.where(edge[..., None], np.asarray(colour) * 0.8, image)
    return _photographed(dice, image)


def lawn(dice: Dice, colour: Colour) -> Image:
    """Grass, worn in places."""
    blades = 0.6 * rough(dice, 24, 3, 2) + 0.4 * rough(dice, 3, 4)
    return blend(scale(colour, 0.45), scale(colour, 1.35), np.clip(1.6 * blades - 0.3, 0, 1))


def asphalt(dice: Dice, colour: Colour) -> Image:
    """A road or a court, with painted lines."""
    image = blend(scale(colour, 0.75), scale(colour, 1.2), 0.5 * rough(dice, 48, 3) + 0.5 * rough(dice, 3, 4))
    across, along, thick = dice.between(0.1, 0.9), dice.between(0.1, 0.9), dice.between(0.01, 0.03)
    lines = (np.abs(X - across) < thick) | ((np.abs(Y - along) < thick) & dice.chance(0.5))
    worn = np.clip(2.5 * rough(dice, 12, 4) - 0.4, 0, 1) * lines
    return np.asarray(image * (1 - worn[..., None]) + 0.85 * worn[..., None])


def bricks(dice: Dice, colour: Colour) -> Image:
    """A wall of bricks, painted or bare."""
    tone = dice.pick(((0.55, 0.34, 0.27), (0.45, 0.3, 0.26), colour))
    row = np.floor(Y * 16)
    along = X * 6 + 0.5 * (row % 2)
    burnt = dice.grid(16, 7)[row.astype(int), np.floor(along).astype(int) % 6]
    image = blend(scale(tone, 0.7), scale(tone, 1.2), 0.6 * burnt + 0.4 * rough(dice, 24, 3))
    mortar = (along % 1 < 0.05) | ((Y * 16) % 1 < 0.12)
    return np.asarray(np.where(mortar[..., None], np.asarray((0.62, 0.6, 0.57)), image))


def _ground(dice: Dice, colour: Colour) -> Image:
    tone = dice.pick(((0.35, 0.35, 0.36), (0.5, 0.47, 0.42), (0.3, 0.38, 0.2), scale(colour, 0.6)))
    return blend(scale(tone, 0.75), scale(tone, 1.2), rough(dice, 5, 6, 3))


def _photographed(dice: Dice, image: Image) -> Image:
    """Uneven light, the detail of real surfaces, and a lens that is focused on something nearer."""
    image = image * (0.6 + 0.8 * noise(dice, 2))[..., None] + 0.12 * (rough(dice, 16, 4) - 0.5)[..., None]
    for _ in range(dice.whole(1, 4)):
        image = (image + np.roll(image, 1, 0) + np.roll(image, 1, 1) + np.roll(image, -1, 0)) / 4
    # A wall's texture begins at its foot.
    return np.asarray(image[::-1])
