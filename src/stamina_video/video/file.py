"""Video files: anything libav opens."""

from collections.abc import Sequence
from pathlib import Path

import av

from stamina_video.semantics import UnreadableFile
from stamina_video.video.address import printable
from stamina_video.video.clock import Clock, frame_times
from stamina_video.video.container import ReadFailed, opened_file, plain
from stamina_video.video.declared import declared_end, declared_rate
from stamina_video.video.decode import decode
from stamina_video.video.frame import Frame, Items, displayed_size
from stamina_video.video.gap import Gap
from stamina_video.video.pictures import readable_packets
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
            try:
                return frame_times(packets, Clock.of(stream))
            except (av.FFmpegError, OSError) as error:
                raise UnreadableFile(
                    f"expected a video file, got {str(self.path)!r}: {plain(error)}"
                ) from None

    def select(self, indices: Sequence[int]) -> Items:
        return at_positions(self.frames(), indices)
