from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from stamina_video.backbone.perception import Detections, labelled
from stamina_video.evaluation.baselines import Tracker
from stamina_video.semantics import Operator, Target
from tests.evaluation.baselines.scenes import counted

pytest.importorskip("supervision", reason="the baselines extra is not installed")

VOCABULARY = ("car", "person", "truck")
VECTORS = {
    "car": (1.0, 0.0, 0.0),
    "truck": (0.95, 0.3, 0.0),
    "person": (0.0, 1.0, 0.0),
    "people": (0.0, 0.9, 0.1),
    "ideas": (0.0, 0.0, 1.0),
}


class Words:
    width = 3

    def encode(self, texts: Sequence[str], /) -> Any:
        vectors = np.array([VECTORS[text] for text in texts], np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def seen(image: Any) -> Detections:
    """What the made-up picture says: a row per thing, of class and place."""
    rows = [row for row in image[0].tolist() if row[0] < len(VOCABULARY)]
    boxes = [(left / 255, 0.4, (left + 40) / 255, 0.8) for _, left, _ in rows]
    found = labelled(boxes, [VOCABULARY[kind] for kind, _, _ in rows], [0.9] * len(rows))
    labels_KV = np.array([[float(kind == k) for k in range(3)] for kind, _, _ in rows], np.float32)
    return Detections(
        found.boxes_K4, found.scores_K, VOCABULARY, labels_KV.reshape(-1, 3), found.embeddings_KE
    )


def picture(*things: tuple[int, int]) -> Any:
    image = np.full((1, 4, 3), 255, np.uint8)
    for place, (kind, left) in enumerate(things):
        image[0, place, :2] = kind, left
    return np.repeat(image, 100, axis=0)


TRACKER = Tracker(seen, Words(), VOCABULARY)
PEOPLE = (Target("people", "O1-Snap"), Target("people", "O2-Unique"))
NOBODY, ONE, TWO = picture(), picture((1, 20)), picture((1, 20), (1, 150))


def test_visible_and_different_ones_are_counted() -> None:
    images = [ONE] * 6 + [TWO] * 6 + [ONE] * 6 + [NOBODY] * 6
    counting = counted(TRACKER, 5.0, list(PEOPLE), images)
    visible = [counting.read(PEOPLE[0], at, None).count for at in (1.0, 2.2, 3.4, 4.6)]
    assert visible == [1, 2, 1, 0]
    assert [counting.read(PEOPLE[1], at, None).count for at in (1.0, 2.2, 4.6)] == [1, 2, 2]


def test_other_classes_do_not_count_and_near_ones_do() -> None:
    cars = Target("car", "O1-Snap")
    counting = counted(TRACKER, 5.0, [cars], [picture((0, 20), (1, 90), (2, 160))] * 6)
    assert counting.read(cars, 1.0, None).count == 2


def test_what_the_detector_does_not_know_is_not_counted() -> None:
    ideas = Target("ideas", "O2-Unique")
    assert counted(TRACKER, 5.0, [ideas], [TWO] * 6).read(ideas, 1.0, None).count == 0


def test_two_videos_number_their_tracks_apart() -> None:
    for _ in range(2):
        counting = counted(TRACKER, 5.0, [PEOPLE[1]], [TWO] * 6)
        assert [commit.evidence["identity"] for commit in counting.commits(PEOPLE[1])] == [0, 1]


def test_it_answers_objects_only() -> None:
    assert Operator.E1_ACTION not in TRACKER.answers
    assert len(TRACKER.answers) == 4
