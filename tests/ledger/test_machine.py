"""Random appends, redeliveries, conflicts, reads and reopenings against a model of ten lines."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from stamina_video.ledger import Ledger, pages, reader
from stamina_video.semantics import Commit, EvidenceConflict, InvalidInput, Kind, Measure, OutOfOrder
from tests.ledger.commits import CAMERA, commit
from tests.ledger.server import PostgresServer

TARGETS = ["mugs", "boxes"]
TIMES = st.integers(0, 20).map(lambda tick: tick / 2)
KINDS = st.sampled_from([Kind.ENTRY, Kind.ENTRY, Kind.EXIT, Kind.IDENTITY, Kind.EVENT, Kind.GAP])


class Model:
    def __init__(self) -> None:
        self.kept: list[Commit] = []

    def count(self, target: str, measure: Measure, at: float, gains_only: bool = False) -> int:
        origins = [i for i, kept in enumerate(self.kept) if kept.kind is Kind.SEGMENT and kept.time <= at]
        segment = self.kept[origins[-1] if origins else 0 :]
        counted = [
            kept.delta
            for kept in segment
            if (kept.target, kept.kind.measure) == (target, measure) and kept.time <= at
        ]
        return sum(max(delta, 0) if gains_only else delta for delta in counted)

    def earliest(self, target: str, kind: Kind) -> float:
        heard = [
            kept.time
            for kept in self.kept
            if kind is Kind.SEGMENT or kept.target == target or kept.kind is Kind.SEGMENT
        ]
        return max(heard, default=0.0)


class LedgerMachine(RuleBasedStateMachine):
    fresh_address: Callable[[], str]  # set by each test

    @initialize()
    def begin(self) -> None:
        self.address = type(self).fresh_address()
        self.ledger = Ledger.open(self.address)
        self.durable = self.address != ":memory:"
        self.follower = Ledger.open(self.address, readonly=True) if self.durable else self.ledger
        self.model = Model()
        self.serial = itertools.count()

    def teardown(self) -> None:
        if hasattr(self, "ledger"):
            self.follower.close()
            self.ledger.close()

    @rule(
        kinds=st.lists(KINDS, min_size=1, max_size=3),
        name=st.sampled_from(TARGETS),
        time=TIMES,
        later=st.booleans(),
    )
    def append(self, kinds: list[Kind], name: str, time: float, later: bool) -> None:
        time += self.model.earliest(name, Kind.GAP) if later else 0
        observation = next(self.serial)
        batch = [
            commit(kind, time, target=name, observation=observation, subject=str(place))
            for place, kind in enumerate(kinds)
        ]
        visible = self.model.count(name, Measure.VISIBLE, inf)
        fits = all(
            visible + sum(one.delta for one in batch[: place + 1] if one.kind.measure is Measure.VISIBLE) >= 0
            for place in range(len(batch))
        )
        if time < self.model.earliest(name, Kind.GAP):
            with pytest.raises(OutOfOrder):
                self.ledger.append_all(batch)
        elif not fits:
            with pytest.raises(InvalidInput):
                self.ledger.append_all(batch)
        else:
            assert self.ledger.append_all(batch) == [True] * len(batch)
            self.model.kept += batch

    @rule(time=TIMES)
    def begin_segment(self, time: float) -> None:
        origin = commit(Kind.SEGMENT, time, target="", observation=next(self.serial))
        if time < self.model.earliest("", Kind.SEGMENT):
            with pytest.raises(OutOfOrder):
                self.ledger.append(origin)
        else:
            assert self.ledger.append(origin)
            self.model.kept.append(origin)

    @precondition(lambda self: self.model.kept)
    @rule(data=st.data())
    def redeliver(self, data: st.DataObject) -> None:
        assert self.ledger.append(data.draw(st.sampled_from(self.model.kept))) is False

    @precondition(lambda self: self.model.kept)
    @rule(data=st.data())
    def contradict(self, data: st.DataObject) -> None:
        known = data.draw(st.sampled_from(self.model.kept))
        with pytest.raises(EvidenceConflict):
            self.ledger.append(replace(known, model="another"))

    @rule(name=st.sampled_from(TARGETS), at=TIMES, measure=st.sampled_from(Measure))
    def read(self, name: str, at: float, measure: Measure) -> None:
        expected = self.model.count(name, measure, at)
        assert self.ledger.count(CAMERA, name, at, measure) == expected
        assert self.follower.count(CAMERA, name, at, measure) == expected

    @rule(name=st.sampled_from(TARGETS), ends=st.tuples(TIMES, TIMES).map(sorted))
    def read_interval(self, name: str, ends: list[float]) -> None:
        since, at = ends
        crosses = any(kept.kind is Kind.SEGMENT and since < kept.time <= at for kept in self.model.kept)
        for ledger in (self.ledger, self.follower):
            if crosses:
                with pytest.raises(InvalidInput, match="segment origin"):
                    ledger.entries(CAMERA, name, since, at)
                continue
            for measure in Measure:
                ends_ = [self.model.count(name, measure, end) for end in (at, since)]
                assert ledger.change(CAMERA, name, since, at, measure) == ends_[0] - ends_[1]
            entries = [self.model.count(name, Measure.VISIBLE, end, gains_only=True) for end in (at, since)]
            assert ledger.entries(CAMERA, name, since, at) == entries[0] - entries[1]

    @rule(name=st.sampled_from(TARGETS), at=TIMES, measure=st.sampled_from(Measure))
    def explain(self, name: str, at: float, measure: Measure) -> None:
        answer = self.follower.explain(CAMERA, name, at, measure=measure)
        assert answer.count == self.model.count(name, measure, at)

    @precondition(lambda self: self.durable)
    @rule()
    def reopen(self) -> None:
        self.ledger.close()
        self.ledger = Ledger.open(self.address)

    @invariant()
    def latest_counts_agree(self) -> None:
        for target, measure in itertools.product(TARGETS, Measure):
            expected = self.model.count(target, measure, inf)
            assert self.ledger.count(CAMERA, target, measure=measure) == expected
            assert self.follower.count(CAMERA, target, measure=measure) == expected
            assert self.follower.explain(CAMERA, target, measure=measure).count == expected

    @rule(name=st.sampled_from(TARGETS))
    def verify(self, name: str) -> None:
        assert self.ledger.history(CAMERA, name) == [kept for kept in self.model.kept if kept.target == name]
        assert self.ledger.verify() == len(self.model.kept)


def run_machine(fresh_address: Callable[[], str], examples: int) -> None:
    class Machine(LedgerMachine):
        pass

    Machine.fresh_address = staticmethod(fresh_address)
    checks = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=examples, stateful_step_count=60, deadline=None, suppress_health_check=checks
        ),
    )


@pytest.fixture(autouse=True)
def tiny_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages so small that short runs fill, split and evict them."""
    monkeypatch.setattr(pages, "PAGE_ROWS", 4)
    monkeypatch.setattr(reader, "LOADED_ROWS", 4)
    monkeypatch.setattr(reader, "MISSES_PER_EVICTION", 3)
    monkeypatch.setattr(reader, "CACHED_ROWS", 12)


def test_memory() -> None:
    run_machine(lambda: ":memory:", examples=150)


def test_sqlite(tmp_path: Path) -> None:
    names = itertools.count()
    run_machine(lambda: str(tmp_path / f"{next(names)}.db"), examples=60)


def test_postgres(server: PostgresServer) -> None:
    run_machine(server.fresh, examples=8)
