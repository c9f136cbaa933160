"""The ledger's figures, each a ratio of two things measured in turns within one run.

python -m benchmarks.ledger
"""

import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from statistics import median

from benchmarks.table import Row, markdown
from stamina_video.ledger import Commit, Ledger
from stamina_video.ledger.rows import Track
from stamina_video.semantics import evidence_id
from tests.ledger.server import HOW_TO_INSTALL, PostgresServer, find_binaries

LARGE, SMALL = 1_000_000, 1_000
STREAM, TARGET = "dock camera 3", "red mugs"
READS, TURNS = 2_000, 15
APPENDS, SIZED = 40, 100_000
BARE_COLUMNS = (
    "stream, track, segment, kind, delta, observation, evidence, model, recorded, total, gained, digest, "
    "time, evidence_id"
)
HEAVY = ("torch", "numpy", "pydantic")


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="ledger-bench-") as name, postgres() as server:
        folder = Path(name)
        stores: dict[str, Callable[[int], str]] = {
            "memory": lambda _: ":memory:",
            "SQLite": lambda size: str(folder / f"{size}.db"),
        }
        if server is not None:
            stores["PostgreSQL"] = {LARGE: server.fresh(), SMALL: server.fresh()}.__getitem__
        scaling = [row for store, address in stores.items() for row in scaling_rows(store, address)]
        if server is None:
            scaling.append(Row("as-of read in PostgreSQL", HOW_TO_INSTALL, "≤ 1.5", False))
        return [
            *scaling,
            read_row(folder / f"{LARGE}.db"),
            append_row(folder),
            size_row(folder),
            import_row(),
        ]


def observation(index: int, size: int = 1) -> list[Commit]:
    """One observation's commits with the evidence a session records."""
    chance = random.Random(index)
    return [
        Commit(
            STREAM,
            TARGET,
            "event",
            1,
            index,
            index / 8,
            evidence_id(STREAM, TARGET, index, f"slot-{slot}", "ACTIVE>REFRACTORY"),
            {
                "score": round(chance.random(), 4),
                "edge": "ACTIVE>REFRACTORY",
                "candidate": f"slot-{slot}",
                "frame": index * 25,
            },
            "nano-3f9c2a",
        )
        for slot in range(size)
    ]


def fill(ledger: Ledger, commits: int) -> None:
    """One observation after another, many to a transaction: only the fsyncs of a live stream are spared."""
    for start in range(0, commits, 1_000):
        ledger.append_all(
            [
                Commit(STREAM, TARGET, "event", 1, start, index / 8, f"{index:032x}", {"frame": index})
                for index in range(start, start + 1_000)
            ]
        )


def alternate(first: Callable[[], object], second: Callable[[], object]) -> float:
    """The first's time over the second's: medians of turns taken one after the other."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(TURNS):
        for action, kept in ((first, times[0]), (second, times[1])):
            start = time.perf_counter()
            action()
            kept.append(time.perf_counter() - start)
    return median(times[0]) / median(times[1])


def moments(size: int, seed: int) -> list[float]:
    chance = random.Random(seed)
    return [chance.uniform(0, size / 8) for _ in range(READS)]


def scaling_rows(store: str, address: Callable[[int], str]) -> Iterator[Row]:
    """Reads of a long ledger against a short one: through the ledger, and by the bare index."""
    ledgers = {size: Ledger.open(address(size)) for size in (LARGE, SMALL)}
    for size, ledger in ledgers.items():
        fill(ledger, size)
    if store != "memory":  # others start afresh, as a reader would
        for size, ledger in ledgers.items():
            ledger.close()
            ledgers[size] = Ledger.open(address(size), readonly=True)
    seeds = count()

    def through_ledger(size: int) -> Callable[[], None]:
        def read() -> None:
            for moment in moments(size, next(seeds)):
                ledgers[size].count(STREAM, TARGET, moment)

        return read

    def by_index(size: int) -> Callable[[], None]:
        track = Track(STREAM, TARGET, "completed", 0)

        def read() -> None:
            for moment in moments(size, next(seeds)):
                ledgers[size]._store.points(track, 0.0, moment, 1, latest=True)

        return read

    warm_up(ledgers[LARGE])
    ways = [("", through_ledger)]
    if store != "memory":  # which has nothing behind its memory
        ways.append((", nothing cached", by_index))
    for how, reads in ways:
        ratio = alternate(reads(LARGE), reads(SMALL))
        what = f"as-of read at {LARGE:,} commits ÷ at {SMALL:,}, {store}{how}"
        yield Row(what, f"{ratio:.2f}", "≤ 1.5", ratio <= 1.5)
    for ledger in ledgers.values():
        ledger.close()


def warm_up(ledger: Ledger) -> None:
    """Read all over the past, as a page that is looked at for a while does."""
    for seed in range(4):
        for moment in moments(LARGE, -1 - seed):
            ledger.count(STREAM, TARGET, moment)


def read_row(path: Path) -> Row:
    """The same random moments, by the ledger and by a statement that needs only the index."""
    statement = (
        "SELECT total FROM ledger_commits WHERE track = 1 AND segment = 0 AND time <= ? "
        "ORDER BY time DESC, id DESC LIMIT 1"
    )
    asked = moments(LARGE, 5)
    with Ledger.open(path, readonly=True) as ledger, closing(sqlite3.connect(path)) as connection:
        warm_up(ledger)

        def by_ledger() -> list[int]:
            return [ledger.count(STREAM, TARGET, moment) for moment in asked]

        def by_select() -> list[int]:
            return [connection.execute(statement, (moment,)).fetchone()[0] for moment in asked]

        ratio = alternate(by_ledger, by_select)
    what = f"in-process read ÷ bare indexed SELECT, same SQLite file, {LARGE:,} commits"
    return Row(what, f"{ratio:.2f}", "≤ 1.0", ratio <= 1.0)


def append_row(folder: Path) -> Row:
    """One observation of three commits a turn: by the ledger, and by INSERT … COMMIT into the same schema."""
    bare_path = folder / "bare.db"
    Ledger.open(bare_path).close()
    indices = count(1)
    with Ledger.open(folder / "append.db") as ledger, closing(connect_bare(bare_path)) as bare:
        ledger.append_all(observation(0, size=3))
        template = ledger._store.query(f"SELECT {BARE_COLUMNS} FROM ledger_commits")  # type: ignore[attr-defined]
        statement = (
            f"INSERT INTO ledger_commits ({BARE_COLUMNS}) VALUES ({', '.join('?' * len(template[0]))})"
        )
        bare.execute("INSERT INTO ledger_names VALUES (1, 'a'), (2, 'b'), (3, 'c')")
        bare.execute("INSERT INTO ledger_tracks VALUES (1, 1, 2, 'completed')")
        batches = [observation(index, size=3) for index in range(1, TURNS * APPENDS + 1)]
        waiting = iter(batches)

        def by_ledger() -> None:
            for _ in range(APPENDS):
                ledger.append_all(next(waiting))

        def by_insert() -> None:
            for _ in range(APPENDS):
                index = next(indices)
                bare.execute("BEGIN IMMEDIATE")
                bare.executemany(
                    statement, [moved(record, index, slot) for slot, record in enumerate(template)]
                )
                bare.execute("COMMIT")

        ratio = alternate(by_ledger, by_insert)
    what = "durable append of an observation (3 commits) ÷ bare INSERT … COMMIT"
    return Row(what, f"{ratio:.2f}", "≤ 1.5", ratio <= 1.5)


def connect_bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = FULL")  # the write-ahead log is the file's own setting
    return connection


def moved(record: tuple[object, ...], index: int, slot: int) -> tuple[object, ...]:
    """The same row for another observation: only what must differ does."""
    return (*record[:-2], index / 8, b"x" + bytes.fromhex(evidence_id(STREAM, TARGET, index, str(slot), "")))


def size_row(folder: Path) -> Row:
    path = folder / "size.db"
    commits = 0
    with Ledger.open(path) as ledger:
        for index in range(SIZED // 20):
            commits += sum(ledger.append_all(observation(index, size=20)))
    per_commit = path.stat().st_size / commits
    what = f"bytes on disk per commit after {commits:,}, evidence included"
    return Row(what, f"{per_commit:.0f}", "≤ 300", per_commit <= 300)


def import_row() -> Row:
    program = f"import sys, stamina_video.ledger; print([name for name in {HEAVY!r} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    figure = "none of them" if found.strip() == "[]" else found.strip()
    return Row(
        "`import stamina_video.ledger`: heavy modules",
        figure,
        f"no {', '.join(HEAVY)}",
        found.strip() == "[]",
    )


@contextmanager
def postgres() -> Iterator[PostgresServer | None]:
    """A server of our own, None where there are no binaries."""
    binaries = find_binaries()
    if binaries is None:
        yield None
        return
    server = PostgresServer(binaries)
    try:
        yield server
    finally:
        server.stop()


def main() -> None:
    print(markdown(rows()))


if __name__ == "__main__":
    main()
