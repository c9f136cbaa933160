"""Labels from trajectories, at the observations there are."""

from dataclasses import replace

import numpy as np

from stamina_video.data.frame_map import FrameMap
from stamina_video.data.trajectory import Mask, Media, PhaseMark, Provenance, Supported, Trajectory
from stamina_video.semantics import Observation, Target, graph_for
from stamina_video.training.recipe import Recipe, Supervision
from stamina_video.training.sample import Asked, Sample
from stamina_video.training.supervision import Observed, supervised

TIMES = (0.0, 1.0, 2.0, 3.0)
RECIPE = Recipe("toy", model="toy")


def seen() -> list[Observation]:
    return [Observation("clip", k, time, np.full(2, k), k) for k, time in enumerate(TIMES)]


def trajectory(operator: str, *ends: tuple[float, int | None], what: str = "mugs") -> Trajectory:
    return Trajectory(
        id=f"{operator} {what}",
        parent="clip",
        scene="table",
        media=Media("clip.mp4"),
        segment="whole",
        frame_map=FrameMap.whole(4.0),
        target=Target(what, operator),
        question=f"how many {what}?",
        provenance=Provenance("hand", "1", "spatial"),
        endpoints=tuple(Supported(time, count, ("seen",)) for time, count in ends),
    )


def taught(*trajectories: Trajectory, supervision: Supervision = Supervision.COMPLETE) -> list[Sample]:
    recipe = replace(RECIPE, supervision=supervision)
    return supervised("clip", Observed(TIMES, seen), trajectories, recipe, seed=0)


def test_visible_and_unique_counts_of_a_thing_are_one_lesson() -> None:
    (sample,) = taught(trajectory("O1-Snap", (0.5, 2), (2.0, 1)), trajectory("O2-Unique", (3.5, 4)))
    (lesson,) = sample.lessons
    assert lesson.visible is not None
    assert lesson.unique is not None
    assert (lesson.visible.ends_J.tolist(), lesson.visible.counts_J.tolist()) == ([1, 3], [2, 1])
    assert (lesson.unique.ends_J.tolist(), lesson.unique.counts_J.tolist()) == ([4], [4])


def test_endpoints_between_the_same_observations_of_an_event_are_one() -> None:
    (sample,) = taught(trajectory("E2-Periodic", (1.2, 0), (1.8, 0), (3.0, 1)))
    completed = sample.lessons[0].completed
    assert completed is not None
    assert (completed.ends_J.tolist(), completed.counts_J.tolist()) == ([2, 4], [0, 1])


def test_two_event_operators_of_one_description_need_two_samples() -> None:
    samples = taught(trajectory("E1-Action", (3.0, 1)), trajectory("E2-Episode", (3.0, 1)))
    assert [sample.id for sample in samples] == ["clip", "clip#1"]


def test_questions_are_asked_at_the_last_observation_before_them() -> None:
    (sample,) = taught(trajectory("O2-Unique", (1.5, 3)))
    assert sample.asked == (Asked(2, "how many mugs?", "3"),)


def test_phase_changes_of_a_global_stream_are_crossings_at_the_next_observation() -> None:
    away, back = (edge for edge in graph_for("E2-Periodic").edges if edge.source is not edge.target)
    marked = replace(
        trajectory("E2-Periodic", (3.0, 1)),
        marks=(PhaseMark("swing", 1.4, away), PhaseMark("swing", 3.9, back)),
        masks=frozenset({Mask.COUNT, Mask.BOUNDARY}),
    )
    (sample,) = taught(marked)
    assert sample.lessons[0].crossings is not None
    assert [(one.observation, one.edge) for one in sample.lessons[0].crossings] == [(2, away)]


def test_a_single_query_is_one_of_those_there_are() -> None:
    whole = trajectory("O1-Snap", (0.5, 1), (1.5, 2), (2.5, 3))
    (sample,) = taught(whole, supervision=Supervision.SINGLE)
    visible = sample.lessons[0].visible
    assert visible is not None
    assert len(visible.ends_J) == len(sample.asked) == 1


def test_what_is_not_supported_teaches_only_before_filtering() -> None:
    doubtful = replace(trajectory("O1-Snap"), endpoints=(Supported(1.5, 2), Supported(2.5, None)))
    assert taught(doubtful) == []
    (sample,) = taught(doubtful, supervision=Supervision.UNFILTERED)
    assert sample.lessons[0].visible is not None
    assert sample.lessons[0].visible.ends_J.tolist() == [2]


def test_shuffling_moves_pictures_and_nothing_else() -> None:
    (sample,) = taught(trajectory("O1-Snap", (3.5, 2)), supervision=Supervision.SHUFFLED)
    shuffled = sample.read()
    assert [item.time for item in shuffled] == list(TIMES)
    pictures = [int(item.image[0]) for item in shuffled]
    assert sorted(pictures) == [0, 1, 2, 3]
    assert pictures != [0, 1, 2, 3]
    assert [int(item.image[0]) for item in sample.read()] == pictures


def test_completions_alone_are_no_walk_through_the_phases() -> None:
    done = next(edge for edge in graph_for("E1-Transit").edges if edge.increment)
    cuts = replace(
        trajectory("E1-Transit", (2.5, 2), what="cuts"),
        marks=tuple(PhaseMark("scene", time, done) for time in (1.0, 2.0)),
        masks=frozenset({Mask.COUNT, Mask.BOUNDARY}),
    )
    (sample,) = taught(cuts)
    assert sample.lessons[0].crossings is None
