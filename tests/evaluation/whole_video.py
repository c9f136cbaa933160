"""The sensor's rates over a whole video at once: what rates of a growing video are held to, bit for bit."""

import numpy as np

from stamina_video.evaluation.recurrence import AT_REST, STILL, Floats, Indices, _periods


def whole_cycle_rates(pixels_TP: Floats, half: int) -> Floats:
    """Cycles per frame around each frame; windows reach `half` frames each way."""
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


def _window_variance(pixels_TP: Floats, low_T: Indices, high_T: Indices) -> Floats:
    size_T = high_T - low_T
    mean_TP = _window_sums(pixels_TP, low_T, high_T) / size_T[:, None]
    square_T = _window_sums((pixels_TP**2).sum(1), low_T, high_T) / size_T
    variance_T: Floats = np.maximum(square_T - (mean_TP**2).sum(1), 0.0)
    return variance_T


def _lag_differences(pixels_TP: Floats, low_T: Indices, high_T: Indices, lags: int) -> Floats:
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


def _window_sums(values: Floats, low_T: Indices, high_T: Indices) -> Floats:
    running = np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, 0)])
    return np.asarray(running[high_T] - running[low_T])
