from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stamina_video.ledger import Ledger
from stamina_video.runtime import Session, replay
from stamina_video.semantics import (
    Commit,
    InvalidInput,
    Kind,
    Observation,
    Operator,
    StreamBusy,
    Target,
    ceiling,
)
from stamina_video.video import Gap
from tests.cli.scenes import counting_model
from tests.runtime.tiny import TARGETS, observation, tiny_model

MODEL = tiny_model()
STREAM = [observation(index) for index in range(10)]


def recorded(ledger: Ledger) -> list[Commit]:
    return [row.commit for stream in ledger.streams() for row in ledger.rows(stream)]


def watch(session: Session, items: Iterable[Observation]) -> None:
    for item in items:
        session.observe(item)


def uninterrupted(path: Path) -> list[Commit]:
    with Session(MODEL, TARGETS, path) as session:
        for item in STREAM:
            session.observe(item)
    with Ledger.open(path, readonly=True) as ledger:
        return recorded(ledger)


def test_counts_follow_the_state() -> None:
    with Session(MODEL, TARGETS) as session:
        assert session.count("swing") == 0
        for item in STREAM:
            session.observe(item)
            assert session.state is not None
            visible, unique = (
                session.count("red blobs", operator=operator) for operator in ("O1-Snap", "O2-Unique")
            )
            assert visible == len(session.state.targets[1].visible)
            assert unique == len(session.state.targets[0].registry)
        assert session.change("red blobs", since=1.0, at=4.0, operator="O2-Unique") == session.count(
            "red blobs", 4.0, "O2-Unique"
        ) - session.count("red blobs", 1.0, "O2-Unique")


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.floats(0, 6)), max_size=12))
def test_reading_never_changes_what_is_committed(reads: list[tuple[int, float]]) -> None:
    def play(reads: list[tuple[int, float]]) -> list[Commit]:
        with Session(MODEL, TARGETS) as session:
            for index, item in enumerate(STREAM):
                session.observe(item)
                for when, at in reads:
                    if when == index:
                        session.count("swing", at)
                        session.explain("red blobs", at, operator="O1-Snap")
                        session.change("blob moved", since=0.0, at=at)
            return recorded(session.ledger)

    assert play(reads) == play([])


@pytest.mark.parametrize("stopped", [1, 3, 4, 9])
def test_an_interrupted_session_ends_with_the_same_ledger(stopped: int, tmp_path: Path) -> None:
    whole = uninterrupted(tmp_path / "whole.db")
    session = Session(MODEL, TARGETS, tmp_path / "parts.db", snapshot_every=3)
    for item in STREAM[:stopped]:
        session.observe(item)
    session.ledger.close()  # as a crash would: no last snapshot
    with Session(MODEL, TARGETS, tmp_path / "parts.db", snapshot_every=3) as resumed:
        for item in STREAM:
            resumed.observe(item)
        assert recorded(resumed.ledger) == whole


def test_a_gap_is_a_fact_and_a_warning() -> None:
    with Session(MODEL, TARGETS) as session:
        session.observe(Gap(0.0, 0.0, "damaged before the first picture"))
        for item in STREAM[:4]:
            session.observe(item)
        session.observe(Gap(1.5, 4.0, "reconnected", missed=70))
        answer = session.explain("swing", at=5.0)
    assert "gap from 1.5 to 4.0 s in the whole stream: reconnected" in answer.warnings[1]
    assert [fact.evidence["reason"] for fact in answer.facts] == [
        "damaged before the first picture",
        "reconnected",
    ]


def test_gaps_delivered_again_are_the_same_gaps(tmp_path: Path) -> None:
    gaps = [Gap(0.0, 0.0, "no timestamps"), Gap(1.0, 1.5, "damaged data", 3)]
    for _ in range(2):
        with Session(MODEL, TARGETS, tmp_path / "counts.db") as session:
            items: list[Observation | Gap] = [gaps[0], *STREAM[:3], gaps[1], *STREAM[3:]]
            for item in items:
                session.observe(item)
            assert [commit.kind for commit in recorded(session.ledger)].count(Kind.GAP) == 2


@pytest.mark.parametrize(("spacing", "expected"), [(1.0, True), (0.05, False)])
def test_a_rate_too_low_for_the_operator_is_a_warning(spacing: float, expected: bool) -> None:
    with Session(MODEL, TARGETS) as session:
        for item in STREAM:
            session.observe(replace(item, time=item.index * spacing))
        warnings = session.explain("swing").warnings
    said = any(
        warning.startswith(
            "rate: looked 1 times a second, 6 would be enough: E2-Periodic takes 2 observations"
        )
        for warning in warnings
    )
    assert said is expected
    assert any(warning.startswith("rate: ") for warning in warnings) is expected


def test_another_rate_than_the_ledgers_is_refused(tmp_path: Path) -> None:
    model = counting_model()  # commits after its first observation
    with Session(model, TARGETS, tmp_path / "counts.db") as session:
        for item in STREAM:
            session.observe(item)
    with Session(model, TARGETS, tmp_path / "counts.db") as session:
        faster = [replace(item, time=item.time / 3) for item in STREAM]
        with pytest.raises(InvalidInput, match="was it begun at another rate"):
            watch(session, faster)


def test_the_capacity_is_that_of_what_was_observed() -> None:
    with Session(MODEL, TARGETS) as session:
        assert session.capacity("swing") == 0
        for item in STREAM[:7]:
            session.observe(item)
        assert session.capacity("swing") == ceiling(Operator.E2_PERIODIC, 7)
        assert session.capacity("red blobs", "O2-Unique") is None


def test_a_late_target_is_counted_from_the_origin() -> None:
    late = Target("blue blobs", "O2-Unique")
    with Session(MODEL, (*TARGETS, late)) as session:
        for item in STREAM:
            session.observe(item)
        expected = session.ledger.history("table", "blue blobs")
    steps: list[tuple[int, int]] = []
    with Session(MODEL, TARGETS) as session:
        for item in STREAM[:6]:
            session.observe(item)
        session.add_target(late, STREAM, on_progress=lambda done, of: steps.append((done, of)))
        for item in STREAM[6:]:
            session.observe(item)
        assert session.ledger.history("table", "blue blobs") == expected
    assert steps == [(done, 6) for done in range(7)]


def test_a_late_target_needs_the_whole_prefix() -> None:
    with Session(MODEL, TARGETS) as session:
        for item in STREAM[:4]:
            session.observe(item)
        with pytest.raises(InvalidInput, match="expected the 4 observations consumed so far"):
            session.add_target(Target("blue blobs", "O2-Unique"), STREAM[:2])


def test_full_access_replays_its_prefix() -> None:
    target = Target("red blobs", "O2-Unique")
    with Session(MODEL, [target]) as session:
        for item in STREAM:
            session.observe(item)
        for at in (0.0, 1.2, 4.5):
            prefix = [item for item in STREAM if item.time <= at]
            assert replay(MODEL, target, prefix, at).count == session.count("red blobs", at)
        assert replay(MODEL, target, STREAM, 4.5, since=1.0).count == session.change("red blobs", 1.0, 4.5)
    with pytest.raises(InvalidInput, match=r"no later than 1\.0 s, got one at 1\.5 s"):
        replay(MODEL, target, STREAM, 1.0)


def test_two_sessions_cannot_write_one_stream(tmp_path: Path) -> None:
    with Session(MODEL, TARGETS, tmp_path / "counts.db") as session:
        session.observe(STREAM[0])
        with Session(MODEL, TARGETS, tmp_path / "counts.db") as other, pytest.raises(StreamBusy):
            other.observe(STREAM[0])
        door = [observation(index, "door") for index in range(2)]
        with Session(MODEL, TARGETS, tmp_path / "counts.db") as third:
            for item in door:
                third.observe(item)


def test_other_targets_than_before_are_refused(tmp_path: Path) -> None:
    uninterrupted(tmp_path / "counts.db")
    with (
        Session(MODEL, TARGETS[2:], tmp_path / "counts.db") as session,
        pytest.raises(InvalidInput, match="expected the targets red blobs, red blobs, blob moved, swing"),
    ):
        session.observe(STREAM[0])


@pytest.mark.parametrize(
    ("target", "operator", "said"),
    [
        ("green blobs", None, "got 'green blobs'"),
        ("red blobs", None, "got 'red blobs'"),
        ("", None, "expected a target description"),
        ("swing", "O1-Snap", "got 'swing'"),
    ],
)
def test_a_target_must_be_one_of_the_session(target: str, operator: str | None, said: str) -> None:
    with Session(MODEL, TARGETS) as session, pytest.raises(InvalidInput, match=said):
        session.count(target, operator=operator)


def test_a_session_needs_a_target() -> None:
    with pytest.raises(InvalidInput, match="expected at least one target"):
        Session(MODEL, [])


def test_an_observation_out_of_turn_is_refused() -> None:
    with Session(MODEL, TARGETS) as session:
        session.observe(STREAM[0])
        with pytest.raises(InvalidInput, match="expected observation 1"):
            session.observe(Observation("table", 5, 9.0, STREAM[5].image, 0))
