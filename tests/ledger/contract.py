"""What every store must do, whatever it is made of. Each store's tests inherit these."""

from collections.abc import Iterator
from math import inf

import pytest

from stamina_video.ledger import Ledger
from stamina_video.ledger.rows import Point, Row, Track
from stamina_video.ledger.store import Store, open_store
from stamina_video.ledger.tail import Tail
from stamina_video.semantics import (
    Commit,
    EvidenceConflict,
    InvalidInput,
    LedgerReadOnly,
    Operator,
    OutOfOrder,
    StreamBusy,
)
from tests.ledger.commits import CAMERA, MUGS, entry, exit_, identity, registered, segment, stamped

UNIQUE = Track(CAMERA, MUGS, "unique", 0)
VISIBLE = Track(CAMERA, MUGS, "visible", 0)


def placed(*commits: Commit) -> list[Row]:
    tail = Tail()
    return [tail.place(stamped(commit)) for commit in commits]


def commits_of(rows: list[Row]) -> list[Commit]:
    return [row.commit for row in rows]


class StoreContract:
    """Inherit, and give a fixture `address` with the address of a fresh ledger."""

    @pytest.fixture
    def store(self, address: str) -> Iterator[Store]:
        store = open_store(address, readonly=False)
        yield store
        store.close()

    @pytest.fixture
    def ledger(self, address: str) -> Iterator[Ledger]:
        with Ledger.open(address) as ledger:
            yield ledger

    def test_a_fresh_store_is_empty(self, store: Store) -> None:
        assert store.streams() == []
        assert store.heads(CAMERA) == store.landmarks(CAMERA) == store.find(CAMERA, ["x"]) == []
        assert store.points(UNIQUE, -inf, inf, 10, latest=True) == []
        assert store.track_rows(UNIQUE, -inf, inf) == store.target_rows(CAMERA, MUGS) == []
        assert store.stream_rows(CAMERA, 0, 10) == []
        store.check()

    def test_rows_come_back_as_they_went_in(self, store: Store) -> None:
        rows = placed(
            identity(
                0.1, evidence={"score": 0.1 + 0.2, "box": [1, 2.5, None, True], "frame": {"n": "é\x00"}}
            ),
            entry(0.1, 3, model=""),
            segment(7.0, evidence={"why": "reconnect"}),
        )
        store.insert(rows)
        kept = store.stream_rows(CAMERA, 0, 10)
        assert [
            (row.commit, row.commit.recorded, row.segment, row.total, row.gained, row.digest) for row in kept
        ] == [
            (row.commit, row.commit.recorded, row.segment, row.total, row.gained, row.digest) for row in rows
        ]
        assert [row.id for row in kept] == sorted({row.id for row in kept})

    def test_find_by_evidence_id_within_a_stream(self, store: Store) -> None:
        here, there = identity(1.0), identity(1.0, stream="other")
        store.insert(placed(here))
        store.insert(placed(there))
        many = [f"{number:032x}" for number in range(700)]
        assert commits_of(store.find(CAMERA, [*many, here.evidence_id, there.evidence_id])) == [here]

    def test_heads_are_the_last_rows_of_each_measure_of_each_target(self, store: Store) -> None:
        last = [identity(2.0), entry(3.0), entry(1.0, target="boxes"), registered(3.0, Operator.O1_SNAP)]
        store.insert(placed(identity(1.0), entry(1.0), *last))
        assert set(commits_of(store.heads(CAMERA))) == set(last)
        assert commits_of(store.heads(CAMERA, "boxes")) == [last[2]]
        later = [segment(9.0), identity(9.0)]
        store.insert(placed(*later))
        assert set(commits_of(store.heads(CAMERA))) == {later[0], later[1], *last[1:]}

    def test_landmarks_are_segments_and_registrations(self, store: Store) -> None:
        landmarks = [registered(0.0, Operator.O2_UNIQUE), segment(5.0), segment(5.0, subject="again")]
        store.insert(placed(landmarks[0], identity(1.0), *landmarks[1:]))
        rows = store.landmarks(CAMERA)
        assert commits_of(rows) == landmarks
        assert commits_of(store.landmarks(CAMERA, rows[0].id)) == landmarks[1:]

    def test_points_of_a_track_by_time(self, store: Store) -> None:
        store.insert(placed(entry(1.0), entry(2.0, 2), exit_(2.0), exit_(4.0), identity(4.0)))
        all_points = [Point(1.0, 1, 1), Point(2.0, 3, 3), Point(2.0, 2, 3), Point(4.0, 1, 3)]
        assert store.points(VISIBLE, -inf, inf, 10, latest=False) == all_points
        assert store.points(VISIBLE, -inf, inf, 10, latest=True) == all_points
        assert store.points(VISIBLE, 2.0, 2.0, 10, latest=False) == all_points[1:3]
        assert store.points(VISIBLE, -inf, 3.9, 1, latest=True) == [all_points[2]]
        assert store.points(VISIBLE, 1.5, inf, 2, latest=False) == all_points[1:3]
        assert store.points(VISIBLE, -inf, 0.5, 1, latest=True) == []
        assert store.points(VISIBLE._replace(segment=1), -inf, inf, 10, latest=True) == []

    def test_rows_of_a_track_a_target_and_a_stream(self, store: Store) -> None:
        commits = [entry(1.0), identity(1.0), entry(2.0), entry(2.0, target="boxes"), exit_(3.0)]
        store.insert(placed(*commits))
        mugs = [commits[0], commits[1], commits[2], commits[4]]
        assert commits_of(store.track_rows(VISIBLE, 1.5, 3.0)) == [commits[2], commits[4]]
        assert commits_of(store.target_rows(CAMERA, MUGS)) == mugs
        assert commits_of(store.target_rows(CAMERA, MUGS, "unique")) == [commits[1]]
        first = store.stream_rows(CAMERA, 0, 2)
        assert commits_of(first) == commits[:2]
        assert commits_of(store.stream_rows(CAMERA, first[-1].id, 10)) == commits[2:]

    def test_appending_says_what_was_new(self, ledger: Ledger) -> None:
        assert ledger.append(identity(1.0)) is True
        assert ledger.append(identity(1.0)) is False
        assert ledger.append_all([identity(1.0), entry(1.0), entry(1.0)]) == [False, True, False]
        assert (
            ledger.count(CAMERA, MUGS, measure="unique"),
            ledger.count(CAMERA, MUGS, measure="visible"),
        ) == (1, 1)

    def test_a_refused_batch_leaves_nothing(self, ledger: Ledger) -> None:
        ledger.append(identity(1.0))
        with pytest.raises(EvidenceConflict, match=r"delta 1 .* got 2"):
            ledger.append_all([entry(1.0), identity(1.0, delta=2)])
        with pytest.raises(OutOfOrder):
            ledger.append_all([identity(2.0, observation=5), identity(0.5, observation=5, subject="late")])
        with pytest.raises(InvalidInput, match="at most 0 to leave"):
            ledger.append_all([identity(3.0), exit_(3.0)])
        assert ledger.history(CAMERA, MUGS) == [identity(1.0)]
        assert ledger.verify() == 1

    def test_a_known_id_is_a_conflict_at_a_later_time_too(self, ledger: Ledger) -> None:
        known = entry(1.0)
        ledger.append(known)
        later = Commit(CAMERA, MUGS, "entry", 1, 99, 9.0, known.evidence_id)
        with pytest.raises(EvidenceConflict, match="for evidence id"):
            ledger.append_all([Commit(CAMERA, "other", "entry", 1, 99, 9.0, "fresh"), later])
        assert ledger.count(CAMERA, MUGS) == 1
        assert ledger.targets(CAMERA) == [MUGS], "none of the batch landed"
        assert ledger.append(known) is False
        assert ledger.append(entry(2.0)) is True
        assert ledger.verify() == 2

    def test_counts_through_segments_as_of_any_time(self, ledger: Ledger) -> None:
        for step in [
            registered(0.0, Operator.O1_SNAP),
            entry(1.0),
            entry(2.0, 2),
            exit_(3.0),
            segment(4.0),
            entry(5.0),
        ]:
            assert ledger.append(step)
        times = [0.0, 0.9, 1.0, 2.0, 2.9, 3.0, 3.9, 4.0, 5.0, 99.0, None]
        assert [ledger.count(CAMERA, MUGS, at) for at in times] == [0, 0, 1, 3, 3, 2, 2, 0, 1, 1, 1]
        assert ledger.change(CAMERA, MUGS, since=1.0, at=3.0) == 1
        assert ledger.entries(CAMERA, MUGS, since=1.0, at=3.0) == 2
        with pytest.raises(InvalidInput, match=r"segment origin at 4\.0"):
            ledger.change(CAMERA, MUGS, since=3.0, at=5.0)
        assert ledger.verify() == 6

    def test_the_last_commits_of_a_stream(self, ledger: Ledger) -> None:
        commits = [identity(1.0), segment(2.0), entry(3.0, target="boxes")]
        for step in [*commits, identity(9.0, stream="other")]:
            ledger.append(step)
        assert [ledger.last(CAMERA, number) for number in (0, 1, 2, 9)] == [
            [],
            commits[2:],
            commits[1:],
            commits,
        ]
        assert ledger.last("nowhere", 5) == []

    def test_what_is_stored_is_nobody_elses(self, ledger: Ledger) -> None:
        mine = identity(1.0, evidence={"box": [1, 2]})
        ledger.append(mine)
        for handed in (mine, *ledger.history(CAMERA, MUGS), *ledger.last(CAMERA, 1)):
            handed.evidence["box"].append(9)
            handed.evidence["score"] = 1.0  # type: ignore[index]
        assert ledger.history(CAMERA, MUGS)[0].evidence == {"box": [1, 2]}
        assert ledger.verify() == 1

    def test_the_longest_names(self, ledger: Ledger) -> None:
        longest = "𝄞" * 512
        kept = Commit(longest, longest, "identity", 1, 0, 0.0, longest, {}, longest)
        assert ledger.append(kept) is True
        assert (ledger.count(longest, longest), ledger.last(longest, 1)) == (1, [kept])
        with pytest.raises(InvalidInput, match="at most 512 characters, got 9000"):
            ledger.append(Commit("s" * 9000, MUGS, "identity", 1, 0, 0.0, "id"))

    def test_streams_and_targets(self, ledger: Ledger) -> None:
        ledger.append(identity(1.0))
        ledger.append(identity(1.0, target="boxes"))
        ledger.append(segment(1.0, stream="other"))
        assert ledger.streams() == [CAMERA, "other"]
        assert ledger.targets(CAMERA) == ["boxes", MUGS]
        assert ledger.targets("other") == ledger.targets("nowhere") == []


class DurableStoreContract(StoreContract):
    """For stores that outlive their process."""

    def test_everything_is_there_after_reopening(self, address: str) -> None:
        with Ledger.open(address) as ledger:
            ledger.append_all([identity(1.0), entry(1.0)])
            ledger.append(segment(2.0))
            ledger.append(identity(3.0))
        with Ledger.open(address) as ledger:
            assert ledger.append_all([identity(1.0), entry(1.0)]) == [False, False]
            with pytest.raises(OutOfOrder):
                ledger.append(identity(1.5))
            assert ledger.append(identity(4.0)) is True
            assert [ledger.count(CAMERA, MUGS, at, "unique") for at in (1.0, 2.0, 3.0, 4.0)] == [1, 0, 1, 2]
            assert ledger.verify() == 5

    def test_a_second_writer_of_a_stream_is_refused(self, address: str) -> None:
        with Ledger.open(address) as first, Ledger.open(address) as second:
            first.append(identity(1.0))
            with pytest.raises(StreamBusy, match="'camera'"):
                second.append(identity(2.0))
            assert second.count(CAMERA, MUGS) == 1
            first.append(identity(3.0))
            assert second.count(CAMERA, MUGS) == 2
            first.close()
            assert second.append(identity(4.0)) is True
            assert second.history(CAMERA, MUGS) == [identity(1.0), identity(3.0), identity(4.0)]

    def test_streams_are_written_side_by_side(self, address: str) -> None:
        with Ledger.open(address) as first, Ledger.open(address) as second:
            for step in range(1, 20):
                assert first.append(identity(float(step)))
                assert second.append(identity(float(step), stream="other"))
            assert first.count("other", MUGS) == second.count(CAMERA, MUGS) == 19
            assert first.verify() == 38

    def test_a_reader_follows_the_writer_and_cannot_write(self, address: str) -> None:
        with Ledger.open(address) as writer:
            writer.append(identity(1.0))
            with Ledger.open(address, readonly=True) as reader:
                assert reader.count(CAMERA, MUGS) == 1
                writer.append(identity(1.0, subject="second", observation=11))
                writer.append(identity(2.0))
                assert [reader.count(CAMERA, MUGS, at) for at in (0.5, 1.0, 2.0, None)] == [0, 2, 3, 3]
                writer.append(segment(3.0))
                assert [reader.count(CAMERA, MUGS, at) for at in (2.5, 3.0, None)] == [3, 0, 0]
                with pytest.raises(LedgerReadOnly):
                    reader.append(identity(4.0))
                assert reader.verify() == 4
