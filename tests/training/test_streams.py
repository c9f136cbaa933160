from stamina_video.semantics import Phase, Role, Scope, Target, graph_for
from stamina_video.training.sample import Crossing, Lesson
from stamina_video.training.streams import as_one_stream
from tests.training.toys import labels

PACKED = Target("mugs packed", "E1-Action")
VISITS = Target("visits to the shop", "E2-Episode")
SQUATS = Target("squats", "E2-Periodic")


def walk(subject: str, *steps: tuple[int, Role], target: Target = PACKED) -> list[Crossing]:
    graph = graph_for(target.operator)
    phase: Phase = graph.initial
    crossings = []
    for observation, role in steps:
        edge = next(edge for edge in graph.outgoing(phase) if edge.role is role)
        crossings.append(Crossing(subject, observation, edge))
        phase = edge.target
    return crossings


def lesson(*crossings: Crossing) -> Lesson:
    return Lesson(PACKED, visible=labels([8], [2]), completed=labels([8], [2]), crossings=crossings)


def told(*crossings: Crossing, target: Target = PACKED, looks: int = 8) -> list[tuple[int, Role]] | None:
    """Where the walk of the scene changes."""
    many = sum(one.edge.increment for one in crossings)
    lesson = Lesson(target, completed=labels([looks], [many]), crossings=crossings)
    merged = as_one_stream(lesson).crossings
    assert merged is None or {one.subject for one in merged} <= {"entity 0"}
    return None if merged is None else [(one.observation, one.edge.role) for one in merged]


def test_the_walks_of_two_become_one_of_the_scene() -> None:
    first = walk("entity 3", (2, Role.COMPLETE), (3, Role.RESET))
    second = walk("entity 5", (6, Role.COMPLETE), (7, Role.RESET))
    merged = as_one_stream(lesson(*second, *first))
    assert merged.target == Target("mugs packed", "E1-Action", Scope.GLOBAL)
    assert (merged.visible, merged.shown) == (None, None)
    assert merged.completed is not None
    assert told(*second, *first) == [
        (2, Role.COMPLETE),
        (3, Role.RESET),
        (6, Role.COMPLETE),
        (7, Role.RESET),
    ]


def test_a_scene_waits_for_nobody_to_be_ready_again() -> None:
    """The first is never put down, and still the second has been picked up."""
    first, second = (
        walk("entity 3", (2, Role.COMPLETE)),
        walk("entity 5", (4, Role.COMPLETE), (7, Role.RESET)),
    )
    walked = [(2, Role.COMPLETE), (3, Role.RESET), (4, Role.COMPLETE), (5, Role.RESET)]
    assert told(*first, *second) == walked
    assert told(*first, *second, looks=5) == walked[:-1]  # the last reset is beyond the last look


def test_two_completions_need_a_look_between_them() -> None:
    assert told(*walk("entity 3", (2, Role.COMPLETE)), *walk("entity 5", (3, Role.COMPLETE))) is None


def test_a_scene_is_active_while_anybody_is() -> None:
    first = walk("entity 1", (1, Role.START), (4, Role.COMPLETE), (9, Role.RESET), target=VISITS)
    second = walk("entity 2", (3, Role.START), (8, Role.COMPLETE), target=VISITS)
    assert told(*first, *second, target=VISITS, looks=12) == [
        (1, Role.START),
        (4, Role.COMPLETE),
        (5, Role.RESET),
        (6, Role.START),  # the second is still away
        (8, Role.COMPLETE),
        (9, Role.RESET),
    ]
    hurried = walk("entity 2", (3, Role.START), (6, Role.COMPLETE), target=VISITS)
    assert told(*first, *hurried, target=VISITS, looks=12) is None


def test_a_cycle_begins_where_its_own_does() -> None:
    cycles = walk(
        "entity 0",
        (1, Role.START),
        (3, Role.COMPLETE),
        (3 + 1, Role.START),
        (6, Role.COMPLETE),
        target=SQUATS,
    )
    walked = [(1, Role.START), (3, Role.COMPLETE), (4, Role.START), (6, Role.COMPLETE)]
    assert told(*cycles, target=SQUATS) == walked


def test_what_happens_to_two_at_once_is_no_single_walk() -> None:
    both = [*walk("entity 3", (2, Role.COMPLETE)), *walk("entity 5", (2, Role.COMPLETE))]
    assert as_one_stream(lesson(*both)).crossings is None


def test_what_is_not_known_stays_unknown() -> None:
    assert as_one_stream(Lesson(PACKED, completed=labels([4], [1]))).crossings is None
