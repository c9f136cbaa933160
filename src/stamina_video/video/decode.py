"""Pictures to frames with their times, and the gaps between them."""

from av.container import InputContainer
from av.video.stream import VideoStream

from stamina_video.video.clock import Clock
from stamina_video.video.declared import declared_rate
from stamina_video.video.frame import Frame, Items
from stamina_video.video.gap import Gap
from stamina_video.video.pictures import Pictures


def decode(container: InputContainer, stream: VideoStream, end: int | None = None) -> Items:
    """Frames from time 0 and index 0. `end` is the timestamp at which the container says it ends."""
    clock = Clock.of(stream)
    last: Frame | None = None
    index = lost = 0
    for picture in Pictures(container, stream):
        if isinstance(picture, int):
            lost = picture if last else 0  # a stream may be joined between two key frames
            continue
        time, doubt = clock.read(picture.pts, picture.dts)
        if lost and last:
            yield Gap(last.time, time, "damaged data", lost)
        if doubt:
            yield Gap(last.time if last else time, time, doubt, 0)
        index, lost = index + lost, 0
        last = Frame(time, index, picture)
        yield last
        index += 1
    if last:
        gap = _missing_end(stream, last, lost, None if end is None else clock.at(end))
        if gap:
            yield gap


def _missing_end(stream: VideoStream, last: Frame, lost: int, declared: float | None) -> Gap | None:
    """Damage up to the end, or less video than was declared."""
    interval = 1 / float(declared_rate(stream) or 1)
    shown = float(last.picture.duration * (last.picture.time_base or 0))
    reached = last.time + max(shown, interval) + lost * interval
    if declared is not None and declared > reached + interval / 2:
        return Gap(last.time, declared, "the video ends before its declared end")
    if lost:
        return Gap(last.time, reached, "damaged data", lost)
    return None
