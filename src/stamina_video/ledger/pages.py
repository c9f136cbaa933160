"""What is known of a track in memory: sorted, disjoint pages of its past. Knows nothing of stores.

The past never changes, so a page is right for ever; the cache only bounds how many are kept.
"""

from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from math import inf

from stamina_video.ledger.rows import Point

PAGE_ROWS = 512  # of a page a writer fills


class Page:
    """The numbers of a track from its first time until `until`, which belongs to the next page."""

    __slots__ = ("gained", "times", "totals", "until")

    def __init__(self, points: Sequence[Point], until: float = inf) -> None:
        assert points, "a page starts with the numbers that hold at its start"
        self.times = array("d", [point.time for point in points])
        self.totals = array("q", [point.total for point in points])
        self.gained = array("q", [point.gained for point in points])
        self.until = until

    def __len__(self) -> int:
        return len(self.times)


class Series:
    """The known pages of one track. A series with an open last page is a writer's own."""

    __slots__ = ("misses", "pages", "starts")

    def __init__(self, *pages: Page) -> None:
        self.pages = list(pages)
        self.starts = [page.times[0] for page in pages]
        self.misses = 0

    def at(self, time: float) -> tuple[int, int] | None:
        """Total and gained as of `time`, None where no page covers it."""
        place = bisect_right(self.starts, time) - 1
        if place < 0:
            return None
        page = self.pages[place]
        if time >= page.until and page.until != inf:
            return None
        row = bisect_right(page.times, time) - 1
        return page.totals[row], page.gained[row]

    def hole(self, time: float) -> tuple[float, float]:
        """The stretch without pages around `time`: from, and up to but without."""
        place = bisect_right(self.starts, time)
        low = self.pages[place - 1].until if place else -inf
        high = self.starts[place] if place < len(self.starts) else inf
        return low, high

    def insert(self, page: Page) -> None:
        place = bisect_right(self.starts, page.times[0])
        self.starts.insert(place, page.times[0])
        self.pages.insert(place, page)

    def push(self, point: Point) -> Page | None:
        """Extend the open page; a full one is closed and returned, and a new one begun."""
        page = self.pages[-1]
        assert page.until == inf, "only the writer's series grows"
        if len(page) < PAGE_ROWS:
            page.totals.append(point.total)
            page.gained.append(point.gained)
            page.times.append(point.time)
            return None
        page.until = point.time
        self.insert(Page([point]))
        return page

    def drop(self, page: Page) -> None:
        place = self.pages.index(page)
        del self.pages[place], self.starts[place]


class PageCache:
    """Bounds the memory of closed pages: the page loaded first leaves first."""

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
