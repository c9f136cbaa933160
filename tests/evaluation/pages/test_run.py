from dataclasses import replace
from pathlib import Path

import pytest

from stamina_video.evaluation.pages import run_page, write_run
from stamina_video.evaluation.published import SVCBENCH
from stamina_video.evaluation.results import Result, Row
from tests.cli.scenes import blob_video
from tests.evaluation.pages.made_up import questions, run
from tests.evaluation.pages.reading import Page

EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)>'


@pytest.fixture(scope="module")
def videos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("videos")
    blob_video(folder / "clip-0.mp4")
    return folder


@pytest.fixture(scope="module")
def page(videos: Path) -> Page:
    return Page(run_page(run(questions(16, videos=2), "mine", 0.5), videos))


def test_every_row_of_the_papers_table_is_marked(page: Page) -> None:
    # One badge of each kind stands in the explanation above the tables.
    assert page.count("span", **{"class": "badge published"}) == len(SVCBENCH) + 1
    assert page.count("span", **{"class": "badge measured"}) == 1 + 1


def test_every_figure_has_its_interval(page: Page) -> None:
    assert "10,000 times" in page.words
    # GPA of eight operators and overall; MoC of the cumulative ones; UDA, and UDA of changes, of O1-Snap too.
    assert page.count("svg", **{"class": "interval"}) == 9 + 6 + 7 + 7


def test_every_question_is_drawn_and_can_be_found(page: Page) -> None:
    assert page.count("svg", **{"class": "plot"}) == page.count("article") == 16
    assert page.count("details") == 2
    assert page.count("input", id="find") == 1
    assert page.count("article", **{"data-right": "no"}) > 0


def test_frames_show_where_they_part(page: Page) -> None:
    assert "parts from the truth between" in page.words
    assert page.count("img") > 5
    assert page.count("i", style="left:10.0%;top:20.0%;width:40.0%;height:40.0%") > 0, "a commit's box"
    assert "No pictures: expected clip-1.mp4" in page.words


def test_settings_are_listed(page: Page) -> None:
    assert "model nano-1a2b3c" in page.words


def test_the_page_asks_nobody_for_anything(page: Page) -> None:
    assert page.requests() == []
    (policy,) = [
        found["content"] or ""
        for tag, found in page.tags
        if tag == "meta" and found.get("http-equiv") == "Content-Security-Policy"
    ]
    assert "default-src 'none'" in policy
    assert "script-src 'sha256-" in policy


def test_nothing_in_a_result_becomes_markup() -> None:
    asked = [
        replace(question, id=f"{EVIL}{index}", video=f"{EVIL}.mp4", text=EVIL)
        for index, question in enumerate(questions(4))
    ]
    made = run(asked, EVIL, 0.5)
    made = replace(
        made, rows=tuple(replace(row, group=EVIL) for row in made.rows), settings={EVIL: [EVIL, {EVIL: EVIL}]}
    )
    text = run_page(made)
    page = Page(text)
    assert page.count("script") == 1
    assert page.count("img") == 0
    assert EVIL not in text
    assert not [name for _, found in page.tags for name in found if name.startswith("on")]
    assert EVIL in page.words, "it is shown as it was written"


def test_a_run_of_single_decisions_has_tables_alone() -> None:
    rows = (Row("a", "v", "REC", {"official": (1.0, 1.0), "strict": (0.0, 1.0)}, {"response": "1"}),)
    page = Page(run_page(Result("ovobench", "mine", rows, ("official", "strict"))))
    assert page.count("article") == 0
    assert page.count("table") == 3


def test_tables_stand_beside_the_page(tmp_path: Path) -> None:
    tables = write_run(run(questions(3), "mine", 0.5), tmp_path / "page.html")
    assert tables == tmp_path / "page.md"
    assert "| mine | Stream | measured |" in tables.read_text()
    assert "<!doctype html>" in (tmp_path / "page.html").read_text()
