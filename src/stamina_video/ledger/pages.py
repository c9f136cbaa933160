"""What is known of a track in memory: sorted, disjoint pages of its past. Knows nothing of stores.

The past never changes, so a page is right for ever; the cache only bounds how many are kept. Pages are
small and their bounds lie side by side: a read of a long track costs few misses of the processor's cache.
"""

from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from math import inf

from stamina_video.ledger.rows import Point

PAGE_ROWS = 128


class Page:
    """Some rows of a track: their times, and total and gained in turns."""

    __slots__ = ("numbers", "times")

    def __init__(self, points: Sequence[Point]) -> None:
        assert points, "a page starts with the numbers that hold at its start"
        self.times = array("d", [point.time for point in points])
        self.numbers = array("q", [number for point in points for number in point[1:]])

    def append(self, point: Point) -> None:
        self.times.append(point.time)
        self.numbers.extend(point[1:])

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
        page = self.pages[place]
        row = 2 * bisect_right(page.times, time)
        return page.numbers[row - 2], page.numbers[row - 1]

    def hole(self, time: float) -> tuple[float, float]:
        """The stretch without pages around `time`: from, and up to but without."""
        place = bisect_right(self.starts, time)
        low = self.untils[place - 1] if place else -inf
        high = self.starts[place] if place < len(self.starts) else inf
        return low, high

    def insert(self, points: Sequence[Point], until: float = inf) -> list[Page]:
        """Take in the points of a stretch without pages, up to `until`; the pages made of them."""
        parts = [points[begin : begin + PAGE_ROWS] for begin in range(0, len(points), PAGE_ROWS)]
        pages, starts = [Page(part) for part in parts], [part[0].time for part in parts]
        place = bisect_right(self.starts, starts[0])
        self.pages[place:place] = pages
        self.starts[place:place] = array("d", starts)
        self.untils[place:place] = array("d", [*starts[1:], until])
        return pages

    def push(self, point: Point) -> Page | None:
        """Extend the last page, which is a writer's own; a full one is closed, and returned."""
        assert self.untils[-1] == inf, "only the writer's series grows"
        page = self.pages[-1]
        if len(page) < PAGE_ROWS:
            page.append(point)
            return None
        self.untils[-1] = point.time
        self.insert([point])
        return page

    def drop(self, page: Page) -> None:
        place = bisect_right(self.starts, page.times[0]) - 1
        while self.pages[place] is not page:  # pages may share a start: many rows of one moment
            place -= 1
        del self.pages[place], self.starts[place], self.untils[place]


class PageCache:
    """Bounds the memory of closed pages: the page kept first leaves first."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self._held = 0
        self._pages: deque[tuple[Series, Page]] = deque()

    def has_room(self, rows: int) -> bool:
        return self._held + rows <= self.rows

    def keep(self, series: Series, page: Page) -> None:
        self._pages.append((series, page))
        self._held += len(page)
        while self._held > self.rows:
            owner, oldest = self._pages.popleft()
            owner.drop(oldest)
            self._held -= len(oldest)
