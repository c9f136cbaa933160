from pathlib import Path

from stamina_video.semantics import Role
from stamina_video.training.footage import keep
from stamina_video.training.scenes import other_words, planned, scene_lessons, scene_sample
from tests.backbone.percepts import a_percept
from tests.training.experiments.making import footage


def test_every_family_has_as_many_scenes_and_no_scene_twice() -> None:
    takes = planned(3)
    families = [take.family for take in takes]
    assert {families.count(family) for family in families} == {3}
    assert {take.split for take in takes} == {"train"}
    assert len({take.seed for take in takes}) == len(takes)


def test_plans_go_on_where_others_ended() -> None:
    assert planned(1, first=2) == planned(3)[-len(planned(1)) :]


def test_things_are_counted_at_every_look_and_events_every_second(tmp_path: Path) -> None:
    event, things = scene_lessons(footage(tmp_path))  # 12 looks, two a second; completions at 1.2 and 3.3 s
    assert event.completed is not None
    assert event.completed.ends_J.tolist() == [3, 5, 7, 9, 11, 12]
    assert event.completed.counts_J.tolist() == [0, 1, 1, 2, 2, 2]
    assert event.crossings is not None
    assert [one.edge.role for one in event.crossings].count(Role.COMPLETE) == 2
    assert things.visible is not None
    assert things.unique is not None
    assert things.shown is not None
    assert things.visible.counts_J.tolist() == [len(look) for look in things.shown]
    assert things.unique.counts_J.tolist() == sorted(things.unique.counts_J.tolist())


def test_a_sample_reads_what_was_kept(tmp_path: Path) -> None:
    filmed = footage(tmp_path)
    keep(filmed, [a_percept(number) for number in range(len(filmed.take.times))])
    observations = scene_sample(filmed).read()
    assert [one.time for one in observations] == list(filmed.take.times)
    assert [one.index for one in observations] == list(range(12))


def test_other_words_are_found_by_description(tmp_path: Path) -> None:
    filmed = footage(tmp_path)
    assert set(other_words([filmed, filmed])) == {aim.target.description for aim in filmed.aims}
