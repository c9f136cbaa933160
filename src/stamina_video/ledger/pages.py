"""What is known of a track in memory: sorted, disjoint pages of its past. Knows nothing of stores.

The past never changes, so a page is right for ever; the cache only bounds how much is kept. Pages are
large and searched through samples: a read of a long track touches few places in memory.
"""

from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from math import inf

from stamina_video.ledger.rows import Point

PAGE_ROWS = 16_384  # of a page a writer fills
_STEP = 64


class Page:
    """Some rows of a track: times, every 64th of them once more, and total and gained in turns."""

    __slots__ = ("numbers", "samples", "times")

    def __init__(self, points: Sequence[Point]) -> None:
        assert points, "a page starts with the numbers that hold at its start"
        self.times = array("d", [point.time for point in points])
        self.samples = self.times[::_STEP]
        self.numbers = array("q", [number for point in points for number in point[1:]])

    def at(self, time: float) -> tuple[int, int]:
        block = bisect_right(self.samples, time) * _STEP
        row = 2 * bisect_right(self.times, time, block - _STEP, min(block, len(self.times)))
        return self.numbers[row - 2], self.numbers[row - 1]

    def append(self, point: Point) -> None:
        if len(self.times) % _STEP == 0:
            self.samples.append(point.time)
        self.times.append(point.time)
        self.numbers.extend(point[1:])

    def keep_last(self) -> None:
        self.times, self.numbers = self.times[-1:], self.numbers[-2:]
        self.samples = self.times[:]

    def __len__(self) -> int:
        return len(self.times)


class Series:
    """The known pages of one track. Each holds from its start until a time that is the next one's."""

    __slots__ = ("misses", "pages", "starts", "untils")

    def __init__(self) -> None:
        self.pages: list[Page] = []
        self.starts = array("d")
        self.untils = array("d")
        self.misses = 0

    def at(self, time: float) -> tuple[int, int] | None:
        """Total and gained as of `time`, None where no page covers it."""
        place = bisect_right(self.starts, time) - 1
        if place < 0:
            return None
        until = self.untils[place]
        if time >= until and until != inf:
            return None
        return self.pages[place].at(time)

    def hole(self, time: float) -> tuple[float, float]:
        """The stretch without pages around `time`: from, and up to but without."""
        place = bisect_right(self.starts, time)
        low = self.untils[place - 1] if place else -inf
        high = self.starts[place] if place < len(self.starts) else inf
        return low, high

    def insert(self, points: Sequence[Point], until: float = inf) -> Page:
        """A page of these points, for a stretch without pages, up to `until`."""
        page, start = Page(points), points[0].time
        place = bisect_right(self.starts, start)
        self.pages.insert(place, page)
        self.starts.insert(place, start)
        self.untils.insert(place, until)
        return page

    def push(self, point: Point) -> Page:
        """Extend the last page, or begin another once it is full; the page that took the point."""
        assert self.untils[-1] == inf, "only the writer's series grows"
        page = self.pages[-1]
        if len(page) < PAGE_ROWS:
            page.append(point)
            return page
        self.untils[-1] = point.time
        return self.insert([point])

    def drop(self, page: Page) -> None:
        """Forget a page; of the last one, which may still grow, all but its last row."""
        place = bisect_right(self.starts, page.times[0]) - 1
        while self.pages[place] is not page:  # pages may share a start: many rows of one moment
            place -= 1
        if self.untils[place] == inf:
            page.keep_last()
            self.starts[place] = page.times[0]
        else:
            del self.pages[place], self.starts[place], self.untils[place]


class PageCache:
    """Bounds the memory of pages of more than one row: the page that came first leaves first."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self._held = 0
        self._pages: deque[tuple[Series, Page]] = deque()

    def has_room(self, rows: int) -> bool:
        return self._held + rows <= self.rows

    def keep(self, series: Series, page: Page) -> None:
        """Count in a loaded page."""
        self._pages.append((series, page))
        self._held += len(page)
        self._shrink()

    def grow(self, series: Series, page: Page) -> None:
        """Count in the last row of a writer's page; it comes under the bound with its second."""
        if len(page) == 2:
            self.keep(series, page)
        elif len(page) > 2:
            self._held += 1
            self._shrink()

    def _shrink(self) -> None:
        while self._held > self.rows:
            owner, oldest = self._pages.popleft()
            self._held -= len(oldest)
            owner.drop(oldest)
