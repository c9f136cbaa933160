import pytest

from stamina_video.evaluation.running.plan import Plan, planned, shard
from stamina_video.semantics import InvalidInput, Operator, Question
from stamina_video.semantics.schedule import Access


def asked(id_: str, video: str, operator: str, text: str, *times: float) -> Question:
    return Question(id_, video, text, Operator.parse(operator), times, (0,) * len(times))


CUPS = [
    asked("1", "a.mp4", "O1-Snap", "How many cups are visible right now?", 5.0, 2.0),
    asked("2", "b.mp4", "E1-Action", "How many times has the man jumped so far?", 1.0),
    asked("3", "a.mp4", "O1-Delta", "How many cups have appeared in the past 4 seconds?", 3.0),
    asked("4", "a.mp4", "O2-Unique", "How many different cups have appeared so far?", 2.0),
]


def test_a_stream_answers_all_questions_of_a_video_in_one_pass() -> None:
    first, second = planned(CUPS, Access.STREAM)
    assert (first.video, first.at, first.until) == ("a.mp4", (2.0, 3.0, 5.0), 5.0)
    assert [one.question.id for one in first.asked] == ["1", "3", "4"]
    # The window and the snapshot read one running number.
    assert [target.operator for target in first.targets] == ["O1-Snap", "O2-Unique"]
    assert second.video == "b.mp4"


def test_full_looks_afresh_for_every_query_time() -> None:
    passes = planned(CUPS, Access.FULL)
    assert [(one.video, one.at) for one in passes] == [
        ("a.mp4", (2.0,)),
        ("a.mp4", (3.0,)),
        ("a.mp4", (5.0,)),
        ("b.mp4", (1.0,)),
    ]
    assert [one.question.id for one in passes[0].asked] == ["1", "4"]


def test_all_passes_of_a_video_are_paced_by_all_that_stream_would_ask_of_it() -> None:
    events = asked("5", "a.mp4", "E1-Action", "How many times has the man jumped so far?", 4.0)
    (stream, _), full = (planned([*CUPS, events], access) for access in (Access.STREAM, Access.FULL))
    assert len(stream.targets) == 3
    of_video = [one for one in full if one.video == "a.mp4"]
    assert {one.paced for one in of_video} == {stream.paced} == {stream.targets}
    assert all(len(one.targets) < 3 for one in of_video)


def test_two_event_operators_on_one_description_get_a_pass_each() -> None:
    text = "How many times has the man jumped so far?"
    questions = [asked(str(n), "a.mp4", op, text, 1.0) for n, op in enumerate(["E1-Action", "E2-Episode"])]
    assert [len(one.targets) for one in planned(questions, Access.STREAM)] == [1, 1]
    assert len({one.key for one in planned(questions, Access.STREAM)}) == 2


def test_a_window_may_start_before_the_video_does() -> None:
    window = planned(CUPS, Access.STREAM)[0].asked[1]
    assert (window.since(3.0), window.since(10.0)) == (-1.0, 6.0)


@pytest.mark.parametrize("world_size", [1, 2, 3])
def test_shards_are_whole_videos_and_together_everything(world_size: int) -> None:
    passes = planned(CUPS, Access.FULL)
    shards = [shard(passes, rank, world_size) for rank in range(world_size)]
    assert sorted(one.key for part in shards for one in part) == sorted(one.key for one in passes)
    videos = [{one.video for one in part} for part in shards]
    assert sum(map(len, videos)) == 2


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(InvalidInput, match="expected a rank from 0 to 1, got 2"):
        shard(planned(CUPS, Access.STREAM), 2, 2)
    with pytest.raises(InvalidInput, match="expected matched moments with full access only"):
        Plan(matched=True)
    with pytest.raises(InvalidInput, match="expected a frame rate above zero"):
        Plan(fps=0.0)
    with pytest.raises(InvalidInput, match="question 'g': expected a window"):
        planned([asked("g", "a.mp4", "O2-Gain", "How many new cups?", 1.0)], Access.STREAM)
