"""Opening a source and observing it on a schedule."""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from stamina_video.semantics import InvalidInput, Observation, UnreadableFile, full_indices, seconds
from stamina_video.semantics.schedule import check_rate
from stamina_video.video.address import Address, parse
from stamina_video.video.file import VideoFile
from stamina_video.video.frame import Items
from stamina_video.video.gap import Gap
from stamina_video.video.images import ImageDirectory
from stamina_video.video.live import LiveSettings, LiveSource
from stamina_video.video.source import Recording, Source


class Video:
    """Observations of one source on one schedule, and the gaps between them, in order of time."""

    def __init__(self, source: Source, schedule: Callable[[], Items], stream: str) -> None:
        self.source = source
        self.stream = stream
        self.gaps: list[Gap] = []  # met by the latest iteration
        self._schedule = schedule
        self._closed = threading.Event()

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height as shown; None where a live source has shown nothing yet."""
        return self.source.size

    @property
    def rate(self) -> float | None:
        """The declared average rate in frames a second, where there is one."""
        return self.source.rate

    @property
    def duration(self) -> float | None:
        """The declared length in seconds, where there is one."""
        return self.source.duration

    def times(self) -> list[float]:
        """The time of every source frame, read without decoding any."""
        return _recording(self.source, "a table of times").times()

    def __iter__(self) -> Iterator[Observation | Gap]:
        if self._closed.is_set():
            raise InvalidInput(f"expected an open video, got {self.stream!r} after it was closed")
        self.gaps = []
        index = 0
        for item in self._schedule():
            if self._closed.is_set():
                return
            if isinstance(item, Gap):
                self.gaps.append(item)
                yield item
            else:
                live = self.source.is_live
                yield Observation(self.stream, index, item.time, item.image, item.index, live)
                index += 1

    def close(self) -> None:
        """End every iteration, from any thread; a live source is let go before this returns."""
        self._closed.set()
        self.source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_video(
    source: str | Path | int,
    fps: float = 1.0,
    stream: str | None = None,
    frames: int | None = None,
    *,
    until: float | None = None,
    image_rate: float = 1.0,
    live: LiveSettings | None = None,
) -> Video:
    """Observe a file, a directory of images, a camera number or an rtsp or http address.

    Stream access at `fps`, or Full access where `frames` gives a budget; nothing later than `until`.
    """
    check_rate(fps)
    end = None if until is None else seconds(until, "the end")
    opened = _source(source, image_rate, live or LiveSettings())
    if frames is None:
        schedule = partial(opened.stream, fps, end)
    else:
        full_indices(0, frames)  # refuses a budget below one
        schedule = partial(_recording(opened, "a frame budget").full, frames, end)
    return Video(opened, schedule, opened.name if stream is None else stream)


def _source(named: str | Path | int, image_rate: float, live: LiveSettings) -> Source:
    place = parse(named)
    if isinstance(place, Address):
        return LiveSource(place, live)
    if place.is_dir():
        return ImageDirectory(place, image_rate)
    if place.exists() and not place.is_file():
        raise UnreadableFile(
            f"expected a video file, got {str(place)!r}, which is neither file nor directory"
        )
    return VideoFile(place)


def _recording(source: Source, purpose: str) -> Recording:
    if not isinstance(source, Recording):
        raise InvalidInput(f"expected a file or a directory for {purpose}, got {source.name!r}")
    return source
