"""Packets in, frames and gaps out. Damage is never shown: frames return at the next key frame."""

from collections.abc import Iterator, Sequence

import av
from av.container import InputContainer
from av.packet import Packet
from av.video.stream import VideoStream

from stamina_video.video.clock import Clock, declared_rate
from stamina_video.video.container import plain
from stamina_video.video.frame import Frame, Items
from stamina_video.video.gap import Gap

MAX_BAD_READS = 64  # in a row: a demuxer that cannot get past a place would otherwise stay there for ever
HEALING_SECONDS = 10.0  # streams without key frames renew the whole picture well within this


class ReadFailed(Exception):
    """The source itself gave out: a broken disk or connection, not broken data."""


def decode(container: InputContainer, stream: VideoStream, end: int | None = None) -> Items:
    """Frames from time 0 and index 0. `end` is the timestamp at which the container says it ends."""
    clock = Clock.of(stream)
    last: Frame | None = None
    index = lost = 0
    time = 0.0
    for picture in _pictures(container, stream):
        if last is None and (picture is None or picture.is_corrupt):
            continue  # a stream may be joined between two key frames
        if picture is None:
            lost += 1
            continue
        time, doubt = clock.read(picture.pts, picture.dts)
        if picture.is_corrupt or (lost and last and not _has_healed(picture, time - last.time)):
            lost += 1
            continue
        if lost and last:
            yield Gap(last.time, time, "damaged data", lost)
        if doubt:
            yield Gap(last.time if last else time, time, doubt, 0)
        index, lost = index + lost, 0
        last = Frame(time, index, picture)
        yield last
        index += 1
    if last:
        yield from _ending(stream, clock, last, end, lost, time)


def _has_healed(picture: av.VideoFrame, seconds: float) -> bool:
    return picture.key_frame or seconds > HEALING_SECONDS


def _ending(
    stream: VideoStream, clock: Clock, last: Frame, end: int | None, lost: int, time: float
) -> Iterator[Gap]:
    """What is missing at the end: damage up to it, or less video than was declared."""
    declared = clock.at(end) if end is not None else None
    interval = 1 / float(declared_rate(stream) or 1)
    shown = float(last.picture.duration * (last.picture.time_base or 0))
    if lost:
        yield Gap(last.time, max(declared or 0.0, time, last.time), "damaged data", lost)
    elif declared is not None and declared - last.time > max(shown, interval) + interval / 2:
        yield Gap(last.time, declared, "the video ends before its declared end", None)


def readable_packets(
    container: InputContainer, stream: VideoStream
) -> Iterator["Packet[VideoStream] | None"]:
    """Packets in decoding order; None stands for data that is not one."""
    bad = 0
    while bad < MAX_BAD_READS:
        try:
            for packet in container.demux(stream):
                bad = 0
                yield packet
        except av.error.InvalidDataError:
            bad += 1
            yield None
        else:
            return


def _pictures(container: InputContainer, stream: VideoStream) -> Iterator[av.VideoFrame | None]:
    """Decoded pictures in display order; None stands for data that gave none."""
    reason = ""
    try:
        for packet in readable_packets(container, stream):
            yield from _decoded(stream, packet) if packet else (None,)
    except (av.FFmpegError, OSError) as error:
        reason = plain(error)
    if reason:
        # The decoder still holds the last frames that arrived whole.
        yield from _decoded(stream, None)
        raise ReadFailed(reason)


def _decoded(stream: VideoStream, packet: "Packet[VideoStream] | None") -> Sequence[av.VideoFrame | None]:
    try:
        return stream.decode(packet)
    except av.error.InvalidDataError:
        return (None,)
