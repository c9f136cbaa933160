import math
from typing import Any

import pytest

from stamina_video.semantics import InvalidInput
from stamina_video.transitions.config import HeadsConfig


def test_the_defaults_are_the_paper_s() -> None:
    config = HeadsConfig(width=64, target_width=32)
    assert (config.hidden, config.attention, config.queries) == (256, 256, 32)
    assert (config.slots, config.shortlist) == (4, 8)
    assert (config.visible_above, config.duplicate_cosine, config.track_cosine) == (0.5, 0.95, 0.5)
    assert config.increment_above == 0.5
    assert config.phase_input
    assert config.fsm
    assert (config.pulses, config.gathered, config.gathered_before, config.gathering) == (0, 0, 0, 0)


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(InvalidInput, match="expected width from 1, got 0"):
        HeadsConfig(width=0, target_width=1)
    with pytest.raises(InvalidInput, match="expected slots from 1 to 4, got 5"):
        HeadsConfig(width=1, target_width=1, slots=5)
    with pytest.raises(InvalidInput, match="expected queries from 1 to 128, got 129"):
        HeadsConfig(width=1, target_width=1, queries=129)
    with pytest.raises(InvalidInput, match="expected shortlist from 1 to 64, got 0"):
        HeadsConfig(width=1, target_width=1, shortlist=0)


@pytest.mark.parametrize(("before", "columns"), [(0, [7, 8, 9]), (4, [3, 4, 5]), (7, [0, 1, 2])])
def test_the_gathered_columns_end_where_as_many_follow(before: int, columns: list[int]) -> None:
    config = HeadsConfig(width=10, target_width=1, gathered=3, gathered_before=before)
    assert list(range(10))[config.gathered_columns] == columns


def test_nothing_is_gathered_unless_it_is_asked_for() -> None:
    for before in (0, 4, 10):
        config = HeadsConfig(width=10, target_width=1, gathered_before=before)
        assert list(range(10))[config.gathered_columns] == []
        assert config.gathering == 0


@pytest.mark.parametrize(("queries", "gathered", "numbers"), [(1, 1, 2), (6, 3, 24), (32, 29, 960)])
def test_of_every_candidate_its_visibility_and_its_columns_are_gathered(
    queries: int, gathered: int, numbers: int
) -> None:
    config = HeadsConfig(width=40, target_width=1, queries=queries, gathered=gathered)
    assert config.gathering == numbers


def test_more_columns_than_there_are_cannot_be_gathered() -> None:
    with pytest.raises(InvalidInput, match="expected gathered from 0 to 6, got 7"):
        HeadsConfig(width=10, target_width=1, gathered=7, gathered_before=4)
    with pytest.raises(InvalidInput, match="expected gathered_before from 0 to 10, got 11"):
        HeadsConfig(width=10, target_width=1, gathered_before=11)


def fields(name: str, value: float) -> dict[str, Any]:
    return {name: value}


@pytest.mark.parametrize("name", ["visible_above", "increment_above", "duplicate_cosine", "track_cosine"])
def test_thresholds_outside_their_range_are_refused(name: str) -> None:
    lowest = -1 if name.endswith("cosine") else 0
    for legal in (lowest, 0.25, 1):
        HeadsConfig(width=1, target_width=1, **fields(name, legal))
    for wrong in (7.0, lowest - 0.01, math.nan):
        with pytest.raises(InvalidInput, match=f"expected {name} from {lowest} to 1, got {wrong}"):
            HeadsConfig(width=1, target_width=1, **fields(name, wrong))
