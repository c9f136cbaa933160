"""Random numbers that are the same in every version of numpy."""

import numpy as np
from scipy.special import ndtri

from stamina_video.data.perception.stream import Floats


def normal(dice: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    # Uniform draws are the same in every version of numpy; its normal ones are not.
    return np.asarray(ndtri(np.clip(dice.random(shape), 1e-9, 1 - 1e-9)), np.float32)
