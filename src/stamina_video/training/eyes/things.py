"""What a trained spotter finds in glances beside what was there: the lessons of all that reads things."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from queue import SimpleQueue

import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.perception.boxes import overlaps
from stamina_video.backbone.perception.efficientdet import Retina
from stamina_video.backbone.perception.finder import Seen, see
from stamina_video.backbone.perception.percept import Floats
from stamina_video.backbone.perception.spotter import Spotter
from stamina_video.backbone.threads import one_thread
from stamina_video.training.eyes.glance import Glance

# K things found

# Overlap over union: from the first on a thing is the other, below the second it is none.
SAME, APART = 0.5, 0.3
NOTHING, UNCLEAR = -1, -2  # no thing, or one that may be told or not


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """K things of one glance. `there_K` is the place in what was told, or one of the two above."""

    seen: Seen
    there_K: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.seen)


def found(
    retinas: Sequence[Retina],
    spotter: Spotter,
    glances: Sequence[Glance],
    report: Callable[[int, int], None],
) -> list[Found]:
    """In the order of the glances, whichever retina was free to look."""
    idle: SimpleQueue[Retina] = SimpleQueue()
    for retina in retinas:
        idle.put(retina)

    def look(glance: Glance) -> Found:
        retina = idle.get()
        try:
            return _found(retina, spotter, glance)
        finally:
            idle.put(retina)

    things = []
    with one_thread(), ThreadPoolExecutor(len(retinas)) as looking:
        for number, one in enumerate(looking.map(look, glances)):
            things.append(one)
            report(number, len(glances))
    return things


def _found(retina: Retina, spotter: Spotter, glance: Glance) -> Found:
    maps = tuple(one_HWC.astype(np.float32) for one_HWC in glance.sight.maps)
    seen = see(retina, spotter, glance.image, replace(glance.sight, maps=maps))
    # Tens of thousands of patches are kept.
    seen = replace(seen, patches_KPPC=seen.patches_KPPC.astype(np.float16))
    return Found(seen, _there(seen.boxes_K4, glance))


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


def who(glance: Glance, one: Found) -> NDArray[np.int64]:
    """The individual's number, −1 of nothing, −2 where it is unclear."""
    return np.where(
        one.there_K >= 0, np.append(glance.told.who_K, -1)[np.maximum(one.there_K, -1)], one.there_K
    )
