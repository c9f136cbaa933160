import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from stamina_video.transitions.assignment import assign
from stamina_video.transitions.config import MOST_QUERIES, MOST_SHORTLISTED

FORBIDDEN = -np.inf


def first_best(scores: NDArray[np.float64], private: NDArray[np.bool_]) -> list[int]:
    """Every legal assignment, judged one by one on its plain sum; columns stand in order of preference."""
    options = [np.flatnonzero(np.isfinite(row)).tolist() for row in scores]
    best: tuple[float, tuple[int, ...]] | None = None
    for choice in itertools.product(*options):
        shared = [option for option in choice if not private[option]]
        if len(set(shared)) < len(shared):
            continue
        total = sum(float(scores[row, option]) for row, option in enumerate(choice))
        if best is None or (-total, choice) < (-best[0], best[1]):
            best = total, choice
    assert best is not None
    return list(best[1])


@st.composite
def tied_cases(draw: st.DrawFn) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Few multiples of a power of two: plain sums are exact, so ties are real, and so are differences."""
    candidates = draw(st.integers(1, 4))
    private = draw(st.lists(st.booleans(), min_size=1, max_size=5).filter(any))
    step = draw(st.sampled_from([0.5, 2.0**-12, 2.0**-24]))
    cell = st.one_of(st.none(), st.integers(-3, 0))
    scores = np.full((candidates, len(private)), FORBIDDEN)
    for row in range(candidates):
        for column in range(len(private)):
            value = draw(cell)
            if value is not None:
                scores[row, column] = value * step
        own = private.index(True)
        if not np.isfinite(scores[row, own]):
            scores[row, own] = draw(st.integers(-3, 0)) * step
    return scores, np.array(private)


@settings(deadline=None)
@given(tied_cases())
def test_the_choice_is_the_first_of_the_best_ones(
    case: tuple[NDArray[np.float64], NDArray[np.bool_]],
) -> None:
    scores, private = case
    assert assign(scores, private).tolist() == first_best(scores, private)


@settings(deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([1.0, 2.0**-8, 2.0**-14]))
def test_small_differences_decide(seed: int, spread: float) -> None:
    units = np.random.default_rng(seed).integers(-(2**10), 0, size=(4, 5))
    scores = units.astype(np.float64) * spread * 2.0**-10
    private = np.array([True, False, False, False, True])
    assert assign(scores, private).tolist() == first_best(scores, private)


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_log_probabilities_are_compared_as_finely_as_float32_holds_them(seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(4, 6)).astype(np.float32)
    log_probs = (scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)).astype(np.float64)
    private = np.array([True, False, False, False, False, True])
    assert assign(log_probs, private).tolist() == first_best(log_probs, private)


def test_a_full_house_of_ties_goes_in_candidate_order() -> None:
    scores = np.zeros((32, 10))
    private = np.arange(10) == 9
    assert assign(scores, private).tolist() == [*range(9), *[9] * 23]


def test_the_first_candidate_is_served_even_where_the_second_prefers_the_same() -> None:
    scores = np.array([[-1.0, -1.0, FORBIDDEN], [-1.0, -1.0, FORBIDDEN]])
    assert assign(scores, np.array([False, False, True])).tolist() == [0, 1]


def test_neighbouring_floats_are_no_tie_and_less_is_one() -> None:
    private = np.array([True, True])
    assert assign(
        np.array([[-1.0, float(np.nextafter(np.float32(-1), np.float32(0)))]]), private
    ).tolist() == [1]
    assert assign(np.array([[-1.0, -1.0 + 2.0**-26]]), private).tolist() == [0]


def test_sums_of_32_candidates_stay_exact() -> None:
    """All pay the most that is told apart; one unit of the resolution decides for the last of them."""
    scores = np.full((32, 12), -4095.0)
    scores[31, 1] += 2.0**-24
    private = np.arange(12) == 0
    assert assign(scores, private).tolist() == [*[0] * 31, 1]
    scores[31, 1] -= 2.0**-24
    assert assign(scores, private).tolist() == [0] * 32


def test_more_candidates_than_sums_can_hold_are_refused() -> None:
    most = np.zeros((MOST_QUERIES, MOST_SHORTLISTED + 2))
    assert assign(most, np.ones(most.shape[1], dtype=bool)).tolist() == [0] * MOST_QUERIES
    with pytest.raises(AssertionError, match="too many candidates for exact sums"):
        assign(np.zeros((256, 1)), np.array([True]))


@pytest.mark.parametrize("worst", [-1e4, -1e30])
def test_hopeless_scores_stay_legal_and_lose(worst: float) -> None:
    scores = np.array([[worst, -1.0], [worst, -2.0]])
    assert assign(scores, np.array([True, False])).tolist() == [1, 0]


def test_no_candidates_need_no_options() -> None:
    assert assign(np.zeros((0, 3)), np.array([True, False, True])).tolist() == []
