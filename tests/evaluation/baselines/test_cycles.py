import numpy as np

from stamina_video.evaluation.baselines import Cycles
from stamina_video.semantics import Target
from tests.evaluation.baselines.scenes import counted

SWING = Target("swing", "E2-Periodic")


def swinging(seconds: float, period: float, fps: float) -> list[np.ndarray]:
    """A bright square that swings from side to side."""
    frames = []
    for index in range(int(seconds * fps)):
        image = np.zeros((96, 128, 3), np.uint8)
        left = round(50 + 40 * np.sin(2 * np.pi * index / fps / period))
        image[30:60, left : left + 20] = 255
        frames.append(image)
    return frames


def test_swings_are_counted_and_never_taken_back() -> None:
    counting = counted(Cycles(), 10.0, [SWING], swinging(20, 2.0, 10.0))
    reads = [counting.read(SWING, at, None).count for at in (5.0, 10.0, 20.0)]
    assert reads == sorted(reads)
    assert abs(reads[-1] - 10) <= 1


def test_nothing_that_moves_is_nothing_to_count() -> None:
    still = [np.zeros((96, 128, 3), np.uint8)] * 60
    assert counted(Cycles(), 10.0, [SWING], still).read(SWING, 6.0, None).count == 0
