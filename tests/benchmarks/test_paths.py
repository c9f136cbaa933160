import pytest

from benchmarks.paths import BATCH, Growth, Problem, _growth_row, fastest, ring
from stamina_video.semantics import Role
from tests.benchmarks.clocks import Clock


def test_the_first_round_warms_up() -> None:
    clock = Clock()
    assert fastest([clock.work([9, 4]), clock.work([8, 2])], repeats=1, clock=clock) == [4, 2]


@pytest.mark.parametrize("size", [2, 5])
def test_a_ring_holds_or_goes_on_and_completes_once_around(size: int) -> None:
    graph = ring(size)
    assert len(graph.phases) == size
    assert len(graph.edges) == 2 * size
    assert sum(edge.role is Role.COMPLETE for edge in graph.edges) == 1


def test_labels_end_with_the_video_and_reach_the_width_they_announce() -> None:
    ends_BJ, counts_BJ = Problem(endpoints=4, most=6, steps=90).labels()
    assert ends_BJ.shape == counts_BJ.shape == (BATCH, 4)
    assert ends_BJ[0].tolist() == [22, 45, 67, 90]
    assert counts_BJ[0, 0] == 6
    assert (counts_BJ.diff(dim=1) >= 0).all()


@pytest.mark.parametrize(("seconds", "met"), [((0.1, 0.11, 0.22), True), ((0.1, 0.1, 0.25), False)])
def test_linear_growth_doubles_with_its_axis(seconds: tuple[float, ...], met: bool) -> None:
    row = _growth_row(Growth("edges", (4, 8, 16), seconds))
    assert row.met is met
    assert row.figure.endswith("ms at 4, 8, 16)")
