"""Plays a video through a session: resumes, catches up with new targets, stops at an interrupt."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from types import TracebackType
from typing import Self

from stamina_video.cli.request import Request
from stamina_video.cli.throttle import throttled
from stamina_video.runtime import Model, Session
from stamina_video.runtime.keep import Keep
from stamina_video.semantics import Decision, InvalidInput, Observation, Target
from stamina_video.video import Gap, Recording, Video


class Listener:
    """Told what happens while a video is counted; does nothing about it unless it cares."""

    def observed(self, session: Session, observation: Observation, decisions: Sequence[Decision]) -> None:
        """One more observation; no decisions where it was consumed before an interruption."""

    def replayed(self, target: Target, done: int, of: int) -> None:
        """A late target was caught up with this far, from 0."""

    def said(self, line: str) -> None:
        """Something a person should know now."""


@dataclass(slots=True)
class Seen:
    """How far it came."""

    observations: int = 0
    end: float = 0.0
    interrupted: bool = False


class Drive:
    """One session over one video."""

    def __init__(
        self,
        model: Model,
        request: Request,
        at: tuple[float, ...],
        video: Video,
        listeners: Sequence[Listener],
    ) -> None:
        self._request = request
        self._at = at
        self._video = video
        self._listeners = listeners
        items = iter(video)
        # A live stream that shows nothing is refused here, before a ledger is begun.
        self._items = chain([next(items)], items)
        known = Keep(request.ledger).targets(video.stream)
        self.session = Session(model, known or request.targets, request.ledger)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.session.close()

    def run(self) -> Seen:
        seen = Seen()
        try:
            for item in self._paced():
                if self._is_over(item):
                    break
                self._advance(item, seen)
        except KeyboardInterrupt:
            seen.interrupted = True  # what was accepted is in the ledger already
        return seen

    def _is_over(self, item: Observation | Gap) -> bool:
        """A live stream that goes on from an earlier run reaches the last query sooner than its own clock."""
        if isinstance(item, Gap) or not self._at or not item.live:
            return False
        return self.session.placed(item).time > max(self._at)

    def _advance(self, item: Observation | Gap, seen: Seen) -> None:
        decisions = self.session.observe(item)
        if isinstance(item, Gap):
            seen.end = max(seen.end, item.end)
            return
        if seen.observations == 0:
            self._catch_up()
        placed = self.session.placed(item)
        seen.observations = placed.index + 1
        seen.end = max(seen.end, placed.time)
        for listener in self._listeners:
            listener.observed(self.session, placed, decisions)

    def _paced(self) -> Iterable[Observation | Gap]:
        if self._video.source.is_live and self._request.may_slow_down:
            return throttled(self._items, self._request.fps, self._say)
        return self._items

    def _catch_up(self) -> None:
        """Count targets that are new to a resumed stream from its origin on."""
        for target in self._request.targets:
            if target in self.session.targets:
                continue
            if not isinstance(self._video.source, Recording):
                raise InvalidInput(
                    f"expected the targets {self._video.stream!r} was begun with, "
                    f"got {target.description!r}: a live stream cannot be replayed"
                )
            with self._request.reopen(self._at) as again:
                self._replay(target, again)

    def _replay(self, target: Target, again: Video) -> None:
        assert self.session.state is not None, "the first observation was made"
        consumed = self.session.state.observations
        self._say(f"{target.description!r} is new to this ledger: {consumed} observations to replay for it")
        prefix = takewhile(lambda item: isinstance(item, Gap) or item.index < consumed, again)
        self.session.add_target(target, prefix, self._replayed(target))

    def _replayed(self, target: Target) -> Callable[[int, int], None]:
        def report(done: int, of: int) -> None:
            for listener in self._listeners:
                listener.replayed(target, done, of)

        return report

    def _say(self, line: str) -> None:
        for listener in self._listeners:
            listener.said(line)
