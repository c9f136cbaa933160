"""From a container's timestamps to seconds after the first frame."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from av.packet import Packet
from av.video.stream import VideoStream

from stamina_video.video.declared import declared_rate

DEFAULT_RATE = Fraction(25)  # what libav assumes of a raw stream that declares nothing


class Clock:
    """Reads timestamps in display order; never runs backwards and says when it had to guess."""

    def __init__(self, time_base: Fraction, rate: Fraction) -> None:
        self._time_base = time_base
        self._interval = 1 / rate
        self._anchor: tuple[int, Fraction] | None = None  # a timestamp and the seconds it stands for
        self._now: Fraction | None = None
        self._faults = {"pts": 0, "dts": 0}
        self._last: dict[str, int] = {}
        self._guessing = False

    @classmethod
    def of(cls, stream: VideoStream) -> "Clock":
        return cls(stream.time_base or Fraction(1, 90_000), declared_rate(stream) or DEFAULT_RATE)

    def read(self, pts: int | None, dts: int | None = None) -> tuple[float, str | None]:
        """Seconds after the first frame, and a reason to doubt them."""
        stamp = self._trusted(pts, dts)
        doubt = None
        if stamp is None:
            self._now = Fraction(0) if self._now is None else self._now + self._interval
            if not self._guessing:
                doubt = f"no timestamps: times assume {float(1 / self._interval):g} frames a second"
        else:
            self._now, doubt = self._advance(stamp)
        self._guessing = stamp is None
        return float(self._now), doubt

    def at(self, stamp: int) -> float | None:
        """The seconds a timestamp stands for, once a frame with one was read."""
        return None if self._anchor is None else float(self._seconds(stamp))

    def _advance(self, stamp: int) -> tuple[Fraction, str | None]:
        if self._anchor is None:
            self._anchor = stamp, self._now + self._interval if self._now is not None else Fraction(0)
        time = self._seconds(stamp)
        if self._now is None or time >= self._now:
            return time, None
        back = float(self._now - time)
        time = self._now + self._interval
        self._anchor = stamp, time
        return time, f"timestamps went back by {back:g} s: times continue at the declared rate"

    def _seconds(self, stamp: int) -> Fraction:
        assert self._anchor is not None
        anchor, seconds = self._anchor
        return seconds + (stamp - anchor) * self._time_base

    def _trusted(self, pts: int | None, dts: int | None) -> int | None:
        """The stamp that ran backwards less often: containers like AVI invent the other."""
        pts_is_worse = self._backwards("pts", pts) > self._backwards("dts", dts)
        if pts is None:
            return dts
        if not pts_is_worse or "dts" not in self._last:
            return pts
        # A decoder's last frames come without the stamp that was trusted so far.
        return dts if dts is not None else self._last["dts"] + round(self._interval / self._time_base)

    def _backwards(self, name: str, stamp: int | None) -> int:
        """How often this kind of stamp did not advance."""
        if stamp is not None:
            self._faults[name] += stamp <= self._last.get(name, stamp - 1)
            self._last[name] = stamp
        return self._faults[name]


def frame_times(packets: Iterable["Packet[VideoStream]"], clock: Clock) -> list[float]:
    """The time of every frame, from packets alone."""
    return [clock.read(stamp)[0] for run in _runs(packets) for stamp in run]


def _runs(packets: Iterable["Packet[VideoStream]"]) -> Iterator[list[int | None]]:
    """Timestamps in display order. Decoding times only fall where a new recording was appended."""
    run: list[int | None] = []
    last = None
    for packet in _decodable(packets):
        if last is not None and packet.dts is not None and packet.dts < last:
            yield _display_order(run)
            run = []
        last = packet.dts if packet.dts is not None else last
        run.append(packet.pts if packet.pts is not None else packet.dts)
    yield _display_order(run)


def _decodable(packets: Iterable["Packet[VideoStream]"]) -> Iterator["Packet[VideoStream]"]:
    """Packets that give a frame: nothing before the first key frame, or cut off by an edit list, does."""
    started, first = False, None
    for packet in packets:
        if packet.size == 0 or packet.is_discard:
            continue
        if not started and packet.is_keyframe:
            started, first = True, packet.pts
        elif packet.is_keyframe:
            first = None
        leads = first is not None and packet.pts is not None and packet.pts < first
        if started and not leads:
            yield packet


def _display_order(stamps: list[int | None]) -> list[int | None]:
    known = sorted(stamp for stamp in stamps if stamp is not None)
    return [*known, *[None] * (len(stamps) - len(known))]
