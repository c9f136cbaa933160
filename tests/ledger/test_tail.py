from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from stamina_video.ledger.memory import MemoryStore
from stamina_video.ledger.rows import Point
from stamina_video.ledger.tail import Tail
from stamina_video.semantics import Commit, InvalidInput, Kind, OutOfOrder
from tests.ledger.commits import CAMERA, MUGS, commit, entry, stamped

COMMITS = st.builds(
    commit,
    st.sampled_from([Kind.ENTRY, Kind.EXIT, Kind.IDENTITY, Kind.EVENT, Kind.GAP]),
    st.integers(0, 9).map(float),
    target=st.sampled_from(["mugs", "boxes"]),
) | st.builds(commit, st.just(Kind.SEGMENT), st.integers(0, 9).map(float), target=st.just(""))


@given(st.lists(COMMITS, max_size=30))
def test_a_tail_can_be_taken_up_again_from_the_heads(commits: list[Commit]) -> None:
    tail, store, origins = Tail(), MemoryStore(), []
    for one in commits:
        with suppress(OutOfOrder, InvalidInput):
            row = tail.place(stamped(one))
            store.insert([row])
            if one.kind is Kind.SEGMENT:
                origins.append(one.time)
    assert Tail.after(store.heads(CAMERA), origins) == tail


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
