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


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(InvalidInput, match="expected width from 1, got 0"):
        HeadsConfig(width=0, target_width=1)
    with pytest.raises(InvalidInput, match="expected 1 to 4 slots, got 5"):
        HeadsConfig(width=1, target_width=1, slots=5)
