"""What a trained spotter finds in glances beside what was there: the lessons of all that reads things."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from stamina_video.backbone.perception.boxes import overlaps
from stamina_video.backbone.perception.colour import colour_field, survey
from stamina_video.backbone.perception.finder import in_image, spoken
from stamina_video.backbone.perception.percept import Floats
from stamina_video.backbone.perception.spotter import Spotter
from stamina_video.backbone.threads import one_thread
from stamina_video.training.eyes.glance import Glance

# K things found, V classes, O kinds, E features, C colour numbers

SAME, APART = (
    0.5,
    0.3,
)  # overlap over union: from the first on a thing is the other, below the second it is none


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """K things of one glance. `there_K` is the place in what was told, or one of the two below."""

    boxes_K4: Floats
    scores_K: Floats
    kinds_KO: Floats
    features_KE: Floats
    classes_KV: Floats
    colours_KC: Floats
    there_K: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.boxes_K4)


NOTHING, UNCLEAR = -1, -2  # no thing, or one that may be told or not


def found(spotter: Spotter, glances: Sequence[Glance]) -> list[Found]:
    with one_thread():  # one look is too little work for two
        return [_found(spotter, glance) for glance in glances]


def _found(spotter: Spotter, glance: Glance) -> Found:
    things = spotter.spot([one_HWC.astype(np.float32) for one_HWC in glance.sight.maps])
    boxes_K4 = in_image(things.boxes_K4, glance.sight)
    return Found(
        boxes_K4,
        things.scores_K,
        things.kinds_KO,
        things.features_KE,
        spoken(glance.sight, boxes_K4),
        survey(colour_field(glance.small_HW3), boxes_K4),
        _there(boxes_K4, glance),
    )


def _there(boxes_K4: Floats, glance: Glance) -> NDArray[np.int64]:
    """The best box of a thing shows it, a second one shows nothing. What may be there or not is unclear."""
    told = glance.told
    if not len(told) or not len(boxes_K4):
        return np.full(len(boxes_K4), NOTHING, np.int64)
    overlap_KT = overlaps(boxes_K4, told.boxes_K4)
    best_K = overlap_KT.argmax(axis=1)
    most_K = overlap_KT.max(axis=1)
    is_best_K = overlap_KT.argmax(axis=0)[best_K] == np.arange(len(best_K))
    is_clear_K = (most_K >= SAME) & told.sure_K[best_K] & is_best_K
    may_be_K = (most_K >= APART) & (~told.sure_K[best_K] | is_best_K)
    there_K = np.where(is_clear_K, best_K, np.where(may_be_K, UNCLEAR, NOTHING))
    return np.asarray(there_K, np.int64)


def tensors(*arrays: Sequence[Floats]) -> list[torch.Tensor]:
    """Those of all glances, end to end."""
    return [torch.from_numpy(np.concatenate(parts).astype(np.float32)) for parts in arrays]


def who(glance: Glance, one: Found) -> NDArray[np.int64]:
    """The individual's number, −1 of nothing, −2 where it is unclear."""
    return np.where(
        one.there_K >= 0, np.append(glance.told.who_K, -1)[np.maximum(one.there_K, -1)], one.there_K
    )
