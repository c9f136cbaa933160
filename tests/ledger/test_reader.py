"""The reader asks the store only for what it cannot know. That its answers are right, test_machine shows."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stamina_video.ledger import Ledger, reader
from stamina_video.ledger.reader import LOADED_ROWS
from stamina_video.semantics import Commit
from tests.ledger.commits import CAMERA, MUGS, identity, segment

ROWS = 3 * LOADED_ROWS


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of three pages, one identity a second."""
    path = tmp_path_factory.mktemp("ledger") / "counts.db"
    with Ledger.open(path) as ledger:
        ledger.append_all(
            [Commit(CAMERA, MUGS, "identity", 1, 0, float(time), f"{time}") for time in range(ROWS)]
        )
    return path


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    with Ledger.open(path, readonly=True) as ledger:
        yield ledger


@pytest.fixture
def asked(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the ledger's store was asked for what, and how many points it gave."""
    return watch(ledger, monkeypatch)


def watch(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    counts: Counter[str] = Counter()

    def counted(name: str) -> Any:
        ask = getattr(ledger._store, name)

        def asking(*values: Any, **named: Any) -> Any:
            counts[name] += 1
            answer = ask(*values, **named)
            counts["given"] += len(answer)
            return answer

        return asking

    for name in ("points", "heads", "landmarks", "track_rows", "target_rows", "stream_rows"):
        monkeypatch.setattr(ledger._store, name, counted(name))
    return counts


def test_opening_and_one_read_load_next_to_nothing(ledger: Ledger, asked: Counter[str]) -> None:
    assert not asked
    assert ledger.count(CAMERA, MUGS, 100.5) == 101
    assert asked["given"] <= 2


def test_the_past_is_asked_for_once(ledger: Ledger, asked: Counter[str]) -> None:
    for time in range(ROWS - 1):
        assert ledger.count(CAMERA, MUGS, time + 0.5) == time + 1
    assert asked["points"] < 30
    asked.clear()
    for time in range(ROWS - 1):
        assert ledger.count(CAMERA, MUGS, time + 0.5) == time + 1
    assert not asked


def test_the_end_is_asked_for_every_time(ledger: Ledger, asked: Counter[str]) -> None:
    for _ in range(3):
        assert ledger.count(CAMERA, MUGS, float(ROWS)) == ledger.count(CAMERA, MUGS) == ROWS
    assert asked["points"] == 6
    assert asked["given"] < 20


def test_a_writer_need_not_read_what_it_wrote(monkeypatch: pytest.MonkeyPatch) -> None:
    with Ledger.open(":memory:") as ledger:
        for time in range(5):
            ledger.append(identity(float(time)))
        asked = watch(ledger, monkeypatch)
        for time in range(5, 2_000):
            ledger.append(identity(float(time)))
            assert ledger.count(CAMERA, MUGS, time - 0.5) == time
            assert ledger.count(CAMERA, MUGS) == time + 1
        assert [ledger.count(CAMERA, MUGS, float(time)) for time in range(5, 2_000)] == list(range(6, 2_001))
        assert not asked


def test_memory_stays_bounded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "CACHED_ROWS", LOADED_ROWS)
    with Ledger.open(path, readonly=True) as ledger:
        for time in [*range(0, ROWS - 1, 3), *range(0, ROWS - 1, 5)]:
            assert ledger.count(CAMERA, MUGS, time + 0.5) == time + 1
        (view,) = ledger._reader._views.values()
        kept = {id(page): len(page) for series in view.series.values() for page in series.pages}
        assert sum(kept.values()) <= LOADED_ROWS


def test_more_may_arrive_at_the_last_time(tmp_path: Path) -> None:
    path = tmp_path / "counts.db"
    with Ledger.open(path) as writer, Ledger.open(path, readonly=True) as ledger:
        for number in range(1, 5):
            writer.append(identity(1.0, subject=str(number), observation=number))
            assert [ledger.count(CAMERA, MUGS, 1.0) for _ in range(4)] == [number] * 4


def test_a_segment_begun_while_a_reader_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between any two questions to the store a writer may begin a segment and count on."""
    path = tmp_path / "counts.db"
    with Ledger.open(path) as writer, Ledger.open(path, readonly=True) as ledger:
        writer.append(identity(1.0))
        pending = [segment(5.0), identity(9.0)]

        def interrupted(name: str) -> Any:
            ask = getattr(ledger._store, name)

            def asking(*values: Any, **named: Any) -> Any:
                answer = ask(*values, **named)
                while pending:
                    writer.append(pending.pop(0))
                return answer

            return asking

        for name in ("heads", "landmarks"):
            monkeypatch.setattr(ledger._store, name, interrupted(name))
        assert ledger.count(CAMERA, MUGS, 6.0) == 0
        assert ledger.count(CAMERA, MUGS, 9.0) == 1
        assert ledger.count(CAMERA, MUGS, 4.0) == 1


def test_targets_come_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "VIEWS", 5)
    with Ledger.open(":memory:") as ledger:
        for number in range(20):
            ledger.append(identity(1.0, target=f"thing {number}"))
        assert [ledger.count(CAMERA, f"thing {number}") for number in range(20)] == [1] * 20
        assert len(ledger._reader._views) <= 5


def test_a_closed_segment_is_kept_too() -> None:
    with Ledger.open(":memory:") as ledger:
        for begin in (0.0, 10.0, 20.0):
            ledger.append(segment(begin))
            for step in range(5):
                ledger.append(identity(begin + step))
        for _ in range(3):
            assert [ledger.count(CAMERA, MUGS, at) for at in (9.0, 10.0, 13.5, 19.0, 21.0)] == [5, 1, 4, 5, 2]
