"""Stream access: a session observes, commits what it accepts, and answers from the ledger."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

import torch

from stamina_video.backbone.contract import Speaking
from stamina_video.ledger import Ledger
from stamina_video.runtime.model import Model
from stamina_video.runtime.records import gap_record, target_record
from stamina_video.runtime.snapshot import load_state, save_state, saved_targets
from stamina_video.runtime.state import StreamState, check_targets
from stamina_video.runtime.step import step
from stamina_video.semantics import (
    Answer,
    Decision,
    InvalidInput,
    Observation,
    Operator,
    Target,
    target_name,
)
from stamina_video.transitions import Outcome
from stamina_video.video import Gap


class Session:
    """Counts in one stream while it plays. Reading it never changes what it will commit."""

    def __init__(
        self,
        model: Model,
        targets: Sequence[Target],
        ledger: str | Path | Ledger = ":memory:",
        snapshot_every: int = 30,
    ) -> None:
        if not targets:
            raise InvalidInput("expected at least one target, got none")
        check_targets(targets)
        if snapshot_every < 1:
            raise InvalidInput(f"expected a snapshot every 1 or more observations, got {snapshot_every}")
        self.model = model
        self.targets = tuple(targets)
        self.ledger = ledger if isinstance(ledger, Ledger) else Ledger.open(ledger)
        self._owns_ledger = not isinstance(ledger, Ledger)
        self._folder = _snapshot_folder(ledger)
        self._snapshot_every = snapshot_every
        self._state: StreamState | None = None
        self._outcomes: tuple[Outcome, ...] = ()
        self._early: list[Gap] = []

    @property
    def state(self) -> StreamState | None:
        """The current state, a value; None before the first observation."""
        return self._state

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """How the latest observation was decided, target by target: for those who show it."""
        return self._outcomes

    def observe(self, item: Observation | Gap) -> tuple[Decision, ...]:
        """Advance by one observation, or record a gap; what was accepted is on disk on return."""
        if isinstance(item, Gap):
            self._record(item)
            return ()
        state = self._started(item.stream)
        if item.index < state.observations:
            return ()  # consumed before an interruption: its commits are in the ledger
        self._state, self._outcomes = self._advance(state, item)
        if self._state.observations % self._snapshot_every == 0:
            self._snapshot()
        return tuple(outcome.decision for outcome in self._outcomes)

    def count(self, target: str, at: float | None = None, operator: str | Operator | None = None) -> int:
        """The number as of `at` (the latest if left out)."""
        chosen = self._chosen(target, operator)
        return (
            0
            if self._state is None
            else self.ledger.count(self._state.stream, chosen.description, at, chosen.operator.measure)
        )

    def change(
        self, target: str, since: float, at: float | None = None, operator: str | Operator | None = None
    ) -> int:
        """The number as of `at` less the number as of `since`."""
        chosen = self._chosen(target, operator)
        return (
            0
            if self._state is None
            else self.ledger.change(
                self._state.stream, chosen.description, since, at, chosen.operator.measure
            )
        )

    def entries(self, target: str, since: float, at: float | None = None) -> int:
        """How many became visible after `since` and no later than `at`."""
        chosen = self._chosen(target, None)
        return (
            0
            if self._state is None
            else self.ledger.entries(self._state.stream, chosen.description, since, at)
        )

    def explain(
        self,
        target: str,
        at: float | None = None,
        since: float | None = None,
        operator: str | Operator | None = None,
    ) -> Answer:
        """The number with the commits behind it and what should be known about it."""
        chosen = self._chosen(target, operator)
        if self._state is None:
            return Answer(chosen.description, at or 0.0, 0, since)
        return self.ledger.explain(self._state.stream, chosen.description, at, since, chosen.operator.measure)

    def ask(self, question: str, at: float | None = None) -> str:
        """An answer in words to any question about the stream so far; counts are read, never asked for."""
        backbone = self.model.backbone
        if not isinstance(backbone, Speaking):
            raise InvalidInput(f"expected a model that speaks (4b, 8b) to answer, got {self.model.name!r}")
        if self._state is None:
            raise InvalidInput("expected an observation before a question, got none")
        return backbone.ask(self._state.backbone, question, at)

    def add_target(
        self,
        target: Target,
        prefix: Iterable[Observation | Gap],
        on_progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Count something new from the origin on, by replaying the prefix already consumed.

        `on_progress(done, of)` is called with done = 0 first, so that the cost is known beforehand.
        """
        check_targets((*self.targets, target))
        if self._state is None:
            self.targets = (*self.targets, target)
            return
        consumed = self._state.observations
        late = StreamState.initial(self.model, self._state.stream, [target])
        self.ledger.append(target_record(late.stream, target, self.model.fingerprint))
        if on_progress:
            on_progress(0, consumed)
        for item in prefix:
            if isinstance(item, Gap) or item.index >= consumed:
                continue
            late, _ = self._advance(late, item)
            if on_progress:
                on_progress(late.observations, consumed)
        if late.observations != consumed:
            raise InvalidInput(
                f"expected the {consumed} observations consumed so far for {target.description!r}, "
                f"got {late.observations}"
            )
        self._state = replace(self._state, targets=(*self._state.targets, *late.targets))
        self.targets = (*self.targets, target)
        self._snapshot()

    def close(self) -> None:
        if self._state is not None:
            self._snapshot()
        if self._owns_ledger:
            self.ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _advance(
        self, state: StreamState, observation: Observation
    ) -> tuple[StreamState, tuple[Outcome, ...]]:
        """One step, its commits durable before the new state is anyone's."""
        with torch.no_grad():
            advanced, outcomes = step(self.model, state, observation)
        self.ledger.append_all(
            [commit for outcome in outcomes for commit in outcome.decision.commits(self.model.fingerprint)]
        )
        return advanced, outcomes

    def _started(self, stream: str) -> StreamState:
        if self._state is None:
            self._state = self._resumed(stream) or StreamState.initial(self.model, stream, self.targets)
            for target in self.targets:
                self.ledger.append(target_record(stream, target, self.model.fingerprint))
            for gap in self._early:
                self._record(gap)
        return self._state

    def _resumed(self, stream: str) -> StreamState | None:
        path = self._snapshot_path(stream)
        if path is None or not path.exists():
            return None
        state = load_state(self.model, path)
        if tuple(target.target for target in state.targets) != self.targets:
            raise InvalidInput(
                f"expected the targets {_listed(state)} that {stream!r} was begun with, "
                f"got {', '.join(target.description for target in self.targets)}"
            )
        return state

    def _record(self, gap: Gap) -> None:
        if self._state is None:
            self._early.append(gap)  # the stream has no name before its first observation
            return
        self.ledger.append(
            gap_record(self._state.stream, gap, self._state.observations, self.model.fingerprint)
        )

    def _snapshot(self) -> None:
        assert self._state is not None, "there is something to save once a stream has begun"
        if (path := self._snapshot_path(self._state.stream)) is not None:
            save_state(self.model, self._state, path)

    def _snapshot_path(self, stream: str) -> Path | None:
        if self._folder is None:
            return None
        self._folder.mkdir(exist_ok=True)
        return _snapshot_file(self._folder, stream)

    def _chosen(self, description: str, operator: str | Operator | None) -> Target:
        name = target_name(description)
        wanted = None if operator is None else Operator.parse(operator).measure
        matching = [
            target
            for target in self.targets
            if target.description == name and wanted in (None, target.operator.measure)
        ]
        if len(matching) != 1:
            listed = ", ".join(f"{target.description} ({target.operator})" for target in self.targets)
            raise InvalidInput(f"expected one of the targets {listed}, got {name!r}")
        return matching[0]


def begun_with(ledger: str | Path, stream: str) -> tuple[Target, ...]:
    """The targets of the snapshot a session would resume from; none where it would start afresh."""
    folder = _snapshot_folder(ledger)
    path = None if folder is None else _snapshot_file(folder, stream)
    return () if path is None or not path.exists() else saved_targets(path)


def _snapshot_file(folder: Path, stream: str) -> Path:
    return folder / f"{hashlib.sha256(stream.encode()).hexdigest()[:32]}.safetensors"


def _snapshot_folder(ledger: str | Path | Ledger) -> Path | None:
    """Beside a ledger's file; a ledger elsewhere keeps no snapshots, and a rerun redelivers instead."""
    if isinstance(ledger, Ledger) or str(ledger) == ":memory:" or "://" in str(ledger):
        return None
    path = Path(ledger)
    return path.with_name(path.name + "-state")


def _listed(state: StreamState) -> str:
    return ", ".join(target.target.description for target in state.targets)
