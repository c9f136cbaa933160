import json
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from stamina_video.semantics import Change, Decision, Features, Kind, Target
from stamina_video.transitions.decide import decide
from stamina_video.transitions.state import TargetState
from tests.transitions.decision_cases import CONFIG, hand_made_heads, picture

HEADS = hand_made_heads()


def watched(*pictures: Features) -> list[tuple[Change, ...]]:
    state = TargetState.initial("cam", Target("mugs", "O2-Unique"), CONFIG)
    changes = []
    for seen in pictures:
        state, outcome = decide(HEADS, state, seen)
        changes.append(outcome.decision.changes)
    return changes


def brief(changes: tuple[Change, ...]) -> list[tuple[str, str]]:
    return [(change.kind.value, change.subject) for change in changes]


def test_a_new_thing_enters_and_is_accepted() -> None:
    (changes,) = watched(picture(0, [2]))
    assert brief(changes) == [("entry", "identity:0"), ("identity", "identity:0")]
    entry, birth = changes
    assert entry.evidence["query"] == birth.evidence["query"] == 2
    assert birth.evidence["tokens"] == [1]
    assert birth.evidence["new"] > 0.9
    assert (birth.edge, birth.delta) == ("NEW", 1)


def test_leaving_and_returning_keeps_the_identity() -> None:
    changes = watched(picture(0, [2]), picture(1, [2]), picture(2), picture(3, [2]))[1:]
    assert brief(changes[1]) == [("exit", "identity:0")]
    assert changes[1][0].evidence == {"identity": 0, "seen": 1.0}
    assert brief(changes[2]) == [("entry", "identity:0")]
    assert changes[2][0].evidence["match"] > 0.9
    assert changes[2][0].evidence["cosine"] == 1.0
    assert (changes[2][0].evidence["accepted"], changes[2][0].evidence["seen"]) == (0.0, 1.0)


def test_staying_changes_nothing() -> None:
    assert watched(picture(0, [2, 3]), picture(1, [3, 2]))[1] == ()


def test_a_deferred_thing_is_visible_before_it_is_somebody() -> None:
    changes = watched(picture(0, blurred=[2]), picture(1, [2]), picture(2, blurred=[2]), picture(3))
    assert brief(changes[0]) == [("entry", "candidate:2")]
    assert changes[0][0].evidence["identity"] is None
    assert brief(changes[1]) == [("identity", "identity:0")], "resolved in place: no second entry"
    assert brief(changes[2]) == [], "doubt is no exit"
    assert brief(changes[3]) == [("exit", "unresolved:0")]


def test_an_identity_outside_the_room_of_slots_is_one_overflow_record() -> None:
    state = TargetState.initial("cam", Target("mugs", "E2-Episode", "entity"), CONFIG)
    _, outcome = decide(HEADS, state, picture(0, range(6)))
    (overflow,) = [change for change in outcome.decision.changes if change.kind is Kind.OVERFLOW]
    assert (overflow.delta, overflow.subject, overflow.edge) == (0, "slots", "overflow")
    assert overflow.evidence == {"candidates": 2, "queries": [4, 5], "slots": 4, "missed": 2}


def test_as_many_as_can_be_told_apart_may_be_more() -> None:
    crowd, fewer = (watched(picture(0, range(number)))[0] for number in (6, 5))
    (overflow,) = [change for change in crowd if change.kind is Kind.OVERFLOW]
    assert (overflow.delta, overflow.subject, overflow.evidence) == (0, "candidates", {"candidates": 6})
    assert not any(change.kind is Kind.OVERFLOW for change in fewer)


@pytest.mark.parametrize(("shortlist", "misses"), [(1, [2]), (2, [])])
def test_someone_new_whose_double_was_left_out_of_the_shortlist_is_a_miss(
    shortlist: int, misses: list[int]
) -> None:
    """One thing at three sizes: its vectors point the same way, and none is near another."""
    heads = hand_made_heads(replace(CONFIG, shortlist=shortlist))
    state = TargetState.initial("cam", Target("mugs", "O2-Unique"), CONFIG)
    found = []
    for index, size in enumerate((9.0, 3.0, 1.0)):
        seen = picture(index, [2])
        seen.tokens[1] *= size
        state, outcome = decide(heads, state, seen)
        found += [change for change in outcome.decision.changes if change.kind is Kind.RETRIEVAL_MISS]
    assert len(state.registry) == 3
    assert [change.evidence["identity"] for change in found] == misses
    for change in found:
        assert (change.delta, change.evidence["missed"], change.evidence["doubled"]) == (0, 0, 1)
        assert change.evidence["cosine"] == 1.0


scenes = st.lists(
    st.tuples(st.sets(st.integers(0, 5)), st.sets(st.integers(0, 5))).map(
        lambda pair: (pair[0], pair[1] - pair[0])
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=60, deadline=None)
@given(scenes)
def test_running_totals_equal_the_state(pictures: list[tuple[set[int], set[int]]]) -> None:
    """Summed deltas are |V| and |I| at every observation, and every commit is its own."""
    state = TargetState.initial("cam", Target("mugs", "O1-Snap"), CONFIG)
    visible = unique = 0
    known: set[int] = set()
    for index, (things, blurred) in enumerate(pictures):
        state, outcome = decide(HEADS, state, picture(index, sorted(things), sorted(blurred)))
        commits = outcome.decision.commits()
        visible += sum(c.delta for c in commits if c.kind in (Kind.ENTRY, Kind.EXIT))
        unique += sum(c.delta for c in commits if c.kind is Kind.IDENTITY)
        known |= things
        assert visible == len(state.visible) == len(things) + len(blurred)
        assert unique == len(state.registry) == len(known)
        assert len({commit.evidence_id for commit in commits}) == len(commits)
        assert all(json.loads(json.dumps(commit.evidence)) == commit.evidence for commit in commits)


@pytest.mark.parametrize("operator", ["O2-Unique", "E2-Episode", "E1-Transit"])
def test_the_same_pictures_give_the_same_evidence_ids(operator: str) -> None:
    def play() -> list[Decision]:
        state, decisions = TargetState.initial("cam", Target("mugs", operator), CONFIG), []
        for index in range(6):
            state, outcome = decide(HEADS, state, picture(index, [0, index % 5 + 1]))
            decisions.append(outcome.decision)
        return decisions

    with torch.no_grad():
        without_gradients = play()
    assert play() == without_gradients
