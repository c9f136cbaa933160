"""The rules of a ledger, which are the same over every store."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import stamina_video.ledger
from stamina_video.ledger import Commit, Ledger
from stamina_video.semantics import (
    EvidenceConflict,
    InvalidInput,
    Kind,
    LedgerError,
    Operator,
    OutOfOrder,
    StoreUnavailable,
)
from tests.ledger.commits import CAMERA, MUGS, commit, entry, exit_, identity, registered, segment


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.open(":memory:") as ledger:
        yield ledger


def test_exported_names() -> None:
    assert stamina_video.ledger.__all__ == ["Commit", "Ledger"]


def test_importing_the_ledger_stays_light() -> None:
    program = (
        "import sys, stamina_video.ledger; "
        "heavy = {'torch', 'numpy', 'pydantic', 'psycopg', 'pyarrow', 'sqlite3', 'filelock'}; "
        "assert heavy.isdisjoint(sys.modules), heavy & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


class TestAppend:
    def test_nothing_is_fine(self, ledger: Ledger) -> None:
        assert ledger.append_all([]) == []

    def test_any_iterable_of_commits(self, ledger: Ledger) -> None:
        assert ledger.append_all(one for one in [identity(1.0), entry(1.0)]) == [True, True]
        assert ledger.append_all(iter(())) == []

    @pytest.mark.parametrize("what", [None, 7, "mug-a", {"kind": "event"}, b"x"])
    def test_what_is_not_a_commit(self, ledger: Ledger, what: Any) -> None:
        for append in (ledger.append, lambda one: ledger.append_all([one])):
            with pytest.raises(InvalidInput, match="expected commits, got"):
                append(what)
        with pytest.raises(InvalidInput, match="expected commits, got None"):
            ledger.append_all(None)  # type: ignore[arg-type]

    def test_one_observation_of_one_stream_at_a_time(self, ledger: Ledger) -> None:
        with pytest.raises(InvalidInput, match="one observation of one stream"):
            ledger.append_all([identity(1.0), identity(2.0)])
        with pytest.raises(InvalidInput, match="one observation of one stream"):
            ledger.append_all([identity(1.0), identity(1.0, stream="other")])

    def test_a_redelivery_is_harmless_however_old(self, ledger: Ledger) -> None:
        old = identity(1.0)
        assert [ledger.append(old), ledger.append(identity(9.0)), ledger.append(segment(10.0))] == [True] * 3
        assert ledger.append(old) is False
        assert ledger.count(CAMERA, MUGS, at=9.5) == 2

    def test_evidence_is_compared_as_it_is_stored(self, ledger: Ledger) -> None:
        nested = {"box": {"corner": (1, 2)}, "score": 0.5}
        assert ledger.append(identity(1.0, evidence=nested)) is True
        assert ledger.append(identity(1.0, evidence=dict(reversed(nested.items())))) is False

    @pytest.mark.parametrize(
        ("field", "other"),
        [
            ("target", Commit(CAMERA, "boxes", "identity", 1, 10, 1.0, "id", {"score": 1})),
            ("kind", Commit(CAMERA, MUGS, "event", 1, 10, 1.0, "id", {"score": 1})),
            ("delta", Commit(CAMERA, MUGS, "identity", 2, 10, 1.0, "id", {"score": 1})),
            ("observation", Commit(CAMERA, MUGS, "identity", 1, 11, 1.0, "id", {"score": 1})),
            ("time", Commit(CAMERA, MUGS, "identity", 1, 10, 1.5, "id", {"score": 1})),
            ("evidence", Commit(CAMERA, MUGS, "identity", 1, 10, 1.0, "id", {"score": 2})),
            ("model", Commit(CAMERA, MUGS, "identity", 1, 10, 1.0, "id", {"score": 1}, "other")),
        ],
    )
    def test_a_conflict_names_the_field(self, ledger: Ledger, field: str, other: Commit) -> None:
        ledger.append(Commit(CAMERA, MUGS, "identity", 1, 10, 1.0, "id", {"score": 1}))
        with pytest.raises(EvidenceConflict, match=f"expected {field} .* for evidence id 'id'"):
            ledger.append(other)

    def test_the_same_id_in_another_stream_is_another(self, ledger: Ledger) -> None:
        for stream in ("a", "b"):
            assert ledger.append(Commit(stream, MUGS, "identity", 1, 0, 0.0, "id")) is True

    def test_order_is_kept_for_each_target(self, ledger: Ledger) -> None:
        ledger.append(identity(5.0))
        assert ledger.append(identity(1.0, target="boxes")) is True, "a late target replays the past"
        with pytest.raises(
            OutOfOrder, match=r"at 5\.0 s or later \(the last commit of its target\), got 4\.0 s"
        ):
            ledger.append(entry(4.0))
        assert ledger.append(entry(5.0)) is True

    def test_a_segment_begins_after_all_that_was_said(self, ledger: Ledger) -> None:
        ledger.append(identity(5.0))
        with pytest.raises(OutOfOrder, match=r"segment .* 5\.0 s or later \(the last commit of the stream\)"):
            ledger.append(segment(4.0))
        ledger.append(segment(6.0))
        with pytest.raises(OutOfOrder, match=r"6\.0 s or later \(the segment's origin\)"):
            ledger.append(identity(5.5))
        with pytest.raises(OutOfOrder, match=r"6\.0 s or later \(the segment's origin\)"):
            ledger.append(identity(5.5, target="boxes"))

    def test_nothing_leaves_that_is_not_there(self, ledger: Ledger) -> None:
        ledger.append(entry(1.0, 2))
        with pytest.raises(InvalidInput, match=r"at most 2 to leave .* got 3"):
            ledger.append(exit_(2.0, -3))
        ledger.append(segment(3.0))
        with pytest.raises(InvalidInput, match="at most 0 to leave"):
            ledger.append(exit_(4.0))

    def test_what_no_store_could_hold_is_refused(self, ledger: Ledger) -> None:
        with pytest.raises(InvalidInput, match="below 2"):
            ledger.append(identity(1.0, observation=2**63))
        with pytest.raises(InvalidInput, match="below 2"):
            ledger.append(identity(1.0, delta=2**63))
        with pytest.raises(InvalidInput, match="model fingerprint"):
            ledger.append(identity(1.0, model="a\x00b"))
        with pytest.raises(InvalidInput, match="expected an operator"):
            ledger.append(commit(Kind.TARGET, 0.0, evidence={"operator": "O3-Guess"}))
        assert ledger.streams() == []

    def test_the_ledger_says_when_it_recorded(self, ledger: Ledger) -> None:
        ledger.append(identity(1.0))
        (kept,) = ledger.history(CAMERA, MUGS)
        assert kept.recorded is not None

    def test_after_a_failed_write_the_store_is_asked_again(
        self, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The rows may have landed although the answer was lost."""
        ledger.append(identity(1.0))
        insert = ledger._store.insert

        def landed_but_lost(rows: object) -> None:
            insert(rows)  # type: ignore[arg-type]
            raise StoreUnavailable("the line went dead")

        with monkeypatch.context() as patch:
            patch.setattr(ledger._store, "insert", landed_but_lost)
            with pytest.raises(StoreUnavailable):
                ledger.append(identity(2.0))
        assert ledger.append(identity(2.0)) is False
        assert ledger.append(identity(3.0)) is True
        assert (ledger.count(CAMERA, MUGS), ledger.verify()) == (3, 3)


class TestReads:
    def test_the_measure_follows_from_the_registered_operator(self, ledger: Ledger) -> None:
        ledger.append(registered(0.0, Operator.O1_SNAP))
        ledger.append_all([entry(1.0, 5), identity(1.0)])
        assert ledger.count(CAMERA, MUGS) == 5
        assert ledger.count(CAMERA, MUGS, measure="unique") == 1

    def test_or_from_the_only_measure_there_is(self, ledger: Ledger) -> None:
        assert ledger.count(CAMERA, MUGS) == 0
        ledger.append(commit(Kind.GAP, 0.5))
        assert ledger.count(CAMERA, MUGS) == 0
        ledger.append(identity(1.0))
        assert ledger.count(CAMERA, MUGS) == 1
        ledger.append(entry(2.0))
        with pytest.raises(InvalidInput, match=r"expected a measure of 'red mugs' \(unique, visible\)"):
            ledger.count(CAMERA, MUGS)

    def test_or_must_be_said(self, ledger: Ledger) -> None:
        ledger.append(registered(0.0, Operator.O1_SNAP))
        ledger.append(registered(0.0, Operator.O1_DELTA))
        ledger.append(entry(1.0))
        assert ledger.count(CAMERA, MUGS) == 1, "both operators read the same number"
        ledger.append(registered(1.0, Operator.O2_UNIQUE))
        with pytest.raises(InvalidInput, match=r"\(unique, visible\)"):
            ledger.count(CAMERA, MUGS)

    def test_change_and_entries_differ_by_exits(self, ledger: Ledger) -> None:
        for step in [entry(1.0, 2), exit_(2.0), entry(3.0)]:
            ledger.append(step)
        assert (ledger.change(CAMERA, MUGS, 1.0), ledger.entries(CAMERA, MUGS, 1.0)) == (0, 1)
        assert (ledger.change(CAMERA, MUGS, 0.0, 2.0), ledger.entries(CAMERA, MUGS, 0.0, 2.0)) == (1, 2)
        assert ledger.change(CAMERA, MUGS, 50.0) == ledger.entries(CAMERA, MUGS, 3.0, 3.0) == 0

    def test_entries_since_before_anything_was_observed(self, ledger: Ledger) -> None:
        for step in [entry(0.0, 2), exit_(2.0), entry(3.0)]:
            ledger.append(step)
        assert (ledger.entries(CAMERA, MUGS, 0.0), ledger.entries(CAMERA, MUGS, None)) == (1, 3)
        assert ledger.entries(CAMERA, MUGS, None, 2.5) == 2
        ledger.append(segment(4.0))
        ledger.append(entry(5.0, subject="later"))
        assert ledger.entries(CAMERA, MUGS, None, 6.0) == 1, "a segment begins empty"

    def test_segments_at_the_same_moment(self, ledger: Ledger) -> None:
        ledger.append(identity(1.0))
        ledger.append(segment(1.0))
        assert ledger.count(CAMERA, MUGS, 1.0) == 0, "the newer one counts"
        ledger.append(identity(1.0, subject="again"))
        ledger.append(segment(1.0, subject="again"))
        assert ledger.count(CAMERA, MUGS, 1.0) == 0
        assert ledger.count(CAMERA, MUGS, 0.9) == 0
        assert len(ledger.history(CAMERA, MUGS)) == 2

    def test_spaces_in_a_target_do_not_matter(self, ledger: Ledger) -> None:
        ledger.append(identity(1.0))
        assert ledger.count(CAMERA, "  red   mugs ") == 1
        assert len(ledger.history(CAMERA, "  red   mugs ")) == 1

    def test_history_by_measure(self, ledger: Ledger) -> None:
        commits = [registered(0.0, Operator.O2_UNIQUE), identity(1.0), entry(1.0), identity(2.0)]
        for step in commits:
            ledger.append(step)
        assert ledger.history(CAMERA, MUGS) == commits
        assert ledger.history(CAMERA, MUGS, "unique") == [commits[1], commits[3]]
        assert ledger.history(CAMERA, MUGS, "completed") == ledger.history("nowhere", MUGS) == []

    @pytest.mark.parametrize("at", [-1.0, float("nan"), float("inf"), "now", True])
    def test_a_time_must_be_one(self, ledger: Ledger, at: float) -> None:
        for _ in range(2):
            for read in (ledger.count, ledger.explain):
                with pytest.raises(InvalidInput, match="expected a time in seconds"):
                    read(CAMERA, MUGS, at)
            with pytest.raises(InvalidInput, match="expected since in seconds"):
                ledger.change(CAMERA, MUGS, at)
            ledger.append(identity(1.0))

    def test_words_must_be_ones(self, ledger: Ledger) -> None:
        ledger.append(identity(1.0))
        with pytest.raises(InvalidInput, match="expected a target description"):
            ledger.count(CAMERA, " ")
        with pytest.raises(InvalidInput, match="expected a target description"):
            ledger.history(CAMERA, "")
        with pytest.raises(InvalidInput, match="expected a stream name"):
            ledger.count("", MUGS)
        with pytest.raises(
            InvalidInput, match=r"expected a measure \(visible, unique, completed\), got 'many'"
        ):
            ledger.count(CAMERA, MUGS, measure="many")
        with pytest.raises(InvalidInput, match="expected a measure"):
            ledger.history(CAMERA, MUGS, "many")
        with pytest.raises(InvalidInput, match=r"since no later than at, got since 3\.0 and at 2\.0"):
            ledger.change(CAMERA, MUGS, 3.0, 2.0)

    @pytest.mark.parametrize("what", [["x"], {}, None, 7])
    def test_words_must_be_words(self, ledger: Ledger, what: Any) -> None:
        for _ in range(2):
            for read in (ledger.count, ledger.explain, ledger.history):
                for names in ((what, MUGS), (CAMERA, what)):
                    with pytest.raises(InvalidInput, match="expected a "):
                        read(*names)
                if what is not None:
                    with pytest.raises(InvalidInput, match=r"expected a .*measure"):
                        read(CAMERA, MUGS, measure=what)
            with pytest.raises(InvalidInput, match="expected a "):
                ledger.change(CAMERA, what, since=0.0)
            for ask in (ledger.targets, lambda stream: ledger.last(stream, 1)):
                with pytest.raises(InvalidInput, match="expected a stream name"):
                    ask(what)
            ledger.append(identity(1.0))

    @pytest.mark.parametrize("number", [-1, 1.5, None, "3", True, 2**63])
    def test_a_number_of_commits_must_be_one(self, ledger: Ledger, number: Any) -> None:
        with pytest.raises(InvalidInput, match="expected a number of commits from 0, got"):
            ledger.last(CAMERA, number)

    def test_a_closed_ledger_says_so(self) -> None:
        ledger = Ledger.open(":memory:")
        ledger.append(identity(1.0))
        ledger.close()
        ledger.close()
        for read in (ledger.count, ledger.history, ledger.explain):
            with pytest.raises(LedgerError, match="after it was closed"):
                read(CAMERA, MUGS)
        for ask in (
            ledger.streams,
            ledger.verify,
            lambda: ledger.append(identity(2.0)),
            lambda: list(ledger.rows()),
        ):
            with pytest.raises(LedgerError, match="after it was closed"):
                ask()


def test_threads_share_a_ledger(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "counts.db") as ledger:
        seen: list[int] = []

        def write(stream: str) -> None:
            for step in range(50):
                ledger.append(identity(float(step), stream=stream))
                seen.append(ledger.count(stream, MUGS) - step)

        threads = [threading.Thread(target=write, args=(f"camera {number}",)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert seen == [1] * 200
        assert ledger.verify() == 200
