"""Stream access: a session observes, commits what it accepts, and answers from the ledger."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

import torch

from stamina_video.ledger import Ledger
from stamina_video.runtime.keep import Keep
from stamina_video.runtime.looks import Looks
from stamina_video.runtime.model import Model
from stamina_video.runtime.records import gap_record, segment_record, target_record
from stamina_video.runtime.redelivery import Redelivery
from stamina_video.runtime.rejoining import AWAY, Shift, rejoined
from stamina_video.runtime.snapshot import OFTEN, due_after
from stamina_video.runtime.state import StreamState, check_targets
from stamina_video.runtime.step import step
from stamina_video.semantics import (
    Answer,
    Commit,
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
        snapshot_every: int | None = None,
    ) -> None:
        if not targets:
            raise InvalidInput("expected at least one target, got none")
        check_targets(targets)
        if snapshot_every is not None and snapshot_every < 1:
            raise InvalidInput(f"expected a snapshot every 1 or more observations, got {snapshot_every}")
        self.model = model
        self.targets = tuple(targets)
        self.ledger = ledger if isinstance(ledger, Ledger) else Ledger.open(ledger)
        self._owns_ledger = not isinstance(ledger, Ledger)
        self._keep = Keep(ledger)
        self._snapshot_every = snapshot_every  # None: as often as their size allows
        self._snapshot_at = 0  # observations consumed when the next one is due
        self._state: StreamState | None = None
        self._outcomes: tuple[Outcome, ...] = ()
        self._early: list[Gap] = []
        self._looks = Looks()
        self._shift = Shift()
        self._redelivery: Redelivery | None = None
        self._live_until: float | None = None  # time of a live stream's last observation

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
        state = self._started(item)
        item = self.placed(item)
        self._looks.add(item.index, item.time)
        if self._redelivery is not None:
            self._redelivery.check(item)
        if item.index < state.observations:
            return ()  # consumed before an interruption: its commits are in the ledger
        advanced, outcomes = self._stepped(state, item)
        commits = self._commits(outcomes)
        if item.live:
            self._live_until = item.time
            if commits:
                self._keep.save_commits(self.model, advanced, item.time, commits)
        self.ledger.append_all(commits)
        self._state, self._outcomes = advanced, outcomes
        if advanced.observations >= self._snapshot_at:
            self._snapshot()
        return tuple(outcome.decision for outcome in outcomes)

    def placed(self, observation: Observation) -> Observation:
        """As the ledger counts and times it: a live stream begins at 0 anew whenever it is joined."""
        return self._shift.moved(observation)

    def capacity(self, target: str, operator: str | Operator | None = None) -> int | None:
        """The most an event target could have completed in what was observed; None for objects."""
        return self._looks.capacity(self._chosen(target, operator))

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
        answer = self.ledger.explain(
            self._state.stream, chosen.description, at, since, chosen.operator.measure
        )
        limits = self._looks.warnings(chosen, len(answer.commits))
        return replace(answer, warnings=(*answer.warnings, *limits))

    def ask(self, question: str, at: float | None = None) -> str:
        """An answer in words to any question about the stream so far; counts are read, never asked for."""
        speaker = self.model.speaker
        if self._state is None:
            raise InvalidInput("expected an observation before a question, got none")
        return speaker.ask(self._state.backbone, question, at)

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
            late, outcomes = self._stepped(late, item)
            self.ledger.append_all(self._commits(outcomes))
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

    def _stepped(
        self, state: StreamState, observation: Observation
    ) -> tuple[StreamState, tuple[Outcome, ...]]:
        with torch.no_grad():
            return step(self.model, state, observation)

    def _commits(self, outcomes: Iterable[Outcome]) -> list[Commit]:
        return [commit for outcome in outcomes for commit in outcome.decision.commits(self.model.fingerprint)]

    def _started(self, first: Observation) -> StreamState:
        if self._state is None:
            kept = self._keep.load(self.model, first.stream, self.targets)
            if first.live:
                self._state = self._joined(first, kept)
            else:
                self._state = kept or StreamState.initial(self.model, first.stream, self.targets)
                self._redelivery = Redelivery(self.ledger, first.stream)
            for target in self.targets:
                self.ledger.append(target_record(first.stream, target, self.model.fingerprint))
            for gap in self._early:
                self._record(gap)
            self._snapshot_at = self._state.observations + (self._snapshot_every or OFTEN)
        return self._state

    def _joined(self, first: Observation, kept: StreamState | None) -> StreamState:
        """A live stream joined for the first time, or behind what was seen of it before."""
        if kept is not None:
            self._rejoin(first, kept)
            self._looks.number = kept.observations
            return kept
        state = StreamState.initial(self.model, first.stream, self.targets)
        if last := self.ledger.last(first.stream, 1):
            self._begin_anew(first, last[0])
            self._looks.number = last[0].observation + 1
            state = replace(state, observations=self._looks.number)
        # Kept at once: from now on there is a state to go on from.
        self._keep.save_live(self.model, state, first.time + self._shift.seconds)
        return state

    def _rejoin(self, first: Observation, kept: StreamState) -> None:
        journal = self._keep.load_journal(kept.stream)
        if journal is None:
            raise InvalidInput(f"expected a live stream in {kept.stream!r}, which was begun as a recording")
        matches = journal.belongs_to(kept.observations)
        self.ledger.append_all(journal.pending if matches else [])
        self._shift = rejoined(first, kept.observations, journal.time, journal.wall)
        since, until = journal.time if matches else journal.before, first.time + self._shift.seconds
        away = Gap(since, until, AWAY)
        self.ledger.append(gap_record(kept.stream, away, kept.observations, self.model.fingerprint))

    def _begin_anew(self, first: Observation, last: Commit) -> None:
        """The ledger knows the stream and nothing was kept of its state: a new segment begins."""
        assert last.recorded is not None, "a ledger stamps what it stores"
        self._shift = rejoined(first, last.observation + 1, last.time, last.recorded)
        origin = first.time + self._shift.seconds
        self.ledger.append(
            segment_record(first.stream, last.observation + 1, origin, AWAY, self.model.fingerprint)
        )

    def _record(self, gap: Gap) -> None:
        if self._state is None:
            self._early.append(gap)  # the stream has no name before its first observation
            return
        moved, place = self._shift.moved_gap(gap), self._looks.number
        self.ledger.append(gap_record(self._state.stream, moved, place, self.model.fingerprint))

    def _snapshot(self) -> None:
        assert self._state is not None, "there is something to save once a stream has begun"
        if self._live_until is None:
            written = self._keep.save(self.model, self._state)
        else:
            written = self._keep.save_live(self.model, self._state, self._live_until)
        self._snapshot_at = self._state.observations + (self._snapshot_every or due_after(written))

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
