from bisect import bisect_right
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stamina_video.ledger import pages
from stamina_video.ledger.pages import Page, PageCache, Series
from stamina_video.ledger.rows import Point


def test_a_page_answers_within_its_stretch_only() -> None:
    series = Series()
    series.insert([Point(2.0, 1, 1), Point(4.0, 2, 2)], until=6.0)
    assert [series.at(time) for time in (1.9, 2.0, 3.9, 4.0, 5.9, 6.0, inf)] == [
        None,
        (1, 1),
        (1, 1),
        (2, 2),
        (2, 2),
        None,
        None,
    ]
    assert (series.hole(1.0), series.hole(7.0)) == ((-inf, 2.0), (6.0, inf))


def test_pages_keep_their_order() -> None:
    series = Series()
    for start in (4.0, 0.0, 2.0):
        series.insert([Point(start, int(start), 0)], until=start + 1)
    assert [series.at(time) for time in (0.5, 1.5, 2.5, 4.5)] == [(0, 0), None, (2, 0), (4, 0)]
    assert series.hole(3.5) == (3.0, 4.0)


@given(st.lists(st.integers(0, 20), max_size=60).map(sorted), st.integers(-1, 21))
def test_a_growing_series_answers_like_its_list(times: list[int], asked: int) -> None:
    series = Series()
    series.insert([Point(-inf, 0, 0)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "PAGE_ROWS", 3)
        for number, time in enumerate(times, 1):
            series.push(Point(float(time), number, number))
    place = bisect_right(times, asked)
    assert series.at(float(asked)) == (place, place)
    assert len(series.pages) == 1 + len(times) // 3


def test_the_cache_forgets_the_oldest_page_first() -> None:
    cache, series = PageCache(4), Series()
    for start in (0.0, 10.0, 20.0):
        assert cache.has_room(2) is (start < 20.0)
        cache.keep(series, series.insert([Point(start, 1, 1), Point(start + 1, 2, 2)], until=start + 2))
    assert [series.at(time) for time in (1.0, 11.0, 21.0)] == [None, (2, 2), (2, 2)]


@given(
    st.lists(st.integers(0, 3000), min_size=1, max_size=300, unique=True).map(sorted), st.integers(0, 3000)
)
def test_a_page_finds_its_rows_through_samples(times: list[int], asked: int) -> None:
    page = Page(
        [Point(-1.0, 0, 0), *(Point(float(time), number, -number) for number, time in enumerate(times, 1))]
    )
    place = bisect_right(times, asked)
    assert page.at(float(asked)) == (place, -place)


def test_a_growing_series_stays_within_the_bound() -> None:
    cache, series = PageCache(10), Series()
    series.insert([Point(-inf, 0, 0)])
    for number in range(1, 200):
        cache.grow(series, series.push(Point(float(number), number, number)))
        assert sum(map(len, series.pages)) <= 11
        assert series.at(float(number)) == (number, number)
    assert series.at(1.0) is None


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12).map(sorted), st.data())
def test_pages_of_one_moment_can_be_told_apart(times: list[int], data: st.DataObject) -> None:
    series, kept = Series(), []
    for number, time in enumerate(times):
        until = times[number + 1] if number + 1 < len(times) else 9.0
        kept.append(series.insert([Point(float(time), number, number)], float(until)))
    for page in data.draw(st.permutations(kept)):
        series.drop(page)
        assert page not in series.pages
    assert (len(series.pages), len(series.starts), len(series.untils)) == (0, 0, 0)
