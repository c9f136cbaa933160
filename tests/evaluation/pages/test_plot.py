from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from stamina_video.evaluation.pages.plot import HEIGHT, WIDTH, Curve, Miss, Plot, ticks

COUNTS = st.lists(st.tuples(st.floats(0, 1e4), st.integers(-9, 10**6)), min_size=1, max_size=6)


def elements(plot: Plot, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(plot.svg()).iter(name))


@given(COUNTS, st.floats(0, 1e4))
def test_every_drawing_is_well_formed_and_stays_inside(points: list[tuple[float, int]], end: float) -> None:
    drawn = Plot([Curve("truth", points)], end)
    for circle in elements(drawn, "circle"):
        assert 0 <= float(circle.attrib["cx"]) <= WIDTH
        assert 0 <= float(circle.attrib["cy"]) <= HEIGHT


def test_errors_and_commits_are_marked_and_say_what_they_are() -> None:
    misses = [Miss(1.0, 2, 3.0), Miss(2.0, 2, None)]
    plot = Plot(
        [Curve("truth", [(1.0, 2), (2.0, 2)]), Curve("a", [(1.0, 3.0)])],
        4.0,
        misses,
        [("a", 0.5, 1), ("a", 1.5, -1)],
        unseen=[(2.0, 3.0)],
    )
    said = [title.text for title in elements(plot, "title")]
    assert "answered 3 at 1 s, truth 2" in said
    assert "no valid answer at 2 s, truth 2" in said
    assert "committed +1 at 0.5 s" in said
    assert "committed -1 at 1.5 s" in said
    assert "not observed from 2 to 3 s" in said


def test_a_step_holds_its_count_until_the_next() -> None:
    stepped, straight = (
        elements(Plot([Curve("a", [(0.0, 0), (2.0, 1)], stepped=is_stepped)], 4.0), "g")[0][0].attrib["d"]
        for is_stepped in (True, False)
    )
    assert "H" in stepped
    assert "V" in stepped
    assert "L" in straight


def test_a_label_is_escaped() -> None:
    assert '"><script>' not in Plot([Curve("a", [(0.0, 0)])], 1.0, label='"><script>').svg()


def test_ticks_are_round_and_few() -> None:
    assert ticks(0, 3, 5, whole=True) == [0, 1, 2, 3]
    assert ticks(0, 97, 5, whole=True) == [0, 20, 40, 60, 80]
    assert ticks(-2, 1, 5, whole=True) == [-2, -1, 0, 1]
    assert ticks(0, 30.0, 8) == [0, 5, 10, 15, 20, 25, 30]
