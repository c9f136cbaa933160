from pathlib import Path

from stamina_video.evaluation import compare_results
from stamina_video.evaluation.pages import comparison_page
from tests.evaluation.pages.made_up import questions, run
from tests.evaluation.pages.reading import Page


def test_both_runs_are_drawn_where_they_differ(tmp_path: Path) -> None:
    asked = questions(12, videos=3)
    first, second = run(asked, "first", 0.15), run(asked, "second", 0.0)
    page = Page(comparison_page(first, second, compare_results(first, second, 200), tmp_path))
    differing = sum(
        row.detail["answers"] != other.detail["answers"]
        for row, other in zip(first.rows, second.rows, strict=True)
    )
    assert 0 < differing < 12
    assert page.count("article") == page.count("svg", **{"class": "plot"}) == differing
    assert f"{differing} of 12 questions: B does better on {differing}, worse on 0." in page.words
    assert page.count("g", **{"class": "a"}) == page.count("g", **{"class": "b"}) == differing
    assert page.requests() == []


def test_equal_runs_have_no_differing_question() -> None:
    same = run(questions(6), "same", 0.5)
    page = Page(comparison_page(same, same, compare_results(same, same, 50)))
    assert "0 of 6 questions" in page.words
    assert page.count("article") == 0
    assert page.count("td", **{"class": "above"}) == page.count("td", **{"class": "below"}) == 0
