"""What a camera makes of light: blur by motion and by the lens, exposure, grading, grain. Arrays only.

Colours come in linear; the square root is the display's gamma, exact on every machine.
"""

import numpy as np

from stamina_video.data.world.raster import F32, F64, U8, compiled

NEARBY = 3  # pixels: what moves smears into its surroundings
TAPS = 6


@compiled
def smear(image: F32, motion: F32, work: F32) -> None:
    """Motion blur: the mean along the way that the fastest point nearby has come."""
    height, width = image.shape[:2]
    work[:] = image
    for y in range(height):
        for x in range(width):
            mx, my = motion[y, x, 0], motion[y, x, 1]
            for step in range(4):
                aside = NEARBY if step % 2 else -NEARBY
                ny = min(max(y + (aside if step < 2 else 0), 0), height - 1)
                nx = min(max(x + (aside if step >= 2 else 0), 0), width - 1)
                ox, oy = motion[ny, nx, 0], motion[ny, nx, 1]
                if ox * ox + oy * oy > mx * mx + my * my:
                    mx, my = ox, oy
            if mx * mx + my * my < 0.3:
                continue
            for k in range(3):
                total = 0.0
                for tap in range(TAPS):
                    share = tap / (TAPS - 1) - 0.5
                    ty = min(max(int(np.floor(y + my * share + 0.5)), 0), height - 1)
                    tx = min(max(int(np.floor(x + mx * share + 0.5)), 0), width - 1)
                    total += work[ty, tx, k]
                image[y, x, k] = total / TAPS


@compiled
def soften(image: F32, radius: float, work: F32) -> None:
    """A small blur along rows and columns: the taps weigh (r, 1, r)."""
    height, width = image.shape[:2]
    side, whole = radius, 1.0 / (1.0 + 2.0 * radius)
    for y in range(height):
        for x in range(width):
            left, right = max(x - 1, 0), min(x + 1, width - 1)
            for k in range(3):
                work[y, x, k] = (image[y, x, k] + side * (image[y, left, k] + image[y, right, k])) * whole
    for y in range(height):
        upper, lower = max(y - 1, 0), min(y + 1, height - 1)
        for x in range(width):
            for k in range(3):
                image[y, x, k] = (work[y, x, k] + side * (work[upper, x, k] + work[lower, x, k])) * whole


@compiled
def develop(
    image: F32, exposure: float, vignette: float, grade: F64, noise: float, seed: int, out: U8
) -> None:
    """Exposure, vignette, shoulder, gamma, grading and sensor noise, to bytes."""
    height, width = image.shape[:2]
    saturation, contrast, lift = grade[0], grade[1], grade[2]
    shown = np.empty(3)
    for y in range(height):
        v = (y + 0.5) / height - 0.5
        for x in range(width):
            u = (x + 0.5) / width - 0.5
            dark = exposure * (1.0 - vignette * (u * u + v * v))
            for k in range(3):
                value = image[y, x, k] * dark
                # A shoulder keeps highlights from clipping hard.
                shown[k] = np.sqrt(value * (1.0 + value * 0.16) / (1.0 + value * 0.75))
            grey = 0.3 * shown[0] + 0.6 * shown[1] + 0.1 * shown[2]
            for k in range(3):
                value = min(max((grey + (shown[k] - grey) * saturation) * grade[3 + k], 0.0), 1.0)
                value += contrast * (value * value * (3.0 - 2.0 * value) - value)
                value = lift + value * (1.0 - lift)
                level = value * 255.0 + _grain(seed, y, x, k) * noise * (0.6 + value * 0.6)
                out[y, x, k] = np.uint8(min(max(np.floor(level + 0.5), 0.0), 255.0))


@compiled
def _grain(seed: int, y: int, x: int, k: int) -> float:
    """About normal noise from a hash of the place: the same draw on every machine."""
    h = np.uint32(seed) ^ np.uint32(y * 73856093 + x * 19349663 + k * 83492791)
    total = 0.0
    for _ in range(2):
        h = np.uint32(h ^ np.uint32(h >> np.uint32(16))) * np.uint32(0x7FEB352D)
        h = np.uint32(h ^ np.uint32(h >> np.uint32(15))) * np.uint32(0x846CA68B)
        h = np.uint32(h ^ np.uint32(h >> np.uint32(16)))
        total += np.float64(h & np.uint32(0xFFFF)) + np.float64(h >> np.uint32(16))
    return (total / 65535.0 - 2.0) * 1.7
