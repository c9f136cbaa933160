"""What the motion channels of a thing's box would show: its displacement, the camera's, and their noise."""

import numpy as np

from stamina_video.data.perception.draws import normal
from stamina_video.data.perception.statistics import Statistics
from stamina_video.data.perception.stream import MOTION, Floats
from stamina_video.data.perception.things import Things

MOVES = 100 / 256  # hundredths of the longer side: one pixel of the thumbnail that flow is seen on
FARTHEST = 12.0  # hundredths; flow does not follow what moves farther between two observations


def flow_of(things: Things, statistics: Statistics, dice: np.random.Generator) -> Floats:
    centres_TE2 = (things.boxes_TE4[..., :2] + things.boxes_TE4[..., 2:]) / 2 * things.scale_2
    seen_TE = things.shown_TE > 0
    moved_TE2 = np.zeros_like(centres_TE2)
    followed = seen_TE[1:] & seen_TE[:-1]
    moved_TE2[1:] = np.where(followed[..., None], np.diff(centres_TE2, axis=0), things.drift_TE2[1:])
    own_TE2 = statistics.flow_gain * np.clip(moved_TE2 - things.drift_TE2, -FARTHEST, FARTHEST)
    own_TE2 = own_TE2 + statistics.flow_noise * normal(dice, moved_TE2.shape)
    all_TE2 = own_TE2 + things.drift_TE2
    speed_TE, own_speed_TE = (np.hypot(part[..., 0], part[..., 1]) for part in (all_TE2, own_TE2))
    moving_TE = np.where(own_speed_TE > MOVES, statistics.flow_gain, 0.0)
    motion_TEM = np.stack(
        [
            np.ones_like(speed_TE),
            *(all_TE2[..., 0], all_TE2[..., 1], speed_TE, 0.5 * own_speed_TE),
            *(own_TE2[..., 0], own_TE2[..., 1], own_speed_TE),
            *(moving_TE, moving_TE),
            statistics.difference[0] + statistics.difference[1] * own_speed_TE,
            statistics.standing_out[0] + statistics.standing_out[1] * own_speed_TE,
        ],
        axis=-1,
    )
    assert motion_TEM.shape[-1] == len(MOTION), "every channel has a value"
    motion_TEM[:1] = 0.0  # nothing is known at the first observation
    return np.asarray(motion_TEM, np.float32)
