import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from stamina_video.backbone.clock import elapsed_features, rotate


def turned(vector: torch.Tensor, time: float) -> torch.Tensor:
    return rotate(vector.view(1, 1, 1, 1, -1), torch.tensor([[time]], dtype=torch.float64)).flatten()


@settings(deadline=None)
@given(st.floats(0, 100), st.floats(0, 100), st.floats(0, 1e6))
def test_products_depend_on_the_time_between_alone(first: float, second: float, shift: float) -> None:
    make = torch.Generator().manual_seed(0)
    query, key = torch.randn(2, 32, generator=make)
    here = turned(query, first) @ turned(key, second)
    later = turned(query, first + shift) @ turned(key, second + shift)
    torch.testing.assert_close(here, later, rtol=1e-4, atol=1e-4)


def test_neighbouring_frames_differ_after_a_day() -> None:
    vector, day = torch.ones(32), 86_400.0
    torch.testing.assert_close(
        turned(vector, day) @ turned(vector, day + 1 / 60), turned(vector, 0) @ turned(vector, 1 / 60)
    )
    assert turned(vector, day) @ turned(vector, day + 1 / 60) < vector @ vector - 0.01


def test_half_of_every_head_stays() -> None:
    vector = torch.arange(32.0)
    assert torch.equal(turned(vector, 7.3)[16:], vector[16:])


def test_elapsed_time_knows_the_first_observation_and_the_rate() -> None:
    times = torch.tensor([[3.0, 4.0, 4.25]], dtype=torch.float64)
    features = elapsed_features(times, None)
    assert features[0].tolist() == [[0.0, 0.0], [1.0, 0.0], [1.0, -0.25]]
    resumed = elapsed_features(times[:, 1:], times[:, 0])
    assert torch.equal(resumed, features[:, 1:])


@pytest.mark.parametrize(("since", "feature"), [(0.0, -1.0), (1e9, 1.0)])
def test_elapsed_time_is_bounded(since: float, feature: float) -> None:
    times = torch.tensor([[since]], dtype=torch.float64)
    assert elapsed_features(times, torch.zeros(1, dtype=torch.float64))[0, 0].tolist() == [1.0, feature]
