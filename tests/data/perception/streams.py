"""Streams that several tests look at."""

from functools import lru_cache

import numpy as np

from stamina_video.data.perception import Stream, Things, shipped_statistics, simulate

FRAMES, THINGS = 60, 6


@lru_cache(maxsize=8)
def things(frames: int = FRAMES, number: int = THINGS, fps: float = 5.0) -> Things:
    """Things of many classes that drift slowly to the right, apart from each other, all in view."""
    step_T = np.arange(frames, dtype=np.float32)[:, None]
    left_TE = 0.02 + 0.002 * step_T + np.zeros(number, np.float32)
    top_TE = np.arange(number, dtype=np.float32) / number + 0 * step_T
    boxes_TE4 = np.stack([left_TE, top_TE, left_TE + 0.2, top_TE + 0.9 / number], axis=-1)
    return Things(
        np.arange(frames) / fps,
        np.arange(number) + 10,
        np.arange(number),
        boxes_TE4.astype(np.float32),
        np.ones((frames, number), np.float32),
        np.zeros((frames, number, 2), np.float32),
        np.full(2, 100, np.float32),
    )


@lru_cache(maxsize=16)
def stream(seed: int = 0) -> Stream:
    return simulate(things(), shipped_statistics(), seed)
