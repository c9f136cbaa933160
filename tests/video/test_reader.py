import threading
from typing import cast

import av
import pytest

from stamina_video.semantics import InvalidInput
from stamina_video.video import Frame, Gap
from stamina_video.video.frame import Items
from stamina_video.video.reader import TOO_SLOW, Reader

PICTURE = cast(av.VideoFrame, None)


def frame(index: int) -> Frame:
    return Frame(float(index), index, PICTURE)


class Stream:
    """Frames that come when the test lets them."""

    def __init__(self, items: list[Frame | Gap], error: Exception | None = None) -> None:
        self.given = 0
        self.done = threading.Event()
        self.closed = threading.Event()
        self._items = items
        self._error = error

    def read(self) -> Items:
        try:
            for item in self._items:
                self.given += 1
                yield item
            if self._error:
                raise self._error
        finally:
            self.closed.set()
            self.done.set()


def alive() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "stamina-video-reader"]


def test_everything_arrives_in_order_when_waiting() -> None:
    stream = Stream([frame(index) for index in range(50)])
    reader = Reader(stream.read(), 2, may_drop=lambda: False)
    assert list(reader) == [frame(index) for index in range(50)]
    reader.close()
    assert alive() == []


def test_waiting_holds_the_stream_up() -> None:
    stream = Stream([frame(index) for index in range(50)])
    reader = Reader(stream.read(), 3, may_drop=lambda: False)
    items = iter(reader)
    first = next(items)
    assert not stream.done.wait(0.1)
    assert first == frame(0)
    assert stream.given <= 1 + 3 + 1
    reader.close()
    assert stream.closed.is_set()


def test_dropping_keeps_the_newest_and_tells_the_gap() -> None:
    stream = Stream([frame(index) for index in range(10)])
    reader = Reader(stream.read(), 3, may_drop=lambda: True)
    assert stream.done.wait(10)
    assert list(reader) == [Gap(0.0, 7.0, TOO_SLOW, 7), frame(7), frame(8), frame(9)]
    reader.close()


def test_gaps_are_never_dropped() -> None:
    broken = Gap(1.0, 2.0, "the stream ended")
    stream = Stream([frame(0), frame(1), broken, frame(2), frame(3), frame(4)])
    reader = Reader(stream.read(), 1, may_drop=lambda: True)
    assert stream.done.wait(10)
    assert list(reader) == [Gap(0.0, 2.0, TOO_SLOW, 2), broken, Gap(2.0, 4.0, TOO_SLOW, 2), frame(4)]
    reader.close()


def test_an_error_reaches_the_consumer_after_the_frames() -> None:
    reader = Reader(Stream([frame(0)], InvalidInput("bad")).read(), 4, may_drop=lambda: False)
    items = iter(reader)
    assert next(items) == frame(0)
    with pytest.raises(InvalidInput, match="bad"):
        next(items)
    reader.close()


def test_closing_from_another_thread_ends_a_waiting_consumer() -> None:
    gate = threading.Event()

    def silent() -> Items:
        yield frame(0)
        gate.wait(10)

    reader = Reader(silent(), 4, may_drop=lambda: False)
    seen: list[Frame | Gap] = []
    consumer = threading.Thread(target=lambda: seen.extend(reader))
    consumer.start()
    closer = threading.Thread(target=reader.close)
    closer.start()
    consumer.join(10)
    assert not consumer.is_alive()
    gate.set()
    closer.join(10)
    assert alive() == []
