"""Samples without pictures: what a detector would have reported of a scene stands where percepts stood.

Appearance and colour of a box are not simulated, so these teach names, places, motion and time alone.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from stamina_video.backbone.names import Names
from stamina_video.backbone.perception import Percept, PerceptLayout, TokenKind
from stamina_video.data.perception import simulate_perception
from stamina_video.data.perception.stream import Reported, areas
from stamina_video.data.world import make_scene
from stamina_video.semantics import Observation
from stamina_video.training.filming import described
from stamina_video.training.footage import Take
from stamina_video.training.sample import Sample
from stamina_video.training.scenes import scene_lessons

# K boxes, N = K + 1 tokens: every box, and the whole image; V class names, S columns of the list of names

_NOWHERE = Path()  # footage without a file


def simulated_sample(take: Take, seed: int, names: Names, layout: PerceptLayout) -> Sample:
    """A scene perceived with the noise of a seed, and the lessons its truth gives."""
    scene = make_scene(take.family, take.seed, take.split, take.seconds)
    stream = simulate_perception(scene, seed=seed, fps=take.fps)
    footage = described(scene, take, [scene.boxes(time) for time in take.times], _NOWHERE)
    name = f"{take.name}-simulated-{seed}"

    def read() -> list[Observation]:
        return [
            Observation(
                name, number, time, percept_of(stream.at(number), names, stream.vocabulary, layout), number
            )
            for number, time in enumerate(take.times)
        ]

    return Sample(name, read, scene_lessons(footage), take.family)


def percept_of(seen: Reported, names: Names, vocabulary: Sequence[str], layout: PerceptLayout) -> Percept:
    """The boxes as detections, best first, and the whole image, which shows a little of each."""
    kept = slice(0, layout.detections)
    labels_KV, scores_K = seen.labels_KV[kept], seen.scores_K[kept]
    names_KS = names.told(vocabulary, labels_KV)
    found_K = scores_K * areas(seen.boxes_K4[kept])
    whole_1S = (found_K @ names_KS / max(found_K.sum(), 1.0))[None]
    motion_1M = seen.motion_KM[kept].mean(0, keepdims=True) if len(scores_K) else np.zeros((1, layout.motion))
    tokens = len(scores_K) + 1
    kind_N = np.full(tokens, TokenKind.DETECTION, np.int8)
    kind_N[-1] = TokenKind.GLOBAL
    return Percept(
        appearance_NP=np.zeros((tokens, layout.appearance), np.float32),
        boxes_N4=np.concatenate([seen.boxes_K4[kept], [[0, 0, 1, 1]]]).astype(np.float32),
        names_NS=np.concatenate([names_KS, whole_1S]).astype(np.float32),
        scores_N=np.append(scores_K, found_K.max(initial=0)).astype(np.float32),
        motion_NM=np.concatenate([seen.motion_KM[kept], motion_1M]).astype(np.float32),
        colour_NC=np.zeros((tokens, layout.colour), np.float32),
        life_NL=np.zeros((tokens, layout.life), np.float32),
        kind_N=kind_N,
        seat_N=np.append(np.arange(tokens - 1), layout.seats - 1).astype(np.int8),
    )
