from pathlib import Path

import pytest

from stamina_video.data.checker import check_pool
from stamina_video.data.cycles import paused
from stamina_video.data.pool import write_pool
from stamina_video.data.trajectory import Mask
from stamina_video.data.world import Scene, family_names, make_scene
from stamina_video.data.worlds import scene_trajectories
from stamina_video.semantics import Measure


@pytest.fixture(scope="module")
def scene() -> Scene:
    return make_scene("exercise", 3, "train", 12.0)


def test_a_scene_loads_with_everything_it_knows(scene: Scene) -> None:
    made = scene_trajectories(scene, "exercise-3.mp4", "ab" * 32)
    assert {trajectory.operator.windowed for trajectory in made} == {False}
    assert len({trajectory.id for trajectory in made}) == len(made)
    for trajectory in made:
        assert trajectory.masks >= {Mask.COUNT, Mask.STABLE}
        assert (Mask.IDENTITY in trajectory.masks) == (not trajectory.operator.is_event)
        assert (Mask.BOUNDARY in trajectory.masks) == bool(trajectory.marks)
        for endpoint in trajectory.endpoints:
            assert endpoint.count == scene.truth.count(trajectory.target, endpoint.time)


def test_nothing_changes_within_a_stable_interval(scene: Scene) -> None:
    for trajectory in scene_trajectories(scene, "exercise-3.mp4"):
        for span in trajectory.stable:
            inside = [span.start + span.length * share for share in (0.01, 0.5, 0.99)]
            assert len({scene.truth.count(trajectory.target, at) for at in inside}) == 1


def test_marks_and_tracks_agree_with_the_counts(scene: Scene) -> None:
    for trajectory in scene_trajectories(scene, "exercise-3.mp4"):
        last = trajectory.endpoints[-1]
        if trajectory.marks:
            assert sum(end <= last.time for end in trajectory.completions) == last.count
        elif trajectory.operator.measure is Measure.UNIQUE:
            assert sum(track.visible[0].start <= last.time for track in trajectory.tracks) == last.count


@pytest.mark.parametrize("family", family_names("train"))
def test_every_family_of_scenes_makes_a_pool_without_faults(family: str, tmp_path: Path) -> None:
    made = scene_trajectories(make_scene(family, 1, "train", 8.0), f"{family}.mp4")
    write_pool(made, tmp_path)
    assert check_pool(tmp_path).faults == ()


def test_its_events_can_be_transformed(scene: Scene) -> None:
    event = next(made for made in scene_trajectories(scene, "e.mp4") if made.completions)
    later = paused(event, 0.001, 5.0)
    assert later.completions == tuple(pytest.approx(end + 5.0) for end in event.completions)
