"""The ledger: appends that land once and in order, and reads as of any time."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from types import TracebackType

from stamina_video.ledger.explanation import explain, targets_of
from stamina_video.ledger.guard import Guard
from stamina_video.ledger.names import stream_name
from stamina_video.ledger.reader import Reader
from stamina_video.ledger.rows import Row, encode_evidence
from stamina_video.ledger.store import Store, open_store
from stamina_video.ledger.tail import Tail
from stamina_video.ledger.verification import verify
from stamina_video.semantics import (
    Answer,
    Commit,
    EvidenceConflict,
    InvalidInput,
    LedgerError,
    LedgerReadOnly,
    Measure,
    target_name,
)
from stamina_video.semantics.flow import shortened

_CHUNK = 1_000  # rows per trip to the store
_CONTENT = [field.name for field in fields(Commit) if field.compare]


class Ledger:
    """Counts as a record of commits. One writer per stream, any number of readers; safe between threads."""

    def __init__(self, store: Store, readonly: bool = False) -> None:
        self._store = store
        self._readonly = readonly
        self._tails: dict[str, Tail] = {}
        self._reader = Reader(store, self._tails)
        self._guard = Guard(store.name)

    @classmethod
    def open(cls, address: str | Path, readonly: bool = False) -> "Ledger":
        """Open a path (SQLite), ":memory:" or a postgresql:// address."""
        return cls(open_store(address, readonly), readonly)

    def close(self) -> None:
        if self._guard.end():
            self._tails.clear()
            self._store.close()

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Ledger({self._store.name!r})"

    # Writing

    def append(self, commit: Commit) -> bool:
        """Record a commit. True: it was new. False: it was there already, with the same content."""
        return self.append_all([commit])[0]

    def append_all(self, commits: Iterable[Commit]) -> list[bool]:
        """Record the commits of one observation: all of them, or none and an error."""
        commits = _listed(commits)
        if not commits:
            return []
        stream = _one_observation(commits)
        with self._guard:
            if self._readonly:
                raise LedgerReadOnly(
                    f"expected a ledger opened for writing, got {self._store.name} read-only"
                )
            tail = self._claimed(stream).fork()
            # What is later than all of its target cannot be a redelivery: the store need not be asked first.
            ahead = all(map(tail.is_ahead, commits))
            known = {} if ahead else self._known(stream, commits)
            recorded = time.time()
            news, rows = [], []
            for commit in commits:
                earlier = known.get(commit.evidence_id)
                news.append(earlier is None)
                if earlier is None:
                    known[commit.evidence_id] = commit
                    rows.append(tail.place(_stamped(commit, recorded)))
                else:
                    _check_equal(earlier, commit)
            if rows:
                try:
                    self._write(stream, rows, tail)
                except LedgerError:
                    if ahead:  # the store may have refused an id that it knows with other content
                        self._check_unknown(stream, commits)
                    raise
            return news

    def _known(self, stream: str, commits: list[Commit]) -> dict[str, Commit]:
        ids = {commit.evidence_id for commit in commits}
        return {row.commit.evidence_id: row.commit for row in self._store.find(stream, ids)}

    def _check_unknown(self, stream: str, commits: list[Commit]) -> None:
        known = self._known(stream, commits)
        for commit in commits:
            if commit.evidence_id in known:
                _check_equal(known[commit.evidence_id], commit)

    def _claimed(self, stream: str) -> Tail:
        """The stream's tail, read once this process is the stream's only writer."""
        if stream not in self._tails:
            self._store.claim(stream)
            self._reader.forget(stream)
            known = self._reader.landmarks(stream)
            self._tails[stream] = Tail.after(self._store.heads(stream), known.origins, known.operators)
        return self._tails[stream]

    def _write(self, stream: str, rows: list[Row], tail: Tail) -> None:
        self._reader.expect(rows)
        try:
            self._store.insert(rows)
        except BaseException:
            # Whether the rows landed is known only to the store: read it again before the next append.
            self._tails.pop(stream)
            self._reader.forget(stream)
            raise
        self._tails[stream] = tail
        self._reader.note(rows)

    # Reading

    def count(
        self, stream: str, target: str, at: float | None = None, measure: str | Measure | None = None
    ) -> int:
        """The number as of `at`: how many visible, how many different ones, how many completed."""
        with self._guard:
            return self._reader.at(stream, target, at, measure)[1]

    def change(
        self,
        stream: str,
        target: str,
        since: float,
        at: float | None = None,
        measure: str | Measure | None = None,
    ) -> int:
        """The number as of `at` less the number as of `since`."""
        earlier, later = self._interval(stream, target, since, at, measure)
        return later[1] - earlier[1]

    def entries(self, stream: str, target: str, since: float | None, at: float | None = None) -> int:
        """How many became visible after `since` and no later than `at`; None: all until then."""
        earlier, later = self._interval(stream, target, since, at, Measure.VISIBLE)
        return later[2] - earlier[2]

    def history(self, stream: str, target: str, measure: str | Measure | None = None) -> list[Commit]:
        """Every commit of a target in order, facts included; with a measure, only what it counts."""
        with self._guard:
            name = target_name(target)
            stream = stream_name(stream)
            meant = None if measure is None else self._reader.measure(stream, name, measure)
            return [row.commit for row in self._store.target_rows(stream, name, meant)]

    def explain(
        self,
        stream: str,
        target: str,
        at: float | None = None,
        since: float | None = None,
        measure: str | Measure | None = None,
    ) -> Answer:
        """The number, the commits it is made of, and what should be known about it."""
        with self._guard:
            names = stream_name(stream), target_name(target)
            return explain(self._store, self._reader, *names, at, since, measure)

    def streams(self) -> list[str]:
        with self._guard:
            return self._store.streams()

    def targets(self, stream: str) -> list[str]:
        with self._guard:
            return targets_of(self._store, stream_name(stream))

    def last(self, stream: str, number: int) -> list[Commit]:
        """The newest commits of a stream, at most so many, in order of arrival."""
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 2**63:
            raise InvalidInput(f"expected a number of commits from 0, got {shortened(number)}")
        with self._guard:
            return [row.commit for row in self._store.last_rows(stream_name(stream), number)]

    def rows(self, stream: str | None = None) -> Iterator[Row]:
        """Every stored row with its running numbers, stream by stream, in order of arrival."""
        for name in self.streams() if stream is None else [stream_name(stream)]:
            after = 0
            while True:
                with self._guard:
                    rows = self._store.stream_rows(name, after, _CHUNK)
                yield from rows
                if len(rows) < _CHUNK:
                    break
                after = rows[-1].id

    def verify(self) -> int:
        """Recompute every total, order, index and digest; the number of rows, or LedgerCorrupt."""
        with self._guard:
            self._store.check()
            return sum(verify(self._store, stream) for stream in self._store.streams())

    def _interval(
        self, stream: str, target: str, since: float | None, at: float | None, measure: str | Measure | None
    ) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        with self._guard:
            return self._reader.interval(stream, target, since, at, measure)


def _listed(commits: Iterable[Commit]) -> list[Commit]:
    listed = list(commits) if isinstance(commits, Iterable) else [commits]
    for commit in listed:
        if not isinstance(commit, Commit):
            raise InvalidInput(f"expected commits, got {shortened(commit)}")
    return listed


def _one_observation(commits: Sequence[Commit]) -> str:
    places = {(commit.stream, commit.observation) for commit in commits}
    if len(places) > 1:
        raise InvalidInput(f"expected commits of one observation of one stream, got {sorted(places)}")
    return commits[0].stream


def _stamped(commit: Commit, recorded: float) -> Commit:
    """A copy that says when it was recorded; `replace` would check every field once more."""
    stamped = object.__new__(Commit)
    vars(stamped).update(vars(commit), recorded=recorded)
    return stamped


def _check_equal(known: Commit, commit: Commit) -> None:
    for name in _CONTENT:
        before, now = getattr(known, name), getattr(commit, name)
        if name == "evidence":
            before, now = encode_evidence(before), encode_evidence(now)
        if before != now:
            raise EvidenceConflict(
                f"expected {name} {before!r} for evidence id {commit.evidence_id!r} of stream "
                f"{commit.stream!r}, as recorded before, got {now!r}"
            )
