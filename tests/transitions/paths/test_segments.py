import pytest
import torch

from stamina_video.semantics import graph_for
from stamina_video.semantics.capacity import Search
from stamina_video.transitions.paths.segments import Chains, Segments, most_gained
from tests.transitions.path_cases import OPERATORS

EPISODE = graph_for("E2-Episode")


def test_padding_becomes_empty_stretches() -> None:
    segments = Segments.between_endpoints(
        torch.tensor([[3, 8], [5, -1]]), torch.tensor([[1, 3], [2, 0]]), EPISODE, 1
    )
    assert segments.starts_BK.tolist() == [[0, 3], [0, 5]]
    assert segments.stops_BK.tolist() == [[3, 8], [5, 5]]
    assert segments.gains_BK.tolist() == [[1, 2], [2, 0]]
    assert segments.last_B.tolist() == [8, 5]


def test_an_impossible_gain_does_not_widen_the_count_axis() -> None:
    segments = Segments.between_endpoints(
        torch.tensor([[3, 8]]), torch.tensor([[1, 10**9]]), EPISODE, slots=2
    )
    assert segments.possible_BK.tolist() == [[True, False]]
    assert Chains.of(segments, [0, 1]).counts == 2


@pytest.mark.parametrize("operator", OPERATORS)
def test_the_bound_on_a_gain_is_what_the_best_entry_phase_permits(operator: str) -> None:
    graph = graph_for(operator)
    for length in range(12):
        # Any phase is reached within as many observations as there are phases.
        best = 0
        for lead in range(len(graph.phases)):
            search = Search(graph, [[True, True]] * (lead + length))
            search.advance(lead)
            search.forget()
            search.advance(lead + length)
            best = max(best, search.most)
        assert most_gained(torch.tensor(length), graph, slots=2).item() == best


def test_a_gain_beyond_the_graph_widens_nothing_for_the_others() -> None:
    ends, counts = torch.tensor([[90], [90]]), torch.tensor([[2], [31]])
    segments = Segments.between_endpoints(ends, counts, EPISODE, 1)
    assert segments.possible_BK.tolist() == [[True], [False]]
    assert Chains.of(segments, [0]).counts == 3


def test_columns_without_observations_are_known() -> None:
    ends, counts = torch.tensor([[3, 3, 8, -1], [5, -1, -1, -1]]), torch.zeros(2, 4, dtype=torch.long)
    assert Segments.between_endpoints(ends, counts, EPISODE, 1).empty == [False, True, False, True]


def test_only_increments_widen_it_not_totals() -> None:
    segments = Segments.between_endpoints(torch.tensor([[300, 310]]), torch.tensor([[90, 93]]), EPISODE, 1)
    assert Chains.of(segments, [1]).counts == 4


def test_intervals_alternate_with_free_stretches() -> None:
    segments = Segments.of_intervals(
        torch.tensor([[2, 6], [1, -1]]),
        torch.tensor([[4, 9], [3, -1]]),
        torch.tensor([[1, 0], [1, 0]]),
        EPISODE,
        1,
    )
    assert segments.counted == (False, True, False, True)
    assert segments.starts_BK.tolist() == [[0, 2, 4, 6], [0, 1, 3, 3]]
    assert segments.stops_BK.tolist() == [[2, 4, 6, 9], [1, 3, 3, 3]]
    assert segments.gains_BK.tolist() == [[0, 1, 0, 0], [0, 1, 0, 0]]


def test_a_tail_reaches_the_last_observation() -> None:
    segments = Segments.between_endpoints(
        torch.tensor([[3], [-1]]), torch.tensor([[1], [0]]), EPISODE, 1
    ).with_tail(7)
    assert segments.starts_BK.tolist() == [[0, 3], [0, 0]]
    assert segments.stops_BK.tolist() == [[3, 7], [0, 7]]
    assert segments.counted == (True, False)


def test_chains_run_longest_first_and_drop_off() -> None:
    segments = Segments.between_endpoints(
        torch.tensor([[1, 5], [3, 3]]), torch.tensor([[0, 0], [1, 1]]), EPISODE, 1
    )
    chains = Chains.of(segments, [0, 1])
    assert chains.lengths_I.tolist() == [4, 3, 1, 0]
    assert chains.active == [3, 2, 2, 1]
    assert chains.times_LI[:, 0].tolist() == [1, 2, 3, 4]
    assert chains.running_LI.sum(0).tolist() == [4, 3, 1, 0]
