import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from stamina_video.data.wilson import wilson


@given(st.integers(1, 500), st.floats(0, 1))
def test_it_agrees_with_scipy(trials: int, share: float) -> None:
    successes = round(share * trials)
    peer = binomtest(successes, trials).proportion_ci(method="wilson")
    assert wilson(successes, trials) == pytest.approx((peer.low, peer.high), abs=1e-6)


def test_nothing_tried_says_nothing() -> None:
    assert wilson(0, 0) is None
