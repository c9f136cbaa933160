"""Random percepts of a small layout, for tests of what comes after the eyes."""

import numpy as np

from stamina_video.backbone.perception import Percept, PerceptLayout

LAYOUT = PerceptLayout(appearance=10, names=6, motion=3, colour=4, life=2, detections=4, grid=2, regions=2)


def a_percept(seed: int, tokens: int = 5, layout: PerceptLayout = LAYOUT) -> Percept:
    rng = np.random.default_rng(seed)

    def normal(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return rng.standard_normal(shape).astype(np.float32)

    return Percept(
        appearance_NP=normal(tokens, layout.appearance),
        boxes_N4=rng.random((tokens, 4)).astype(np.float32),
        names_NS=normal(tokens, layout.names),
        scores_N=rng.random(tokens).astype(np.float32),
        motion_NM=normal(tokens, layout.motion),
        colour_NC=normal(tokens, layout.colour),
        life_NL=normal(tokens, layout.life),
        kind_N=rng.integers(0, 4, tokens).astype(np.int8),
        seat_N=rng.permutation(np.arange(-1, layout.seats))[:tokens].astype(np.int8),
    )
