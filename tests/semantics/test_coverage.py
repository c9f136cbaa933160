import pytest

from stamina_video.semantics import (
    InvalidInput,
    Operator,
    Question,
    capacity_table,
    endpoint_capacities,
    read_questions,
)
from tests.shared_data import SVCBENCH_QUERIES, needs


def question(operator: str, times: tuple[float, ...], counts: tuple[int, ...]) -> Question:
    return Question("q", "a.mp4", "How many?", Operator(operator), times, counts)


@needs(SVCBENCH_QUERIES)
def test_the_papers_capacity_table() -> None:
    table = capacity_table(endpoint_capacities(read_questions(SVCBENCH_QUERIES)))
    shown = [(str(row.operator), row.endpoints, f"{row.full:.1%}", f"{row.stream:.1%}") for row in table]
    assert shown == [
        ("E1-Action", 1281, "100.0%", "100.0%"),
        ("E1-Transit", 205, "100.0%", "100.0%"),
        ("E2-Episode", 513, "100.0%", "100.0%"),
        ("E2-Periodic", 280, "44.3%", "58.2%"),
    ]


def test_a_higher_rate_reaches_what_one_frame_a_second_cannot() -> None:
    squats = question("E2-Periodic", (10.0,), (9,))
    (slow,) = endpoint_capacities([squats], fps=1)
    assert (slow.stream_ceiling, slow.in_stream, slow.frames_needed) == (5, False, 18)
    assert slow.lowest_fps == pytest.approx(1.7)
    (fast,) = endpoint_capacities([squats], fps=slow.lowest_fps or 0)
    assert fast.in_stream


def test_full_is_bounded_by_its_frames() -> None:
    squats = question("E2-Periodic", (100.0,), (33,))
    assert [endpoint_capacities([squats], frames=n)[0].in_full for n in (64, 66)] == [False, True]


def test_an_endpoint_no_rate_reaches_leaves_its_row_without_one() -> None:
    (row,) = capacity_table(endpoint_capacities([question("E2-Periodic", (0.0, 4.0), (1, 1))]))
    assert (row.endpoints, row.stream, row.lowest_fps) == (2, 0.5, None)


def test_a_rate_beyond_reason_is_none() -> None:
    (endpoint,) = endpoint_capacities([question("E2-Periodic", (1e-320,), (3,))])
    assert endpoint.lowest_fps is None


def test_objects_have_no_ceiling() -> None:
    assert endpoint_capacities([question("O2-Unique", (1.0,), (40,))]) == []


def test_the_budget_must_make_sense() -> None:
    with pytest.raises(InvalidInput, match="frame rate above zero"):
        endpoint_capacities([], fps=0)
    with pytest.raises(InvalidInput, match="frame budget from 1"):
        endpoint_capacities([], frames=0)
