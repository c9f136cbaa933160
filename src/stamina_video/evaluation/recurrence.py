"""Counts cycles by how a picture comes back to itself. A fixed sensor: no learning, no idea of what moves.

Around each moment, frames a lag apart are compared; the lag at which the picture recurs is the local
period, and the cycles up to a query are the sum of local rates. Only frames up to the query are used.
"""

import math

import numpy as np
import numpy.typing as npt

from stamina_video.semantics import InvalidInput

Floats = npt.NDArray[np.float64]

WINDOW = 6.0  # seconds looked at together; the longest period that can be seen is half of it
GRID = (24, 32)  # rows and columns a frame is reduced to
RECURS = 0.7  # a lag recurs if frames so far apart differ less than this share of unrelated ones
NEAR_BEST = 0.15  # the shortest lag about as good as the best is the period, longer ones its multiples
STILL = 0.02  # less variance than this share of the most seen is noise
AT_REST = 0.25  # less variance within a period than this share of its window's: the motion is elsewhere
NEARLY = 0.1  # of a cycle, so that a cycle ending at the query counts in spite of rounding


class PixelRecurrence:
    """Collects frames in order of time and estimates the completed cycles as of any of them."""

    def __init__(self, window: float = WINDOW) -> None:
        self._window = window
        self._times: list[float] = []
        self._frames: list[Floats] = []

    def observe(self, time: float, image: npt.ArrayLike) -> None:
        if self._times and time <= self._times[-1]:
            raise InvalidInput(f"expected a frame after {self._times[-1]:g} s, got one at {time:g} s")
        self._times.append(time)
        self._frames.append(reduced(image))

    def estimate(self, at: float) -> int:
        """Completed cycles seen in the frames up to `at`."""
        known = int(np.searchsorted(self._times, at, "right"))
        if known < 4:
            return 0
        pixels_TP = np.array(self._frames[:known]).reshape(known, -1)
        step = (self._times[known - 1] - self._times[0]) / (known - 1)
        rate_T = cycle_rates(pixels_TP, max(round(self._window / step / 2), 2))
        return math.floor(float(rate_T.sum()) + NEARLY)


def reduced(image: npt.ArrayLike) -> Floats:
    """A frame as a small grey grid of block means."""
    pixels = np.asarray(image, float)
    if pixels.ndim == 3:
        pixels = pixels.mean(2)
    if pixels.ndim != 2 or pixels.shape[0] < GRID[0] or pixels.shape[1] < GRID[1]:
        raise InvalidInput(f"expected an image of at least {GRID[1]}×{GRID[0]} pixels, got {pixels.shape}")
    edges = [
        np.linspace(0, size, cells, endpoint=False).astype(int)
        for size, cells in zip(pixels.shape, GRID, strict=True)
    ]
    sums = np.add.reduceat(np.add.reduceat(pixels, edges[0], 0), edges[1], 1)
    areas = np.outer(*(np.diff([*edge, size]) for edge, size in zip(edges, pixels.shape, strict=True)))
    return np.asarray(sums / areas)


def cycle_rates(pixels_TP: Floats, half: int) -> Floats:
    """Cycles per frame around each frame, 0 where nothing recurs; windows reach `half` frames each way."""
    frames = len(pixels_TP)
    moment_T = np.arange(frames)
    size = min(2 * half + 1, frames)
    low_T = np.clip(moment_T - half, 0, frames - size)  # near the ends the window leans inward
    high_T = low_T + size
    variance_T = _window_variance(pixels_TP, low_T, high_T)
    differs_TL = _lag_differences(pixels_TP, low_T, high_T, half + 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        differs_TL /= 2 * variance_T[:, None]  # 1 for unrelated frames, 0 for the same picture again
    moving_T = variance_T > STILL * variance_T.max()
    period_T = _periods(differs_TL)
    moving_T &= _period_variance(pixels_TP, period_T) > AT_REST * variance_T
    rate_T: Floats = np.where(moving_T & np.isfinite(period_T), 1 / period_T, 0.0)
    return rate_T


def _period_variance(pixels_TP: Floats, period_T: Floats) -> Floats:
    """Variance within one period around each frame: a window reaches motion its own frame is not part of."""
    reach_T = np.ceil(np.nan_to_num(period_T, nan=1.0) / 2).astype(np.intp)
    moment_T = np.arange(len(pixels_TP))
    low_T = np.maximum(moment_T - reach_T, 0)
    return _window_variance(pixels_TP, low_T, np.minimum(moment_T + reach_T + 1, len(pixels_TP)))


def _window_variance(pixels_TP: Floats, low_T: npt.NDArray[np.intp], high_T: npt.NDArray[np.intp]) -> Floats:
    size_T = high_T - low_T
    mean_TP = _window_sums(pixels_TP, low_T, high_T) / size_T[:, None]
    square_T = _window_sums((pixels_TP**2).sum(1), low_T, high_T) / size_T
    variance_T: Floats = np.maximum(square_T - (mean_TP**2).sum(1), 0.0)
    return variance_T


def _lag_differences(
    pixels_TP: Floats, low_T: npt.NDArray[np.intp], high_T: npt.NDArray[np.intp], lags: int
) -> Floats:
    """Mean squared difference of frames `lag` apart within each window; NaN where too few fit."""
    frames = len(pixels_TP)
    differs_TL = np.full((frames, lags + 1), np.nan)
    for lag in range(1, min(lags, frames - 1) + 1):
        squared = ((pixels_TP[lag:] - pixels_TP[:-lag]) ** 2).sum(1)
        first_T = np.minimum(low_T, frames - lag)
        last_T = np.clip(high_T - lag, first_T, frames - lag)
        pairs_T = last_T - first_T
        enough = pairs_T >= max(lag // 2, 2)
        sums_T = _window_sums(squared, first_T, last_T)
        differs_TL[enough, lag] = sums_T[enough] / pairs_T[enough]
    return differs_TL


def _periods(differs_TL: Floats) -> Floats:
    """The shortest lag that is a local minimum about as deep as the deepest, placed and sounded between lags.

    A period between two lags is seen on the flanks of its dip only, and would seem shallower than its double,
    which may fall on a lag: both flanks, taken as equally steep, meet at its true place and depth.
    """
    left, here, right = differs_TL[:, 1:-2], differs_TL[:, 2:-1], differs_TL[:, 3:]
    recurs_TL = (here <= left) & (here < right) & (here < RECURS)
    slope_TL = np.where(recurs_TL, np.maximum(left, right) - here, 1.0)  # above 0 where it recurs
    shift_TL = np.where(recurs_TL, (left - right) / (2 * slope_TL), 0.0)
    depth_TL = np.where(recurs_TL, np.maximum(here - slope_TL * np.abs(shift_TL), 0.0), np.inf)
    near_TL = recurs_TL & (depth_TL <= depth_TL.min(1, initial=np.inf)[:, None] + NEAR_BEST)
    row = np.flatnonzero(near_TL.any(1))
    column = near_TL[row].argmax(1)
    period_T = np.full(len(differs_TL), np.nan)
    period_T[row] = column + 2 + shift_TL[row, column]
    return period_T


def _window_sums(values: Floats, low_T: npt.NDArray[np.intp], high_T: npt.NDArray[np.intp]) -> Floats:
    running = np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, 0)])
    return np.asarray(running[high_T] - running[low_T])
