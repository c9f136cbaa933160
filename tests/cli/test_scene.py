from itertools import pairwise

from stamina_video.cli import scene
from stamina_video.semantics import Kind


def test_the_scene_runs_forward_and_ends() -> None:
    seconds = [moment.second for moment in scene.SCENE]
    assert all(before <= after for before, after in pairwise(seconds))
    assert seconds[-1] < scene.END


def test_nobody_leaves_who_has_not_come() -> None:
    present: set[str] = set()
    for moment in scene.SCENE:
        if moment.kind is Kind.ENTRY:
            assert moment.subject not in present
            present.add(moment.subject)
        elif moment.kind is Kind.EXIT:
            present.remove(moment.subject)
    assert present == set()


def test_a_mug_that_comes_back_is_not_new() -> None:
    births = [moment.subject for moment in scene.SCENE if moment.kind is Kind.IDENTITY]
    entries = [moment.subject for moment in scene.SCENE if moment.kind is Kind.ENTRY]
    assert len(births) == len(set(births)) == 3
    assert entries.count("blue striped mug") == 2
