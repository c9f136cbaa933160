import random
from dataclasses import replace

import torch
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.semantics import Target
from stamina_video.training.cropping import LENGTHS, opening, part, some_part
from stamina_video.training.sample import Asked, Lesson, Sample
from stamina_video.transitions import CountLabels
from tests.training.toys import labels

LENGTH = 200
COMPLETED = labels(range(10, LENGTH + 1, 10), range(20))
CLIP = Sample(
    "clip",
    lambda: list(range(LENGTH)),  # type: ignore[arg-type]  # only their places matter
    (
        Lesson(Target("jump", "E1-Action"), completed=COMPLETED),
        Lesson(
            Target("dogs", "O2-Unique"), visible=labels([5, 150], [1, 2]), unique=labels([5, 150], [1, 4])
        ),
    ),
)


@given(st.integers(0, 10**6))
def test_counts_of_a_part_begin_at_nought_and_every_endpoint_lies_in_it(seed: int) -> None:
    cut = some_part(CLIP, random.Random(seed))
    places = cut.read()
    assert len(places) in LENGTHS
    for lesson in cut.lessons:
        for told in (lesson.visible, lesson.unique, lesson.completed):
            if told is not None:
                assert int(told.ends_J.min()) > 0
                assert int(told.ends_J.max()) <= len(places)
    first = places[0]
    jumps = cut.lessons[0].completed
    assert jumps is not None
    whole = dict(zip(COMPLETED.ends_J.tolist(), COMPLETED.counts_J.tolist(), strict=True))
    before = whole.get(first, 0)
    for end, count in zip(jumps.ends_J.tolist(), jumps.counts_J.tolist(), strict=True):
        assert count == whole[end + first] - before


def test_individuals_met_before_a_part_are_not_asked_for() -> None:
    (_, dogs) = part(CLIP, 100, 60).lessons
    assert dogs.unique is None
    assert dogs.visible is not None
    assert dogs.visible.ends_J.tolist() == [50]
    (_, dogs) = opening(CLIP, random.Random(0)).lessons
    assert dogs.unique is not None
    assert dogs.unique.counts_J.tolist()[0] == 1


def test_a_change_between_two_moments_is_told_of_the_opening_only() -> None:
    change = CountLabels(torch.tensor([40]), torch.tensor([2]), torch.tensor([20]))
    clip = Sample("c", lambda: [], (Lesson(Target("dogs", "O2-Unique"), visible=change),))
    assert part(clip, 10, 60).lessons == ()
    assert part(clip, 0, 60).lessons[0].visible is not None
    assert part(clip, 0, 30).lessons == ()


def test_questions_in_words_go_with_their_observations() -> None:
    asked = (Asked(5, "How many dogs?", "1"), Asked(150, "How many dogs?", "4"))
    clip = replace(CLIP, asked=asked)
    assert part(clip, 0, 100).asked == asked[:1]
    assert part(clip, 100, 60).asked == ()  # its answers count from before
