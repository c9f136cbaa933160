"""Reads a track's numbers as of any time: from memory where they cannot change any more, else the store."""

from bisect import bisect_right
from dataclasses import dataclass, field
from math import inf, nextafter

from stamina_video.ledger.names import stream_name
from stamina_video.ledger.pages import Page, PageCache, Series
from stamina_video.ledger.rows import FACTS, Point, Row, Track
from stamina_video.ledger.store import Store
from stamina_video.ledger.tail import Tail
from stamina_video.semantics import (
    InvalidInput,
    Kind,
    Measure,
    Operator,
    seconds,
    target_name,
)
from stamina_video.semantics.flow import shortened

CACHED_ROWS = 2_000_000  # 24 bytes each
VIEWS = 10_000
LOADED_ROWS = 4_096  # at a time; takes as long as some 200 look-ups
# One read costs one look-up, a second brings what lies around it. What would drive out other pages has
# to be missed often enough to be worth it: scattered reads of a huge ledger then cost two look-ups at most.
MISSES_PER_LOAD = 2
MISSES_PER_EVICTION = 256
_MEASURES = frozenset(Measure)


@dataclass(slots=True)
class Landmarks:
    """Where a stream's segments begin and which operators its targets were registered with."""

    origins: list[float] = field(default_factory=list)
    operators: dict[str, set[Operator]] = field(default_factory=dict)
    seen: int = 0

    def add(self, row: Row) -> None:
        self.seen = row.id
        if row.commit.kind is Kind.SEGMENT:
            self.origins.append(row.commit.time)
        elif row.commit.kind is Kind.TARGET and "operator" in row.commit.evidence:
            operator = Operator.parse(row.commit.evidence["operator"])
            self.operators.setdefault(row.commit.target, set()).add(operator)


@dataclass(slots=True)
class View:
    """What is known of one target of a stream. Nothing at or before `closed` can change any more."""

    origins: list[float]
    closed: float
    measures: frozenset[str]  # the measures that exist
    choices: frozenset[str]  # those a read without a measure could mean
    series: dict[tuple[str | None, int], Series] = field(default_factory=dict)


class Reader:
    """Serves as-of reads. `tails` are the streams this process writes: their ends are known."""

    def __init__(self, store: Store, tails: dict[str, Tail]) -> None:
        self._store = store
        self._tails = tails
        self._cache = PageCache(CACHED_ROWS)
        self._views: dict[tuple[str, str], View] = {}
        self._landmarks: dict[str, Landmarks] = {}

    def at(self, stream: str, target: str, time: float | None, measure: str | None) -> tuple[int, int, int]:
        """Segment, total and gained as of a time (the latest if None)."""
        moment = inf if time is None else seconds(time)
        try:
            view = self._views.get((stream, target))
            hash(measure)
        except TypeError:
            asked = shortened((stream, target, measure))
            raise InvalidInput(f"expected a stream, a target and a measure in words, got {asked}") from None
        if view is None or moment > view.closed:
            stream, target = stream_name(stream), target_name(target)
            view = self._view(stream, target)
        segment = bisect_right(view.origins, moment)
        series = view.series.get((measure, segment))
        if series is None:
            series = self._series(view, stream, target, measure, segment)
        numbers = series.at(moment)
        if numbers is None:
            track = Track(stream, target, self._measure(view, target, measure), segment)
            numbers = self._fetch(series, track, moment, view.closed)
        return segment, *numbers

    def interval(
        self, stream: str, target: str, since: float | None, at: float | None, measure: str | None
    ) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """Both ends of an interval, which must lie within one segment; None: it begins empty, before that."""
        if since is None:
            later = self.at(stream, target, at, measure)
            return (later[0], 0, 0), later
        start = seconds(since, "since")
        if at is not None and seconds(at) < start:
            raise InvalidInput(f"expected since no later than at, got since {since} and at {at}")
        earlier = self.at(stream, target, start, measure)
        later = self.at(stream, target, at, measure)
        if earlier[0] < later[0]:
            origin = self.landmarks(stream).origins[earlier[0]]
            raise InvalidInput(
                f"expected an interval within one segment of {stream!r}, got one from {since} "
                f"to {'the latest' if at is None else at} that spans the segment origin at {origin} s"
            )
        return earlier, later

    def measure(self, stream: str, target: str, measure: str | None) -> str | None:
        """The measure a read of this target means; None where nothing was ever counted."""
        return self._measure(self._view(stream, target), target, measure) or None

    def landmarks(self, stream: str) -> Landmarks:
        known = self._landmarks.setdefault(stream, Landmarks())
        if stream not in self._tails:
            for row in self._store.landmarks(stream, known.seen):
                known.add(row)
        return known

    def expect(self, rows: list[Row]) -> None:
        """Get ready for rows about to be written, so that they need not be read back."""
        for row in rows:
            stream, target, measure = row.commit.stream, row.commit.target, row.measure
            if measure != FACTS and row.segment == self._tails[stream].segment:
                self._series(self._view(stream, target), stream, target, measure, row.segment)

    def note(self, rows: list[Row]) -> None:
        """Take in the rows once they are written."""
        for row in rows:
            stream, target = row.commit.stream, row.commit.target
            if row.commit.kind in (Kind.SEGMENT, Kind.TARGET):
                self._landmarks[stream].add(row)
                self._forget_views(stream)
            elif row.measure != FACTS:
                self._extend(stream, target, row)

    def forget(self, stream: str) -> None:
        """Drop all that is known of a stream; the store will be asked again."""
        self._landmarks.pop(stream, None)
        self._forget_views(stream)

    def _forget_views(self, stream: str) -> None:
        for key in [key for key in self._views if key[0] == stream]:
            del self._views[key]

    def _extend(self, stream: str, target: str, row: Row) -> None:
        view = self._views.get((stream, target))
        if view is None:
            return
        measure = row.measure
        if measure not in view.measures:
            del self._views[stream, target]  # what a read without a measure means may have changed
            return
        series = view.series.get((measure, row.segment))
        if series is not None:
            self._cache.grow(series, series.push(row.point))

    def _view(self, stream: str, target: str) -> View:
        known = self._views.get((stream, target))
        if known is not None and known.closed == inf:
            return known
        # Heads first: a segment begun in between is then no older than what counts as closed.
        heads = self._store.heads(stream, target)
        landmarks = self.landmarks(stream)
        if stream in self._tails:
            closed = inf
        else:
            last = max((row.commit.time for row in heads), default=-inf)
            closed = nextafter(last, -inf)  # more may still arrive at the last time itself
        counted = frozenset(row.measure for row in heads) - {FACTS}
        operators = landmarks.operators.get(target, set())
        registered = frozenset(operator.measure.value for operator in operators)
        view = View(landmarks.origins, closed, counted | registered, registered or counted)
        if known is not None and known.choices == view.choices:
            view.series = known.series
        if len(self._views) >= VIEWS:
            self._views.clear()
        self._views[stream, target] = view
        return view

    def _measure(self, view: View, target: str, measure: str | None) -> str:
        """The measure that is meant, FACTS where nothing was counted yet."""
        if measure is not None:
            if not isinstance(measure, str) or measure not in _MEASURES:
                raise InvalidInput(f"expected a measure ({', '.join(Measure)}), got {shortened(measure)}")
            return Measure(measure).value
        if len(view.choices) > 1:
            choices = ", ".join(sorted(view.choices))
            raise InvalidInput(f"expected a measure of {target!r} ({choices}), got none")
        return next(iter(view.choices), FACTS)

    def _series(self, view: View, stream: str, target: str, measure: str | None, segment: int) -> Series:
        meant = self._measure(view, target, measure)
        series = view.series.get((meant, segment))
        if series is None:
            series, tail = Series(), self._tails.get(stream)
            if tail is not None and tail.segment == segment:
                series.insert([tail.number(target, meant) or Point(-inf, 0, 0)])
            view.series[meant, segment] = series
        view.series[measure, segment] = series
        return series

    def _fetch(self, series: Series, track: Track, moment: float, closed: float) -> tuple[int, int]:
        series.misses += 1
        patience = MISSES_PER_LOAD if self._cache.has_room(LOADED_ROWS) else MISSES_PER_EVICTION
        if moment > closed or series.misses % patience:
            points = self._store.points(track, -inf, moment, 1, latest=True)
            return (points[-1].total, points[-1].gained) if points else (0, 0)
        page = self._load(series, track, moment, closed)
        numbers = page.at(moment)
        self._cache.keep(series, page)
        return numbers

    def _load(self, series: Series, track: Track, moment: float, closed: float) -> Page:
        """Fill the hole around `moment`, as far as one load goes."""
        low, high = series.hole(moment)
        half = LOADED_ROWS // 2
        before = self._store.points(track, -inf, moment, half, latest=True)
        last = min(nextafter(high, -inf), closed) if high != inf else closed
        after = self._store.points(track, nextafter(moment, inf), last, half, latest=False)
        if len(before) < half:
            before.insert(0, Point(-inf, 0, 0))
        if older := [point for point in before if point.time < low]:
            before[: len(older)] = [older[-1]._replace(time=low)]
        if len(after) == half:
            # More rows may share the last one's time: it begins what is loaded next.
            until = after[-1].time
            return series.insert(before + [point for point in after if point.time < until], until)
        return series.insert(before + after, nextafter(last, inf) if last != inf else inf)
