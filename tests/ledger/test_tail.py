from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.ledger.memory import MemoryStore
from stamina_video.ledger.reader import Landmarks
from stamina_video.ledger.rows import Point
from stamina_video.ledger.tail import Tail
from stamina_video.semantics import Commit, InvalidInput, Kind, Operator, OutOfOrder
from tests.ledger.commits import CAMERA, MUGS, commit, entry, exit_, identity, registered, segment, stamped

REGISTRATIONS = st.builds(
    registered,
    st.integers(0, 9).map(float),
    st.sampled_from(Operator),
    target=st.sampled_from(["mugs", "boxes"]),
)
COMMITS = (
    st.builds(
        commit,
        st.sampled_from([Kind.ENTRY, Kind.EXIT, Kind.IDENTITY, Kind.EVENT, Kind.GAP]),
        st.integers(0, 9).map(float),
        target=st.sampled_from(["mugs", "boxes"]),
    )
    | st.builds(commit, st.just(Kind.SEGMENT), st.integers(0, 9).map(float), target=st.just(""))
    | REGISTRATIONS
)


@given(st.lists(COMMITS, max_size=30))
def test_a_tail_can_be_taken_up_again_from_the_heads(commits: list[Commit]) -> None:
    tail, store, landmarks = Tail(), MemoryStore(), Landmarks()
    for number, one in enumerate(commits):
        with suppress(OutOfOrder, InvalidInput):
            row = tail.place(stamped(replace(one, evidence_id=f"id {number}")))
            store.insert([row])
            landmarks.add(row)
    assert Tail.after(store.heads(CAMERA), landmarks.origins, landmarks.operators) == tail


def test_a_fork_leaves_the_tail_alone() -> None:
    tail = Tail()
    tail.place(stamped(entry(1.0)))
    fork = tail.fork()
    fork.place(stamped(entry(2.0)))
    assert (tail.number(MUGS, "visible"), fork.number(MUGS, "visible")) == (
        Point(1.0, 1, 1),
        Point(2.0, 2, 2),
    )
    assert tail.last == {MUGS: 1.0}
    assert tail.digest != fork.digest


def placed(*commits: Commit) -> Tail:
    tail = Tail()
    for one in commits:
        tail.place(stamped(one))
    return tail


def test_a_second_event_operator_is_refused_and_both_are_named() -> None:
    tail = placed(registered(0.0, Operator.E1_ACTION), registered(0.0, Operator.O2_UNIQUE))
    with pytest.raises(InvalidInput, match=r"one event operator .* which has E1-Action, got E2-Episode too"):
        tail.place(stamped(registered(0.0, Operator.E2_EPISODE)))
    tail.place(stamped(registered(0.0, Operator.E1_ACTION, observation=1)))
    tail.place(stamped(registered(0.0, Operator.E2_EPISODE, target="boxes")))


def test_object_operators_share_a_description() -> None:
    objects = [Operator.O1_SNAP, Operator.O1_DELTA, Operator.O2_UNIQUE, Operator.O2_GAIN]
    placed(*(registered(0.0, operator) for operator in objects), entry(1.0), identity(1.0), exit_(2.0))


@pytest.mark.parametrize(
    ("operator", "kind"),
    [
        (Operator.E1_ACTION, Kind.IDENTITY),
        (Operator.E2_PERIODIC, Kind.ENTRY),
        (Operator.O2_UNIQUE, Kind.EVENT),
        (Operator.O1_SNAP, Kind.EVENT),
    ],
)
def test_only_what_a_registered_operator_counts(operator: Operator, kind: Kind) -> None:
    tail = placed(registered(0.0, operator))
    with pytest.raises(InvalidInput, match=f"expected what {operator} of 'red mugs' counts, got {kind}"):
        tail.place(stamped(commit(kind, 1.0)))
    tail.place(stamped(commit(Kind.GAP, 1.0)))


def test_a_segment_has_no_target() -> None:
    with pytest.raises(InvalidInput, match=r"expected no target for a segment .* got 'red mugs'"):
        placed(commit(Kind.SEGMENT, 1.0))


def test_observations_do_not_go_back_within_a_segment() -> None:
    tail = placed(identity(1.0, observation=7), identity(2.0, observation=7, subject="same"))
    with pytest.raises(OutOfOrder, match="from observation 7 on, got observation 6"):
        tail.place(stamped(identity(3.0, observation=6)))
    tail.place(stamped(identity(0.0, observation=0, target="boxes")))
    tail.place(stamped(segment(3.0, observation=9)))
    tail.place(stamped(identity(3.0, observation=0)))


@pytest.mark.parametrize("what", ["stream", "target", "evidence_id", "model"])
def test_names_are_bounded(what: str) -> None:
    placed(replace(identity(1.0), **{what: "é" * 512}))  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=f"expected {what} of at most 512 characters, got 513"):
        placed(replace(identity(1.0), **{what: "é" * 513}))  # type: ignore[arg-type]
