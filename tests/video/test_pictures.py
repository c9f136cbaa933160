from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import av
import pytest

from stamina_video.video.container import ReadFailed
from stamina_video.video.pictures import HEALING_FRAMES, MAX_BAD_READS, Pictures, readable_packets


@dataclass
class Packet:
    """What a demuxer hands on, and what a decoder will make of it."""

    pts: int
    key: bool = False
    damaged: bool = False
    is_corrupt: bool = False
    size: int = 1


@dataclass
class Picture:
    pts: int
    key_frame: bool
    is_corrupt: bool = False


@dataclass
class Decoder:
    """Gives each picture two packets later, as threaded decoders do."""

    inside: list[Packet] = field(default_factory=list)

    def decode(self, packet: Packet | None) -> list[Picture]:
        if packet is not None and packet.size:
            self.inside.append(packet)
        ready = len(self.inside) if packet is None or packet.size == 0 else max(len(self.inside) - 2, 0)
        out, self.inside = self.inside[:ready], self.inside[ready:]
        if any(packet.damaged for packet in out):
            raise invalid()
        return [Picture(packet.pts, packet.key) for packet in out]


@dataclass
class Demuxer:
    reads: list[Packet | Exception]

    def demux(self, _: object) -> Iterator[Packet]:
        while self.reads:
            read = self.reads.pop(0)
            if isinstance(read, Exception):
                raise read
            yield read
        yield Packet(-1, size=0)


def invalid() -> Exception:
    return av.error.InvalidDataError(1094995529, "Invalid data found when processing input")


def shown(reads: list[Packet | Exception]) -> list[int | str]:
    """Timestamps of the pictures that come out, and how many were lost where."""
    pictures = Pictures(cast(Any, Demuxer(reads)), cast(Any, Decoder()))
    return [f"lost {item}" if isinstance(item, int) else cast(int, item.pts) for item in pictures]


def packets(count: int, keys: set[int]) -> list[Packet | Exception]:
    return [Packet(number, key=number in keys) for number in range(count)]


def test_whole_packets_pass() -> None:
    assert shown(packets(6, {0})) == [0, 1, 2, 3, 4, 5]


def test_after_damage_pictures_return_at_the_next_key_frame() -> None:
    reads = packets(12, {0, 8})
    reads[4] = Packet(4, damaged=True)
    assert shown(reads) == [0, 1, 2, 3, "lost 4", 8, 9, 10, 11]


def test_what_went_in_before_unreadable_data_still_comes_out() -> None:
    reads = packets(12, {0, 8})
    reads[4] = invalid()
    assert shown(reads) == [0, 1, 2, 3, "lost 4", 8, 9, 10, 11]


def test_a_stream_without_key_frames_heals_in_time() -> None:
    reads = packets(HEALING_FRAMES + 20, {0})
    reads[4] = Packet(4, damaged=True)
    out = shown(reads)
    assert out[:5] == [0, 1, 2, 3, f"lost {HEALING_FRAMES}"]
    assert out[5:] == list(range(HEALING_FRAMES + 4, HEALING_FRAMES + 20))


def test_a_packet_cut_off_by_the_end_takes_no_whole_picture_with_it() -> None:
    reads = packets(6, {0})
    reads[5] = Packet(5, damaged=True, is_corrupt=True)
    assert shown(reads) == [0, 1, 2, 3, 4, "lost 1"]


def test_a_packet_that_is_only_suspected_is_decoded() -> None:
    reads = packets(6, {0})
    reads[3] = Packet(3, is_corrupt=True)
    assert shown(reads) == [0, 1, 2, 3, 4, 5]


def test_a_broken_connection_still_gives_what_arrived() -> None:
    reads = [*packets(6, {0}), av.error.ConnectionResetError(104, "Connection reset by peer")]
    pictures = Pictures(cast(Any, Demuxer(reads)), cast(Any, Decoder()))
    out: list[int] = []
    with pytest.raises(ReadFailed, match="Connection reset by peer"):
        out.extend(cast(int, item.pts) for item in pictures if not isinstance(item, int))
    assert out == [0, 1, 2, 3, 4, 5]


def test_a_demuxer_that_is_stuck_is_left() -> None:
    reads: list[Packet | Exception] = [Packet(0, key=True), *(invalid() for _ in range(MAX_BAD_READS * 2))]
    found = list(readable_packets(cast(Any, Demuxer(reads)), cast(Any, None)))
    assert found[1:] == [None] * MAX_BAD_READS
