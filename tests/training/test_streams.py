from stamina_video.semantics import Phase, Role, Scope, Target, graph_for
from stamina_video.training.sample import Crossing, Lesson
from stamina_video.training.streams import as_one_stream
from tests.training.toys import labels

PACKED = Target("mugs packed", "E1-Action")


def walk(subject: str, *steps: tuple[int, Role]) -> list[Crossing]:
    graph = graph_for(PACKED.operator)
    phase: Phase = graph.initial
    crossings = []
    for observation, role in steps:
        edge = next(edge for edge in graph.outgoing(phase) if edge.role is role)
        crossings.append(Crossing(subject, observation, edge))
        phase = edge.target
    return crossings


def lesson(*crossings: Crossing) -> Lesson:
    return Lesson(PACKED, visible=labels([8], [2]), completed=labels([8], [2]), crossings=crossings)


def test_the_walks_of_two_become_one_of_the_scene() -> None:
    first = walk("entity 3", (2, Role.COMPLETE), (3, Role.RESET))
    second = walk("entity 5", (6, Role.COMPLETE), (7, Role.RESET))
    merged = as_one_stream(lesson(*second, *first))
    assert merged.target == Target("mugs packed", "E1-Action", Scope.GLOBAL)
    assert merged.crossings is not None
    assert [(one.subject, one.observation, one.edge.role) for one in merged.crossings] == [
        ("entity 0", 2, Role.COMPLETE),
        ("entity 0", 3, Role.RESET),
        ("entity 0", 6, Role.COMPLETE),
        ("entity 0", 7, Role.RESET),
    ]
    assert (merged.visible, merged.shown) == (None, None)
    assert merged.completed is not None


def test_what_happens_to_two_at_once_is_no_single_walk() -> None:
    both = [*walk("entity 3", (2, Role.COMPLETE)), *walk("entity 5", (2, Role.COMPLETE))]
    assert as_one_stream(lesson(*both)).crossings is None


def test_what_is_not_known_stays_unknown() -> None:
    assert as_one_stream(Lesson(PACKED, completed=labels([4], [1]))).crossings is None
