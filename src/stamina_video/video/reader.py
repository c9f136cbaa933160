"""A thread that reads ahead into a bounded buffer. Knows nothing of where frames come from."""

import threading
from collections import deque
from collections.abc import Callable, Iterator

from stamina_video.video.frame import Frame, Items
from stamina_video.video.gap import Gap

TOO_SLOW = "observations dropped: the consumer is slower than the stream"


class Reader:
    """Iterates what another thread reads. Full, it holds that thread up or drops the oldest frame."""

    def __init__(self, items: Items, room: int, may_drop: Callable[[], bool]) -> None:
        self._items = items
        self._room = room
        self._may_drop = may_drop
        self._waiting: deque[Frame | Gap] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._finished = False
        self._error: BaseException | None = None
        # A daemon: a consumer that forgets to close must not keep the process alive.
        self._thread = threading.Thread(target=self._read, name="stamina-video-reader", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[Frame | Gap]:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._finished or self._closed)
                if self._closed or not self._waiting:
                    break
                item = self._waiting.popleft()
                self._changed.notify_all()
            yield item
        if self._error and not self._closed:
            raise self._error

    def close(self) -> None:
        """End the iteration and the thread, from any thread."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not threading.current_thread():  # garbage is collected on any thread
            self._thread.join()

    def _read(self) -> None:
        try:
            for item in self._items:
                if not self._put(item):
                    break
        except Exception as error:  # told to the consumer, in its own thread
            self._error = error
        finally:
            self._items.close()
            with self._changed:
                self._finished = True
                self._changed.notify_all()

    def _put(self, item: Frame | Gap) -> bool:
        with self._changed:
            if isinstance(item, Frame) and self._is_full():
                if self._may_drop():
                    self._drop_oldest(item)
                else:
                    self._changed.wait_for(lambda: self._closed or not self._is_full())
            self._waiting.append(item)
            self._changed.notify_all()
            return not self._closed

    def _is_full(self) -> bool:
        return sum(isinstance(item, Frame) for item in self._waiting) >= self._room

    def _drop_oldest(self, newest: Frame) -> None:
        """Put a gap in the place of the oldest frame, joined to the gap left by the one before it."""
        items = [*self._waiting, newest]
        place, dropped = next((at, item) for at, item in enumerate(items) if isinstance(item, Frame))
        following = next(item for item in items[place + 1 :] if isinstance(item, Frame))
        gap = Gap(dropped.time, following.time, TOO_SLOW, 1)
        before = items[place - 1] if place else None
        if isinstance(before, Gap) and before.reason == TOO_SLOW:
            gap = Gap(before.start, following.time, TOO_SLOW, (before.missed or 0) + 1)
            place -= 1
            items.pop(place)
        items[place] = gap
        self._waiting = deque(items[:-1])
