import numpy as np
import pytest

from stamina_video.data.world import make_scene
from stamina_video.data.world.families import tour
from stamina_video.data.world.scene import Scene

SECONDS = 12.0


def bare(seed: int, monkeypatch: pytest.MonkeyPatch) -> Scene:
    with monkeypatch.context() as without:
        without.setattr(tour, "furnish", lambda *_: None)
        return make_scene("tour", seed, duration=SECONDS)


@pytest.mark.parametrize("seed", [2, 3, 8])
def test_furniture_changes_pictures_and_no_truth(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    furnished, empty = make_scene("tour", seed, duration=SECONDS), bare(seed, monkeypatch)
    assert furnished.truth.presences == empty.truth.presences
    assert furnished.script == empty.script
    assert furnished.counted == empty.counted
    pictures = [(furnished.frame(time), empty.frame(time)) for time in (1.0, 6.0, 11.0)]
    assert any((with_it != without).any() for with_it, without in pictures)


def test_only_rooms_that_nothing_else_tells_apart_are_furnished(monkeypatch: pytest.MonkeyPatch) -> None:
    furnished, empty = make_scene("tour", 1, duration=SECONDS), bare(1, monkeypatch)  # no such room
    np.testing.assert_array_equal(furnished.frame(2.0), empty.frame(2.0))
