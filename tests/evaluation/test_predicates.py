import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.evaluation.predicates import (
    ROUTINES,
    Decision,
    Predicate,
    Watch,
    accuracy,
    balanced,
    is_right,
)
from stamina_video.runtime import Session
from stamina_video.semantics import InvalidInput, Measure
from tests.cli.scenes import counting_model
from tests.runtime.tiny import TARGETS, observation

INVENTORY = ROUTINES["inventory"]


def test_the_papers_routines() -> None:
    assert {name: str(predicate) for name, predicate in ROUTINES.items()} == {
        "inventory": "N >= 4",
        "handover": "C >= 1",
        "restocking": "N <= 2",
        "repetition": "C >= 5",
    }


@pytest.mark.parametrize(
    ("text", "below", "at", "above"),
    [
        ("N≥4", False, True, True),
        ("U <= 4", True, True, False),
        ("C>4", False, False, True),
        ("C == 4", False, True, False),
        ("N < 4", True, False, False),
    ],
)
def test_predicates_compare(text: str, below: bool, at: bool, above: bool) -> None:
    predicate = Predicate.parse(text)
    assert (predicate(3), predicate(4), predicate(5)) == (below, at, above)


@pytest.mark.parametrize("text", ["", "N", "M >= 4", "N >= four", "N => 4", "4 <= N"])
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="expected a predicate such as"):
        Predicate.parse(text)


def test_the_letter_names_the_measure() -> None:
    assert Predicate.parse("U > 1").measure is Measure.UNIQUE


def decision(truth: int, count: float | None, video: str = "a", time: float = 0.0) -> Decision:
    return Decision(video, time, truth, count)


def test_a_wrong_count_may_still_decide_rightly() -> None:
    assert is_right(INVENTORY, decision(5, 9))
    assert not is_right(INVENTORY, decision(5, 3))


@pytest.mark.parametrize("count", [None, math.nan, math.inf, -1, True])
@pytest.mark.parametrize("truth", [3, 5])
def test_an_invalid_count_is_wrong_either_way(count: float | None, truth: int) -> None:
    assert not is_right(INVENTORY, decision(truth, count))


def test_accuracy_pools_balanced_decisions() -> None:
    decisions = [decision(5, 5), decision(5, None), decision(1, 1), decision(1, 2)]
    assert accuracy(INVENTORY, decisions) == 0.75


@pytest.mark.parametrize("decisions", [[], [decision(5, 5)], [decision(5, 5), decision(6, 6)]])
def test_unbalanced_decisions_are_refused(decisions: list[Decision]) -> None:
    with pytest.raises(InvalidInput, match="expected as many decisions with N >= 4 as without"):
        accuracy(INVENTORY, decisions)


CANDIDATES = st.lists(
    st.lists(st.integers(0, 8), min_size=4, max_size=12).filter(
        lambda counts: 2 <= sum(count >= 4 for count in counts) <= len(counts) - 2
    ),
    min_size=1,
    max_size=5,
)


@given(CANDIDATES, st.integers(0, 9))
def test_half_of_the_chosen_decisions_are_eligible(counts: list[list[int]], seed: int) -> None:
    candidates = [
        decision(count, None, f"v{video}", float(time))
        for video, row in enumerate(counts)
        for time, count in enumerate(row)
    ]
    chosen = balanced(INVENTORY, candidates, per_video=4, seed=seed)
    assert len(set(chosen)) == len(chosen) == 4 * len(counts)
    assert {one.video for one in chosen} == {one.video for one in candidates}
    assert 2 * sum(INVENTORY(one.truth) for one in chosen) == len(chosen)
    assert set(chosen) <= set(candidates)


def test_candidates_that_cannot_balance_are_refused() -> None:
    lopsided = [decision(5, None, "v", float(time)) for time in range(6)]
    with pytest.raises(InvalidInput, match="got candidates that cannot give them"):
        balanced(INVENTORY, lopsided, per_video=4)


def test_the_choice_knows_nothing_of_predictions() -> None:
    truth = [1, 5, 2, 6, 3, 7]
    blank = [decision(count, None, "v", float(time)) for time, count in enumerate(truth)]
    given_ = [decision(count, 9.0, "v", float(time)) for time, count in enumerate(truth)]
    times = [[one.time for one in balanced(INVENTORY, some, per_video=4)] for some in (blank, given_)]
    assert times[0] == times[1]


def test_a_watch_speaks_when_the_decision_turns() -> None:
    watch = Watch(Predicate.parse("C >= 2"))
    assert [watch.update(count) for count in (0, 1, 2, 3, 3)] == [False, None, True, None, None]
    assert watch.holds


def test_a_predicate_is_watched_live_on_a_session() -> None:
    blobs = TARGETS[0]
    with Session(counting_model(), [blobs]) as session:
        counts = []
        for index in range(4):
            session.observe(observation(index))
            counts.append(session.count(blobs.description))
        # The threshold is met after the first observation, so the decision turns while the stream plays.
        watch = Watch(Predicate.parse(f"U >= {counts[-1]}"))
        turns = [watch.update(session.count(blobs.description, at=index / 2)) for index in range(4)]
    met = counts.index(counts[-1])
    assert met > 0
    assert turns == [False, *[None] * (met - 1), True, *[None] * (3 - met)]
