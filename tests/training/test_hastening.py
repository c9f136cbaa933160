import pytest

from stamina_video.semantics import Edge, Observation, Phase, Role, Target
from stamina_video.training.hastening import hastened
from stamina_video.training.sample import Asked, Crossing, Lesson, Sample, Shown
from tests.training.toys import labels

AWAY = Edge(Phase.READY, Phase.AWAY, Role.START)
LOOKS = 9
SAMPLE = Sample(
    "squats",
    lambda: [Observation("squats", number, number / 6, f"look {number}", number) for number in range(LOOKS)],
    (
        Lesson(
            Target("squats", "E2-Periodic"),
            completed=labels([1, 4, 7, 8], [0, 1, 2, 2]),
            shown=tuple((Shown(f"{number}", (0.0, 0.0, 1.0, 1.0)),) for number in range(LOOKS)),
            crossings=tuple(Crossing("scene", at, AWAY) for at in (0, 2, 3, 7)),
        ),
    ),
    asked=(Asked(3, "How many?", "1"),),
)


def test_every_third_look_is_left_as_close_in_time_as_before() -> None:
    faster = hastened(SAMPLE, 3)
    assert [(one.index, one.time, one.image) for one in faster.read()] == [
        (0, 0.0, "look 0"),
        (1, 1 / 6, "look 3"),
        (2, 2 / 6, "look 6"),
    ]
    assert faster.id != SAMPLE.id
    assert faster.asked == ()


def test_counts_stay_with_the_looks_they_were_made_after() -> None:
    (lesson,) = hastened(SAMPLE, 3).lessons
    assert lesson.completed is not None
    assert lesson.completed.ends_J.tolist() == [1, 2, 3]  # after looks 0, 3 and 6
    assert lesson.completed.counts_J.tolist() == [0, 1, 2]


def test_a_change_shows_at_the_first_look_that_is_left() -> None:
    (lesson,) = hastened(SAMPLE, 3).lessons
    assert [one.observation for one in lesson.crossings or ()] == [0, 1, 1, 3]
    assert [look[0].identity for look in lesson.shown or ()] == ["0", "3", "6"]


@pytest.mark.parametrize("told", [labels([2, 3], [0, 1]), None])
def test_what_no_look_that_is_left_tells_is_not_known(told: object) -> None:
    lesson = Lesson(Target("squats", "E2-Periodic"), completed=told)  # type: ignore[arg-type]
    (faster,) = hastened(Sample("squats", list, (lesson,)), 3).lessons
    assert faster.completed is None
