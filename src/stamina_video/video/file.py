"""Video files: anything libav opens."""

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
from av.container import InputContainer
from av.video.stream import VideoStream

from stamina_video.semantics import UnreadableFile
from stamina_video.video.address import printable
from stamina_video.video.clock import Clock, declared_rate, frame_times
from stamina_video.video.container import opened_file
from stamina_video.video.decode import decode
from stamina_video.video.frame import Frame, Items, displayed_size
from stamina_video.video.gap import Gap
from stamina_video.video.pictures import ReadFailed, readable_packets
from stamina_video.video.schedule import at_positions
from stamina_video.video.source import Recording


class VideoFile(Recording):
    """One file; every call opens it afresh and closes it when done."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = printable(path.name)
        with opened_file(path) as (container, stream):
            rate, end = declared_rate(stream), declared_end(container, stream)
            self.rate = float(rate) if rate else None
            if end is not None and stream.time_base:
                self.duration = float((end - (stream.start_time or 0)) * stream.time_base)
            first = next((item for item in decode(container, stream) if isinstance(item, Frame)), None)
            if first is None:
                raise UnreadableFile(f"expected a video file, got {str(path)!r}: no frame can be decoded")
            self.size = displayed_size(first.picture)

    def frames(self) -> Items:
        with opened_file(self.path) as (container, stream):
            last = 0.0
            try:
                for item in decode(container, stream, declared_end(container, stream)):
                    last = item.end if isinstance(item, Gap) else item.time
                    yield item
            except ReadFailed as error:
                yield Gap(last, max(last, self.duration or 0.0), f"reading failed: {error}")

    def times(self) -> list[float]:
        with opened_file(self.path) as (container, stream):
            packets = filter(None, readable_packets(container, stream))
            return frame_times(packets, Clock.of(stream))

    def select(self, indices: Sequence[int]) -> Items:
        return at_positions(self.frames(), indices)


def declared_end(container: InputContainer, stream: VideoStream) -> int | None:
    """The timestamp at which the container says this stream ends."""
    if stream.duration is not None:
        return (stream.start_time or 0) + stream.duration
    if not stream.time_base:
        return None
    seconds = _tagged_end(stream)
    if seconds is None and container.duration is not None and len(container.streams) == 1:
        # Matroska and Flash both mean the time of the end, not the time since the start.
        seconds = Fraction(container.duration, av.time_base)
    return None if seconds is None else round(seconds / stream.time_base)


def _tagged_end(stream: VideoStream) -> Fraction | None:
    """Matroska writes the end of each stream as a tag like 00:00:02.400000000."""
    tag = re.fullmatch(r"(\d+):(\d\d):(\d\d(?:\.\d+)?)", stream.metadata.get("DURATION", ""))
    if tag is None:
        return None
    hours, minutes, seconds = map(Fraction, tag.groups())
    return hours * 3600 + minutes * 60 + seconds
