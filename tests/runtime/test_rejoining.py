"""Live streams across interruptions: by hand and step by step, then over a real stream with real kills."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stamina_video.ledger import Ledger
from stamina_video.runtime import Model, Session, StreamState, keep
from stamina_video.runtime.keep import Keep
from stamina_video.runtime.rejoining import AWAY
from stamina_video.semantics import Commit, InvalidInput, Kind, Observation
from stamina_video.video import Gap
from tests.cli.scenes import FRAMES, blob_video
from tests.runtime.killing import Workers, wait_for
from tests.runtime.tiny import TARGETS, observation
from tests.runtime.worker import MODEL as WORKERS_OWN
from tests.video.server import StreamServer

MODEL = WORKERS_OWN  # children go on where a session here stopped


def live(index: int, picture: int | None = None) -> Observation:
    shown = observation(index if picture is None else picture, "door")
    return replace(shown, index=index, time=index / 2, live=True)


class Wall:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def time(self) -> float:
        return self.now


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Wall:
    wall = Wall()
    for module in ("journal", "rejoining"):
        monkeypatch.setattr(f"stamina_video.runtime.{module}.clock", wall)
    return wall


def watch(session: Session, indices: Iterable[int]) -> None:
    for index in indices:
        session.observe(live(index))


def rows(path: Path) -> list[Commit]:
    with Ledger.open(path, readonly=True) as ledger:
        ledger.verify()
        return [row.commit for row in ledger.rows("door")]


def state_of(path: Path) -> StreamState:
    state = Keep(path).load(MODEL, "door", TARGETS)
    assert state is not None
    return state


def agrees(path: Path, stream: str = "door") -> None:
    """The kept state and the ledger count the same: nothing was lost, nothing came twice."""
    state = Keep(path).load(MODEL, stream, TARGETS)
    assert state is not None
    with Ledger.open(path, readonly=True) as ledger:
        assert ledger.count(stream, "red blobs", measure="unique") == len(state.targets[0].registry)
        # Both object targets commit visibility under one description; redelivery merges equal commits.
        assert ledger.count(stream, "red blobs", measure="visible") == len(state.targets[1].visible)


def test_a_stream_that_begins_at_0_again_goes_on(tmp_path: Path, wall: Wall) -> None:
    path = tmp_path / "counts.db"
    with Session(MODEL, TARGETS, path) as session:
        for index in range(6):
            wall.now = 1_000.0 + index / 2
            session.observe(live(index))
    before = rows(path)
    wall.now = 1_060.0
    with Session(MODEL, TARGETS, path) as session:
        for index in range(6):
            session.observe(live(index, picture=6 + index))
        assert session.placed(live(0)).index == 6
        assert session.placed(live(0)).time == 60.0, "2.5 s seen, 57.5 s away"
    after = rows(path)
    assert after[: len(before)] == before
    (gap,) = [commit for commit in after if commit.kind is Kind.GAP]
    assert (gap.evidence, gap.time, gap.observation) == ({"since": 2.5, "reason": AWAY}, 60.0, 6)
    assert {commit.observation for commit in after[len(before) :]} <= set(range(6, 12))
    assert any(commit.kind.measure for commit in after[len(before) :])
    agrees(path)


def test_a_clock_set_back_does_not_turn_time_back(tmp_path: Path, wall: Wall) -> None:
    path = tmp_path / "counts.db"
    for start in (1_000.0, 10.0):
        wall.now = start
        with Session(MODEL, TARGETS, path) as session:
            for index in range(4):
                session.observe(live(index))
    times = [commit.time for commit in rows(path)]
    assert times == sorted(times)
    agrees(path)


class Dies(Exception):
    pass


DEATHS = {
    "before the journal": "write_journal",
    "before the typed state": "save_typed",
    "before the ledger": None,
    "before the whole state": "save_state",
}


@pytest.mark.parametrize("when", DEATHS)
def test_death_at_any_moment_of_a_commit_is_harmless(
    when: str, tmp_path: Path, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "counts.db"

    def die(*_: object) -> None:
        raise Dies

    session = Session(MODEL, TARGETS, path, snapshot_every=5)
    session.observe(live(0))
    before = rows(path)
    with monkeypatch.context() as patched:
        if (name := DEATHS[when]) is None:
            patched.setattr(session.ledger, "append_all", die)
        else:
            patched.setattr(f"stamina_video.runtime.keep.{name}", die)
        with pytest.raises(Dies):
            watch(session, range(1, 20))
    session.ledger.close()
    with Session(MODEL, TARGETS, path) as resumed:
        resumed.observe(live(0, picture=5))
    after = rows(path)
    assert after[: len(before)] == before
    agrees(path)


def test_commits_between_snapshots_write_what_was_decided_and_not_the_whole_state(
    tmp_path: Path, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, decided = list[int](), list[int]()
    for name, seen in (("save_state", whole), ("save_typed", decided)):
        save = getattr(keep, name)

        def noted(model: Model, state: StreamState, path: Path, save: Any = save, seen: Any = seen) -> Any:
            seen.append(state.observations)
            return save(model, state, path)

        monkeypatch.setattr(keep, name, noted)
    path = tmp_path / "counts.db"
    session = Session(MODEL, TARGETS, path, snapshot_every=7)
    watch(session, range(13))
    assert whole == [0, 7], "at once, and when it is due"
    assert any(observations > 7 for observations in decided)
    session.ledger.close()  # a crash: nothing more is written on the way out
    agrees(path)
    kept = max(decided)
    assert state_of(path).observations == kept

    with Session(MODEL, TARGETS, path) as resumed:
        for index in range(8):
            resumed.observe(live(index, picture=13 + index))
    stored = [commit for commit in rows(path) if commit.kind.measure]
    assert len({commit.evidence_id for commit in stored}) == len(stored)
    assert any(commit.observation >= kept for commit in stored)
    agrees(path)


def test_what_was_decided_before_the_whole_state_is_not_taken_for_newer(tmp_path: Path, wall: Wall) -> None:
    path = tmp_path / "counts.db"
    with Session(MODEL, TARGETS, path) as session:
        watch(session, range(6))
        older = session.state
        watch(session, range(6, 9))
    assert older is not None
    assert not list(path.with_name("counts.db-state").glob("*.typed.*")), "a whole state needs no other"
    Keep(path).save_commits(MODEL, older, 2.5, [])
    assert state_of(path).observations == 9
    agrees(path)


def test_without_its_state_a_known_stream_begins_a_segment(tmp_path: Path) -> None:
    with Ledger.open(":memory:") as ledger:  # as a server would be: nothing is kept beside it
        for _ in range(2):
            with Session(MODEL, TARGETS, ledger) as session:
                session.observe(Gap(0.0, 0.0, "no timestamps", 0))
                for index in range(4):
                    session.observe(live(index))
                assert session.state is not None
                assert session.count("red blobs", operator="O2-Unique") == len(
                    session.state.targets[0].registry
                )
        ledger.verify()
        segments = [row.commit for row in ledger.rows("door") if row.commit.kind is Kind.SEGMENT]
        assert len(segments) == 1
        last = max(row.commit.observation for row in ledger.rows("door"))
    assert segments[0].observation <= last <= 7


def test_a_recording_is_not_a_live_stream(tmp_path: Path) -> None:
    path = tmp_path / "counts.db"
    with Session(MODEL, TARGETS, path) as session:
        session.observe(observation(0, "door"))
    with (
        Session(MODEL, TARGETS, path) as session,
        pytest.raises(InvalidInput, match="expected a live stream in 'door', which was begun as a recording"),
    ):
        session.observe(live(0))


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    workers = Workers()
    yield workers
    workers.close()


def test_a_real_stream_killed_and_restarted_with_its_session(workers: Workers, tmp_path: Path) -> None:
    """The process dies, the server dies, both die; in the end state and ledger agree."""
    path, progress, acknowledged = tmp_path / "counts.db", tmp_path / "progress", tmp_path / "acknowledged"
    data = blob_video(tmp_path / "table.ts").read_bytes()
    server = StreamServer(data)
    port = server.port

    def start(limit: int = 1_000) -> tuple[str, object, Path, Path, Path, int]:
        return ("follow", server.address, path, progress, acknowledged, limit)

    restarts = 0
    for number in range(6):
        worker = workers.start(*start())
        wait_for(worker, progress, 5 + number)
        if number % 3:
            server.kill()
            server = StreamServer(data, port)
            # Beyond what had arrived already: the session reconnects, then dies; or it dies with the server.
            wait_for(worker, progress, FRAMES + 5 if number % 3 == 1 else 0)
        assert worker.kill(), "the session ended by itself"
        restarts += 1
    assert workers.start(*start(limit=12)).ended() == 0
    server.kill()

    stream = f"http://127.0.0.1:{port}/live.ts"
    with Ledger.open(path, readonly=True) as ledger:
        ledger.verify()
        stored = [row.commit for row in ledger.rows(stream)]
    ids = [commit.evidence_id for commit in stored]
    assert len(set(ids)) == len(ids)
    promised = acknowledged.read_text().split()
    assert len(promised) > 10
    assert set(promised) <= set(ids)
    gaps = [commit.evidence["reason"] for commit in stored if commit.kind is Kind.GAP]
    assert gaps.count(AWAY) == restarts
    assert len(gaps) > restarts, "a server that died is a gap too"
    agrees(path, stream)
