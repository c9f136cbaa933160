from pathlib import Path

import pytest

from stamina_video.semantics import Role
from stamina_video.training.stretch import stretches
from tests.training.experiments.making import an_aim, footage


def test_parts_follow_each_other_without_a_gap(tmp_path: Path) -> None:
    parts = stretches(footage(tmp_path), 5)
    assert [part.first for part in parts[1:]] == [part.stop for part in parts[:-1]]
    assert (parts[0].first, parts[-1].stop) == (0, 12)


def test_counts_begin_at_the_origin_of_a_stretch(tmp_path: Path) -> None:
    first, second = stretches(footage(tmp_path), 2)  # completions at 1.2 and 3.3 s
    assert first.ends == (1, 2, 4, 5, 6)
    assert first.counts(an_aim()) == (0, 0, 1, 1, 1)
    assert second.origin == 3.0
    assert second.completions(an_aim()) == pytest.approx((0.3,))
    assert second.counts(an_aim()) == (0, 1, 1, 1, 1)


def test_what_happens_after_the_last_look_is_not_counted(tmp_path: Path) -> None:
    whole = stretches(footage(tmp_path), 1)[0]
    assert whole.counts(an_aim((5.6,))) == (0, 0, 0, 0, 0)


def test_crossings_stand_at_the_first_look_after_them(tmp_path: Path) -> None:
    whole = stretches(footage(tmp_path), 1)[0]
    crossings = whole.crossings(an_aim())
    assert crossings is not None
    assert [(one.observation, one.edge.role) for one in crossings] == [
        (3, Role.COMPLETE),
        (4, Role.RESET),
        (7, Role.COMPLETE),
        (8, Role.RESET),
    ]


def test_a_reset_from_before_the_cut_is_no_crossing(tmp_path: Path) -> None:
    second = stretches(footage(tmp_path), 2)[1]
    crossings = second.crossings(an_aim((2.8,)))  # over at 3.3 s, in the second stretch
    assert crossings == ()


def test_what_the_graph_cannot_follow_is_not_verified(tmp_path: Path) -> None:
    aim = an_aim((1.2, 1.4))  # again before it was over
    assert stretches(footage(tmp_path), 1)[0].crossings(aim) is None


def test_lessons_carry_only_what_their_source_gives(tmp_path: Path) -> None:
    filmed = footage(tmp_path)
    whole = stretches(filmed, 1)[0]
    event, things = filmed.aims
    assert whole.event_lesson(event, boundaries=False).crossings is None
    assert whole.event_lesson(event, boundaries=True).crossings is not None
    assert whole.object_lesson(things, identities=False).shown is None
    lesson = whole.object_lesson(things, identities=True)
    assert lesson.visible is not None
    assert lesson.unique is not None
    assert lesson.visible.counts_J.tolist() == [1, 1, 2, 1, 2]  # after 2, 5, 7, 10 and 12 looks
    assert lesson.unique.counts_J.tolist() == [1, 2, 2, 2, 2]
