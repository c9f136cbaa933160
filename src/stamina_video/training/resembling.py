"""Scenes whose individuals resemble each other: their marks lie nearer together than the eyes saw them.

Simulated people differ more than filmed ones do. Whoever learns from them alone when somebody is new takes
every filmed one for somebody who was there before.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stamina_video.backbone.perception import Percept
from stamina_video.backbone.perception.linking import MARKED
from stamina_video.backbone.perception.percept import Floats
from stamina_video.semantics import Observation
from stamina_video.training.sample import Sample


def resembling(sample: Sample, share: float, seed: int) -> Sample:
    """All marks have this share in common; what is told of the sample stays true."""
    common_M = np.random.default_rng(seed).standard_normal(MARKED)
    common_M = (share * common_M / np.linalg.norm(common_M)).astype(np.float32)

    def read() -> Sequence[Observation]:
        return [replace(one, image=resembling_percept(one.image, common_M)) for one in sample.read()]

    return replace(sample, id=f"{sample.id} resembling", read=read)


def resembling_percept(percept: Percept, common_M: Floats) -> Percept:
    """Marks keep their length of one; tokens without one get none."""
    marks_NM = percept.appearance_NP[:, -MARKED:].astype(np.float32)
    length_N1 = np.linalg.norm(marks_NM, axis=1, keepdims=True)
    share = float(np.linalg.norm(common_M))
    mixed_NM = common_M + (1 - share) * marks_NM
    mixed_NM *= length_N1 / np.maximum(np.linalg.norm(mixed_NM, axis=1, keepdims=True), 1e-6)
    appearance_NP = percept.appearance_NP.copy()
    appearance_NP[:, -MARKED:] = np.where(length_N1 > 0, mixed_NM, 0)
    return replace(percept, appearance_NP=appearance_NP)
