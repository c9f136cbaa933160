import numpy as np
import pytest

from stamina_video.evaluation.baselines import Cuts
from stamina_video.semantics import Operator, Target
from tests.evaluation.baselines.scenes import counted

pytest.importorskip("scenedetect", reason="the baselines extra is not installed")

CUT = Target("cut", "E1-Transit")


def shots(*lengths: int) -> list[np.ndarray]:
    """Plain colours, one per shot, of these lengths in frames."""
    colours = [(200, 30, 30), (20, 60, 220), (230, 230, 40), (10, 160, 60)]
    frames = [np.full((72, 96, 3), colours[shot % 4], np.uint8) for shot in range(len(lengths))]
    return [frame for frame, length in zip(frames, lengths, strict=True) for _ in range(length)]


def test_every_cut_is_counted_once_and_not_before_it_happens() -> None:
    counting = counted(Cuts(), 25.0, [CUT], shots(40, 40, 40))
    times = [commit.time for commit in counting.commits(CUT)]
    assert len(times) == 2
    for time, cut in zip(times, (40 / 25, 80 / 25), strict=True):
        assert cut <= time <= cut + 0.2
    assert counting.read(CUT, 40 / 25 - 0.01, None).count == 0


def test_a_single_shot_has_no_cut() -> None:
    assert counted(Cuts(), 25.0, [CUT], shots(60)).read(CUT, 9.0, None).count == 0


def test_it_answers_transitions_only() -> None:
    assert Cuts().answers == {Operator.E1_TRANSIT}
