import pytest

from stamina_video.data.world import family_names
from stamina_video.training.recipe import World
from stamina_video.training.scenes import planned
from stamina_video.training.takes import DIAGNOSED, LINES, ROUTINES, takes


def test_takes_are_the_same_everywhere_and_differ_from_each_other() -> None:
    assert takes("tour", [3, 4]) == [*takes("tour", [3]), *takes("tour", [4])]
    first, second = takes("tour", [3, 4])
    assert first.seed != second.seed
    assert takes("exercise", [0])[0].fps == 6.0


@pytest.mark.parametrize("family", family_names("unseen"))
def test_every_family_is_taken_in_every_size(family: str) -> None:
    assert {take.lines for take in takes(family, range(30))} == set(LINES) == {240, 360, 480}


def test_nano_learns_from_no_scene_that_experiments_are_diagnosed_on() -> None:
    learned = {take.name for take in planned(World().scenes, first=DIAGNOSED)}
    diagnosed = {take.name for take in planned(DIAGNOSED)}
    routines = {take.name for take in planned(40, first=ROUTINES)}
    assert len(learned) == World().scenes * 6
    assert not learned & (diagnosed | routines)
