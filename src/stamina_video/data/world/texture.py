"""Procedural surfaces: wood, cloth, tiles, plaster and patterns. Colours are bytes as displayed."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stamina_video.data.world.dice import Dice
from stamina_video.data.world.shade import TEXTURE

Colour = tuple[float, float, float]  # 0 to 1, as displayed
Field = NDArray[np.float64]
Image = NDArray[np.float64]

Y, X = np.mgrid[0:TEXTURE, 0:TEXTURE] / TEXTURE


def noise(dice: Dice, cells_x: int, cells_y: int | None = None) -> Field:
    """Smooth, tiling noise from 0 to 1 with so many cells along a side."""
    cells_y = cells_y or cells_x
    grid = dice.grid(cells_y, cells_x)
    fx, fy = X * cells_x, Y * cells_y
    x0, y0 = np.floor(fx).astype(int), np.floor(fy).astype(int)
    sx, sy = fx - x0, fy - y0
    sx, sy = sx * sx * (3 - 2 * sx), sy * sy * (3 - 2 * sy)
    x0, y0 = x0 % cells_x, y0 % cells_y
    x1, y1 = (x0 + 1) % cells_x, (y0 + 1) % cells_y
    top = grid[y0, x0] * (1 - sx) + grid[y0, x1] * sx
    bottom = grid[y1, x0] * (1 - sx) + grid[y1, x1] * sx
    return np.asarray(top * (1 - sy) + bottom * sy)


def rough(dice: Dice, cells: int, octaves: int = 4, stretch: int = 1) -> Field:
    """Noise over several scales, 0 to 1."""
    total, weight = np.zeros((TEXTURE, TEXTURE)), 0.0
    for octave in range(octaves):
        scale = cells * 2**octave
        total += noise(dice, min(scale, TEXTURE), min(scale * stretch, TEXTURE)) / 2**octave
        weight += 1 / 2**octave
    return np.asarray(total / weight)


def blend(a: Colour, b: Colour, share: Field) -> Image:
    return np.asarray(np.asarray(a) * (1 - share[..., None]) + np.asarray(b) * share[..., None])


def shift(colour: Colour, by: float) -> Colour:
    return (colour[0] + by, colour[1] + by, colour[2] + by)


def scale(colour: Colour, by: float) -> Colour:
    return (colour[0] * by, colour[1] * by, colour[2] * by)


class Surface(Protocol):
    def __call__(self, dice: Dice, colour: Colour) -> Image: ...


def plain(dice: Dice, colour: Colour) -> Image:
    return blend(shift(colour, -0.025), shift(colour, 0.025), rough(dice, 6))


def wood(dice: Dice, colour: Colour) -> Image:
    planks = dice.whole(2, 4)
    row = np.floor(Y * planks)
    warp = rough(dice, 2, 3, 4) * 3.0
    grain = Y * planks * 7 + warp + row * 3.7
    rings = np.abs((grain - np.floor(grain)) * 2 - 1)
    fine = rough(dice, 4, 3, 24)
    tone = 0.35 * rings + 0.5 * fine + 0.25 * ((row * 0.618) % 1.0)
    image = blend(scale(colour, 0.62), scale(colour, 1.12), np.clip(tone, 0, 1))
    edge = (Y * planks) % 1.0
    return np.asarray(image * np.where((edge < 0.012) | (edge > 0.988), 0.55, 1.0)[..., None])


def cloth(dice: Dice, colour: Colour) -> Image:
    weave = ((np.floor(X * 64) + np.floor(Y * 64)) % 2) * 0.08
    image = blend(shift(colour, -0.06), shift(colour, 0.05), rough(dice, 5, 3)) - weave[..., None]
    if dice.chance(0.5):
        stripes = dice.whole(2, 5)
        band = ((X * stripes) % 1.0 < 0.3) * 0.5 + ((Y * stripes) % 1.0 < 0.3) * 0.5
        other = (dice.between(0.2, 0.95), dice.between(0.2, 0.95), dice.between(0.2, 0.95))
        image = image * (1 - 0.6 * band[..., None]) + np.asarray(other) * 0.6 * band[..., None]
    return np.asarray(image)


def tiles(dice: Dice, colour: Colour) -> Image:
    count = dice.whole(2, 5)
    shade = dice.grid(count, count)
    row, column = np.floor(Y * count).astype(int), np.floor(X * count).astype(int)
    fx, fy = (X * count) % 1.0, (Y * count) % 1.0
    grout = (fx < 0.04) | (fy < 0.04)
    tone = 0.5 * shade[row, column] + 0.5 * rough(dice, 6, 4)
    image = blend(shift(colour, -0.07), shift(colour, 0.06), tone)
    return np.asarray(np.where(grout[..., None], np.asarray(colour) * 0.6 + 0.12, image))


def stone(dice: Dice, colour: Colour) -> Image:
    veins = np.abs(rough(dice, 3, 5) - 0.5) * 6
    return blend(scale(colour, 0.7), shift(colour, 0.05), np.clip(veins, 0, 1))


def speckled(dice: Dice, colour: Colour) -> Image:
    fine = np.repeat(np.repeat(dice.grid(TEXTURE // 2, TEXTURE // 2), 2, 0), 2, 1)
    return blend(scale(colour, 0.75), shift(colour, 0.08), 0.7 * fine + 0.3 * rough(dice, 4))


def card(dice: Dice, colour: Colour) -> Image:
    flutes = ((X * 40) % 1.0 < 0.5) * 0.15
    return blend(shift(colour, -0.07), shift(colour, 0.04), np.clip(rough(dice, 4, 5) + flutes, 0, 1))


def striped(dice: Dice, colour: Colour) -> Image:
    bands = dice.whole(3, 6)
    light = (0.94, 0.93, 0.88) if sum(colour) < 2.2 else (0.2, 0.2, 0.3)
    return blend(colour, light, ((Y * bands) % 1.0 < dice.between(0.3, 0.5)).astype(float))


def dotted(dice: Dice, colour: Colour) -> Image:
    count = dice.whole(4, 7)
    fx, fy = (X * count * 2) % 1.0 - 0.5, (Y * count) % 1.0 - 0.5
    light = (0.95, 0.94, 0.9) if sum(colour) < 2.2 else (0.75, 0.2, 0.25)
    return blend(colour, light, (fx * fx + fy * fy < 0.07).astype(float))


def banded(dice: Dice, colour: Colour) -> Image:
    low, high = dice.between(0.15, 0.3), dice.between(0.32, 0.45)
    light = (0.93, 0.9, 0.82) if sum(colour) < 2.0 else (0.35, 0.25, 0.2)
    return blend(colour, light, ((low < Y) & (high > Y)).astype(float))


def picture(dice: Dice, colour: Colour) -> Image:
    """A framed print: soft shapes on a gradient."""
    image = blend(colour, (dice.between(0, 1), dice.between(0, 1), dice.between(0, 1)), Y)
    for _ in range(dice.whole(3, 8)):
        cx, cy, r = dice.between(0.1, 0.9), dice.between(0.1, 0.9), dice.between(0.05, 0.3)
        inside = ((X - cx) ** 2 + (Y - cy) ** 2 < r * r).astype(float) * 0.8
        image = image * (1 - inside[..., None]) + inside[..., None] * dice.grid(1, 3)
    frame = (np.minimum(np.minimum(X, 1 - X), np.minimum(Y, 1 - Y)) < 0.05)[..., None]
    return np.asarray(np.where(frame, np.asarray((0.25, 0.18, 0.12)), image))


def label(dice: Dice, colour: Colour) -> Image:
    """A printed label around a bottle or can: band, block letters, a mark."""
    image = plain(dice, colour)
    band = (Y > 0.3) & (Y < 0.6)
    paper = np.asarray((0.93, 0.92, 0.86))
    ink = dice.grid(1, 3) * 0.6
    letters = np.repeat(np.repeat(dice.grid(16, 32) > 0.55, 16, 0), 8, 1)
    written = band & letters & (Y > 0.38) & (Y < 0.5)
    image = np.where(band[..., None], paper, image)
    return np.asarray(np.where(written[..., None], ink, image))
