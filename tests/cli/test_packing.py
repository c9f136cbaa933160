from itertools import pairwise
from pathlib import Path

import pytest

from stamina_video.cli.packing import SECONDS, TARGETS, packing_scene, render, true_steps
from stamina_video.data.world import Scene
from stamina_video.semantics import Measure, Observation
from stamina_video.video import open_video


@pytest.fixture(scope="module")
def scene() -> Scene:
    return packing_scene()


def test_the_scene_has_something_to_count_for_every_target(scene: Scene) -> None:
    for target in TARGETS:
        assert len(scene.truth.occurrences(target)) >= 3, target
    assert len({target.operator.measure for target in TARGETS}) == len(Measure)


def test_true_steps_are_the_truth_at_every_moment(scene: Scene) -> None:
    for target in TARGETS:
        steps = true_steps(scene.truth, target, SECONDS)
        assert steps[0][0] == 0.0
        assert all(before < after for (before, _), (after, _) in pairwise(steps))
        for moment in (0.3, 4.9, 11.1, 19.7):
            held = [count for time, count in steps if time <= moment][-1]
            assert held == scene.truth.count(target, moment), (target, moment)


def test_true_steps_end_where_counting_did(scene: Scene) -> None:
    assert all(time <= 5.0 for target in TARGETS for time, _ in true_steps(scene.truth, target, 5.0))


def test_a_scene_becomes_a_video(tmp_path: Path) -> None:
    render(packing_scene(4.0), tmp_path / "packing.mp4")
    with open_video(tmp_path / "packing.mp4") as frames:
        assert frames.duration == pytest.approx(4.0)
        first = next(one for one in frames if isinstance(one, Observation))
    assert len(first.image) == 360
    assert [path.name for path in tmp_path.iterdir()] == ["packing.mp4"]
