"""Packets in, pictures out. A damaged picture is never shown: they return at the next key frame."""

from collections import deque
from collections.abc import Iterator, Sequence

import av
from av.container import InputContainer
from av.packet import Packet
from av.video.stream import VideoStream

from stamina_video.video.container import ReadFailed, plain

MAX_BAD_READS = 64  # in a row: a demuxer that cannot get past a place would otherwise stay there for ever
MAX_INSIDE = 64  # more packets than any decoder holds back for its threads and the display order
HEALING_FRAMES = 300  # streams without key frames renew the whole picture well within these


class Pictures:
    """Whole pictures in display order; a number stands for that many lost in its place."""

    def __init__(self, container: InputContainer, stream: VideoStream) -> None:
        self._container = container
        self._stream = stream
        self._sent: deque[int | None] = deque(maxlen=MAX_INSIDE)
        self._unharmed: set[int | None] | None = None  # after damage: what went into the decoder before it
        self._suspect: Packet[VideoStream] | None = None
        self._lost = 0

    def __iter__(self) -> Iterator[av.VideoFrame | int]:
        reason = ""
        try:
            for packet in readable_packets(self._container, self._stream):
                yield from self._through(packet)
        except (av.FFmpegError, OSError) as error:
            reason = plain(error)
        if reason:
            # The decoder still holds the last pictures that arrived whole.
            yield from self._whole(self._decoded(None))
        if self._lost:
            yield self._lost
        if reason:
            raise ReadFailed(reason)

    def _through(self, packet: "Packet[VideoStream] | None") -> Iterator[av.VideoFrame | int]:
        suspect, self._suspect = self._suspect, None
        if suspect and packet and packet.size == 0:
            # Cut off by the end of the file. A decoder that is already draining would drop whole
            # pictures together with this one.
            self._damage(unharmed=set(self._sent))
        elif suspect:
            yield from self._sending(suspect)
        if packet is None:
            self._damage(unharmed=set(self._sent))
        elif packet.is_corrupt:
            self._suspect = packet  # demuxers only suspect: the decoder will tell
        else:
            yield from self._sending(packet)

    def _sending(self, packet: "Packet[VideoStream]") -> Iterator[av.VideoFrame | int]:
        self._sent.append(packet.pts)
        yield from self._whole(self._decoded(packet))

    def _decoded(self, packet: "Packet[VideoStream] | None") -> Sequence[av.VideoFrame]:
        try:
            return self._stream.decode(packet)
        except av.error.InvalidDataError:
            # Decoder threads report late: which of the packets inside it was is not known.
            self._damage(unharmed=set())
            return ()

    def _whole(self, pictures: Sequence[av.VideoFrame]) -> Iterator[av.VideoFrame | int]:
        for picture in pictures:
            if picture.is_corrupt:
                self._damage(unharmed=set())
            elif self._unharmed is None or (picture.pts is not None and picture.pts in self._unharmed):
                yield picture
            elif picture.key_frame or self._lost >= HEALING_FRAMES:
                yield self._lost
                self._lost, self._unharmed = 0, None
                yield picture
            else:
                self._lost += 1

    def _damage(self, unharmed: set[int | None]) -> None:
        self._lost += 1
        self._unharmed = unharmed if self._unharmed is None else self._unharmed & unharmed


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
