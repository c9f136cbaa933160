from stamina_video.evaluation.pages.partings import MOMENTS, partings
from stamina_video.evaluation.pages.stories import Mark, Number, Story, Telling


def story(*answers: Number, window: float | None = None, commits: tuple[Mark, ...] = ()) -> Story:
    telling = Telling("mine", (answers,), {"gpa": 0.5}, commits)
    truth = (1, 2, 3, 3)
    return Story("q", "v.mp4", "E1-Action", "", (1.0, 2.0, 3.0, 4.0), truth, window, (telling,))


def points(told: Story) -> list[tuple[float, float]]:
    return [(parting.since, parting.at) for parting in partings(told, told.tellings[0])]


def test_what_is_right_never_parts() -> None:
    assert points(story(1, 2, 3, 3)) == []


def test_an_error_that_stays_parts_once() -> None:
    assert points(story(1, 1, 2, 2)) == [(1.0, 2.0)]


def test_a_growing_error_and_a_missing_answer_part_again() -> None:
    assert points(story(0, 0, None, 3)) == [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)]


def test_a_window_is_looked_at_from_its_start() -> None:
    assert points(story(1, 2, 2, 3, window=2.5)) == [(0.5, 3.0)]


def test_what_was_committed_in_between_is_shown() -> None:
    box = (0.0, 0.0, 0.5, 0.5)
    marks = (Mark(1.0, 1), Mark(1.5, 1, box), *(Mark(2.5, 1) for _ in range(9)))
    told = story(1, 3, 5, 3, commits=marks)
    first, second = partings(told, told.tellings[0])
    assert [(moment.time, moment.says, moment.box) for moment in first.moments] == [
        (1.0, "from", None),
        (1.5, "committed +1", box),
        (2.0, "asked", None),
    ]
    assert len(second.moments) == MOMENTS
    assert (second.truth, second.answer) == (3, 5)
