"""Counts cycles by how a picture comes back to itself. A fixed sensor: no learning, no idea of what moves.

Around each moment, frames a lag apart are compared; the lag at which the picture recurs is the local
period, and the cycles up to a query are the sum of local rates. Only frames up to the query are used.
"""

import math
from collections import deque

import numpy as np
import numpy.typing as npt

from stamina_video.semantics import InvalidInput

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

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
        self._cycles = CycleRates(0)

    def observe(self, time: float, image: npt.ArrayLike) -> None:
        if self._times and time <= self._times[-1]:
            raise InvalidInput(f"expected a frame after {self._times[-1]:g} s, got one at {time:g} s")
        self._times.append(time)
        self._frames.append(reduced(image).ravel())

    def estimate(self, at: float) -> int:
        """Completed cycles seen in the frames up to `at`; estimates in order of time cost the least."""
        known = int(np.searchsorted(self._times, at, "right"))
        if known < 4:
            return 0
        step = (self._times[known - 1] - self._times[0]) / (known - 1)
        half = max(round(self._window / step / 2), 2)
        if self._cycles.half != half or len(self._cycles) > known:
            self._cycles = CycleRates(half)
        for pixels_P in self._frames[len(self._cycles) : known]:
            self._cycles.add(pixels_P)
        return math.floor(float(self._cycles.rates().sum()) + NEARLY)


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


class CycleRates:
    """Cycles per frame around each frame, 0 where nothing recurs; windows reach `half` frames each way.

    Frames are added at the end. A window that no later frame can enter is looked at once.
    """

    def __init__(self, half: int) -> None:
        self.half = half
        self._recent: deque[Floats] = deque(maxlen=half + 1)
        self._pixels, self._squares, self._differences = _Running(), _Running(), _Running()
        self._settled = np.empty((3, 0))  # variance, period and the variance within it

    def __len__(self) -> int:
        return len(self._squares)

    def add(self, pixels_P: Floats) -> None:
        differs_L = np.zeros(self.half + 2)  # from the frame `lag` before; nothing where there is none
        if self._recent:
            squared = ((np.array(self._recent) - pixels_P) ** 2).sum(1)
            differs_L[1 : len(squared) + 1] = squared[::-1]
        self._recent.append(pixels_P)
        self._pixels.add(pixels_P)
        self._squares.add(np.asarray((pixels_P**2).sum()))
        self._differences.add(differs_L)

    def rates(self) -> Floats:
        around_3T = np.concatenate([self._settled, self._unsettled()], axis=1)
        if len(self) > 2 * self.half:  # until then every window is all there is, and grows
            self._settled = around_3T[:, : len(self) - self.half]
        variance_T, period_T, within_T = around_3T
        moving_T = (variance_T > STILL * variance_T.max()) & (within_T > AT_REST * variance_T)
        rate_T: Floats = np.where(moving_T & np.isfinite(period_T), 1 / period_T, 0.0)
        return rate_T

    def _unsettled(self) -> Floats:
        frames = len(self)
        moment_T = np.arange(self._settled.shape[1], frames)
        size = min(2 * self.half + 1, frames)
        low_T = np.clip(moment_T - self.half, 0, frames - size)  # near the ends the window leans inward
        variance_T = self._variance(low_T, low_T + size)
        differs_TL = self._lag_differences(low_T, size)
        with np.errstate(divide="ignore", invalid="ignore"):
            differs_TL /= 2 * variance_T[:, None]  # 1 for unrelated frames, 0 for the same picture again
        period_T = _periods(differs_TL)
        # A window reaches motion its own frame is not part of; one period around the frame does not.
        reach_T = np.ceil(np.nan_to_num(period_T, nan=1.0) / 2).astype(np.intp)
        within_T = self._variance(
            np.maximum(moment_T - reach_T, 0), np.minimum(moment_T + reach_T + 1, frames)
        )
        return np.stack([variance_T, period_T, within_T])

    def _variance(self, low_T: Indices, high_T: Indices) -> Floats:
        size_T = high_T - low_T
        first = int(low_T.min())
        pixels_SP, squares_S = self._pixels.since(first), self._squares.since(first)
        low_T, high_T = low_T - first, high_T - first
        mean_TP = (pixels_SP[high_T] - pixels_SP[low_T]) / size_T[:, None]
        square_T = (squares_S[high_T] - squares_S[low_T]) / size_T
        variance_T: Floats = np.maximum(square_T - (mean_TP**2).sum(1), 0.0)
        return variance_T

    def _lag_differences(self, low_T: Indices, size: int) -> Floats:
        """Mean squared difference of frames `lag` apart within each window; NaN where too few fit."""
        lag_L = np.arange(self.half + 2)
        enough_L = size - lag_L >= np.maximum(lag_L // 2, 2)
        pairs_L = np.where(enough_L, size - lag_L, np.nan)
        first = int(low_T.min())
        sums_SL = self._differences.since(first)
        low_T = low_T - first
        # A difference is filed under its later frame: a window's first pair ends `lag` frames after its low.
        before_TL = sums_SL[low_T[:, None] + np.minimum(lag_L, size), lag_L]
        return np.asarray((sums_SL[low_T + size] - before_TL) / pairs_L)


class _Running:
    """Sums from the first row on: what any window holds is one difference, the same bits at any length."""

    def __init__(self) -> None:
        self._sums: list[Floats] = []

    def __len__(self) -> int:
        return max(len(self._sums) - 1, 0)

    def add(self, row: Floats) -> None:
        if not self._sums:
            self._sums.append(np.zeros_like(row))
        self._sums.append(self._sums[-1] + row)

    def since(self, first: int) -> Floats:
        return np.array(self._sums[first:])


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
