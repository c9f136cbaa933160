import random
from dataclasses import replace

import torch
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.semantics import Edge, Phase, Role, Target, graph_for
from stamina_video.training.cropping import RUNS, part, some_run
from stamina_video.training.objective import SCENE, seated_sites
from stamina_video.training.sample import Asked, Crossing, Lesson, Sample, Shown
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


@given(st.integers(0, (LENGTH - 40) // 10), st.integers(16, 40))
def test_counts_of_a_part_begin_at_nought_and_every_endpoint_lies_in_it(tens: int, length: int) -> None:
    cut = part(CLIP, 10 * tens, length)
    places = cut.read()
    assert len(places) == length
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
    (_, dogs) = part(CLIP, 0, 60).lessons
    assert dogs.unique is not None
    assert dogs.unique.counts_J.tolist()[0] == 1


def test_a_change_between_two_moments_is_told_of_the_beginning_only() -> None:
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


DONE = Edge(Phase.READY, Phase.REFRACTORY, Role.COMPLETE)
AGAIN = Edge(Phase.REFRACTORY, Phase.READY, Role.RESET)
WALK = (Crossing(SCENE, 50, DONE), Crossing(SCENE, 54, AGAIN), Crossing(SCENE, 120, DONE))
JUMPS = Lesson(Target("jump", "E1-Action"), completed=COMPLETED, crossings=WALK)
SEEN = tuple((Shown("entity 1", (0.0, 0.0, 1.0, number / LENGTH)),) for number in range(LENGTH))
THINGS = Lesson(Target("dogs", "O2-Unique"), visible=labels([LENGTH], [1]), shown=SEEN)
SCENES = replace(CLIP, lessons=(JUMPS, THINGS))


def test_a_part_in_the_midst_knows_its_phase_and_its_own_changes() -> None:
    (jumps,) = part(SCENES, 52, 10).lessons
    assert jumps.phase is Phase.REFRACTORY
    assert jumps.crossings == (Crossing(SCENE, 2, AGAIN),)
    assert jumps.completed is None  # a count would begin ready
    (jumps,) = part(SCENES, 60, 10).lessons
    assert jumps.phase is None
    assert jumps.completed is not None
    (jumps,) = part(SCENES, 54, 10).lessons  # what changes with the first look cannot be seen to change
    assert jumps.phase is None
    assert jumps.crossings == ()


@given(st.integers(0, LENGTH - 2), st.integers(2, 40))
def test_the_sites_of_a_part_are_those_of_the_whole(first: int, length: int) -> None:
    graph = graph_for(JUMPS.target.operator)
    whole = list(seated_sites([[(0, SCENE)]] * LENGTH, WALK, graph))
    cut = part(SCENES, first, length).lessons[0]
    places = range(first, min(first + length, LENGTH))
    assert cut.crossings is not None
    sites = list(seated_sites([[(0, SCENE)]] * len(places), cut.crossings, graph, cut.phase))
    told = {site.observation: site.edge for site in sites}
    for site in whole:
        if site.observation in places[1:]:  # the first look of a part holds
            assert told[site.observation - first] == site.edge


def test_changes_of_several_are_told_from_the_start_only() -> None:
    several = replace(JUMPS, crossings=(Crossing("entity 1", 50, DONE), Crossing("entity 2", 52, DONE)))
    scene = replace(CLIP, lessons=(several,))
    assert part(scene, 0, 60).lessons[0].crossings == several.crossings
    assert part(scene, 40, 30).lessons[0].crossings is None


@given(st.integers(0, 10**6))
def test_a_run_is_short_and_shows_whom_it_tells_of(seed: int) -> None:
    run = some_run(SCENES, random.Random(seed))
    places = run.read()
    assert len(places) in RUNS
    for lesson in run.lessons:
        if lesson.shown is not None:
            first: int = places[0]  # type: ignore[assignment]  # only their places matter
            assert lesson.shown == SEEN[first : first + len(places)]


def test_most_runs_show_a_change() -> None:
    runs = [some_run(SCENES, random.Random(seed)).lessons for seed in range(200)]
    changing = sum(bool(lessons and lessons[0].crossings) for lessons in runs)
    assert 100 < changing < 180
