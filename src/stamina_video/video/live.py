"""Cameras and network streams: connect, follow, and connect again."""

import threading
import time
from collections.abc import Generator
from dataclasses import dataclass

import av
from av.container import InputContainer
from av.video.stream import VideoStream

from stamina_video.semantics import InvalidInput, UnreadableFile
from stamina_video.video.address import Address
from stamina_video.video.container import ReadFailed, opened_address
from stamina_video.video.declared import declared_end, declared_rate
from stamina_video.video.decode import decode
from stamina_video.video.frame import Frame, Items, displayed_size
from stamina_video.video.gap import Gap
from stamina_video.video.reader import Reader
from stamina_video.video.source import Source


@dataclass(frozen=True, slots=True)
class LiveSettings:
    """How a live source is followed."""

    buffer: int = 16  # observations waiting for the consumer
    when_full: str = "drop"  # the oldest, with a gap; or "wait", which holds the stream up
    attempts: int = 8  # connections tried in a row before giving up
    first_wait: float = 0.5  # seconds before the first of them; doubles each time, no jitter
    longest_wait: float = 30.0
    timeout: float = 10.0  # seconds without data after which a connection counts as lost

    def __post_init__(self) -> None:
        if self.buffer < 1 or self.attempts < 0:
            raise InvalidInput(
                f"expected a buffer from 1 and attempts from 0, got {self.buffer} and {self.attempts}"
            )
        if self.when_full not in ("drop", "wait"):
            raise InvalidInput(f"expected when_full to be drop or wait, got {self.when_full!r}")
        if not (0 <= self.first_wait <= self.longest_wait and self.timeout > 0):
            raise InvalidInput(
                f"expected 0 <= first_wait <= longest_wait and a timeout above zero, "
                f"got {self.first_wait}, {self.longest_wait} and {self.timeout}"
            )

    def wait_before(self, attempt: int) -> float:
        """Seconds of patience before the attempt of this number, from 1; none before the first connection."""
        return 0.0 if attempt == 0 else min(self.first_wait * 2.0 ** min(attempt - 1, 60), self.longest_wait)


class LiveSource(Source):
    """A stream that may break off. Its time is its own within a connection, the wall clock's between two."""

    def __init__(self, address: Address, settings: LiveSettings) -> None:
        self.name = address.name
        self.is_recorded = False  # a stream that declares its end is a recording that happens to be far away
        self._address = address
        self._settings = settings
        self._stopping = threading.Event()
        self._reader: Reader | None = None

    @property
    def is_live(self) -> bool:
        return not self.is_recorded

    def close(self) -> None:
        """Let the stream go, from any thread: at once between frames, within the timeout while none come."""
        self._stopping.set()
        if self._reader:
            self._reader.close()

    def stream(self, fps: float, until: float | None = None) -> Items:
        """Stream access, read ahead on a thread so that a slow consumer loses no connection."""
        if self._reader:
            raise InvalidInput(f"expected one iteration of the live source {self.name!r}, got a second")
        self._reader = Reader(super().stream(fps, until), self._settings.buffer, self._may_drop)
        try:
            yield from self._reader
        finally:
            self.close()

    def frames(self) -> Items:
        trail = _Trail()
        attempt = 0
        while not self._stopping.wait(self._settings.wait_before(attempt)):
            failure = yield from self._connection(trail)
            if self._stopping.is_set() or (self.is_recorded and failure is None):
                return
            if trail.last is None:
                # An address that never showed anything is a mistake, not an interruption.
                raise UnreadableFile(f"expected a live video, got {self.name!r}: {failure or 'no frames'}")
            if self.is_recorded:
                yield Gap(
                    trail.last.time, max(trail.last.time, self.duration or 0.0), f"reading failed: {failure}"
                )
                return
            attempt = 1 if trail.moved else attempt + 1
            trail.pause(failure or "the stream ended")
            if attempt > self._settings.attempts:
                yield trail.gap(f"gave up: {failure or 'the stream ended'}")
                return

    def _may_drop(self) -> bool:
        return self._settings.when_full == "drop" and not self.is_recorded

    def _connection(self, trail: "_Trail") -> Generator[Frame | Gap, None, str | None]:
        """One connection from its first frame to its last; returns what broke it, if anything did."""
        try:
            with opened_address(self._address, self._settings.timeout) as (container, stream):
                self._describe(container, stream)
                for item in decode(container, stream, declared_end(container, stream)):
                    if self._stopping.is_set():
                        break
                    if isinstance(item, Frame):
                        self.size = displayed_size(item.picture)
                    yield from trail.follow(item)
        except ReadFailed as error:
            return str(error)
        except UnreadableFile as error:
            if trail.last is None:
                raise
            return str(error)  # what came back is no longer a video
        return None

    def _describe(self, container: InputContainer, stream: VideoStream) -> None:
        rate = declared_rate(stream)
        self.rate = float(rate) if rate else None
        self.duration = container.duration / av.time_base if container.duration else None
        self.is_recorded = self.duration is not None


class _Trail:
    """The last frame, and when it came: where the next connection takes up."""

    def __init__(self) -> None:
        self.last: Frame | None = None
        self.moved = False  # since the last pause
        self._seen = 0.0
        self._paused: str | None = None
        self._seconds = 0.0
        self._frames = 0

    def pause(self, reason: str) -> None:
        # Failed attempts to reconnect do not replace the reason for having to.
        self._paused = self._paused or reason
        self.moved = False

    def gap(self, reason: str) -> Gap:
        assert self.last is not None
        return Gap(self.last.time, self._wall_time(), reason)

    def follow(self, item: Frame | Gap) -> Items:
        if self._paused and self.last:
            # Stamps of two connections share no origin: the wall clock measures what lies between.
            gap = self.gap(self._paused)
            self._seconds, self._frames, self._paused = gap.end, self.last.index + 1, None
            yield gap
        if isinstance(item, Gap):
            yield item.shifted(self._seconds)
            return
        self.last = item.shifted(self._seconds, self._frames)
        self._seen = time.monotonic()
        self.moved = True
        yield self.last

    def _wall_time(self) -> float:
        assert self.last is not None
        return self.last.time + (time.monotonic() - self._seen)
