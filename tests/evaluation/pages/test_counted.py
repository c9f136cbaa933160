from stamina_video.evaluation.pages import CountedVideo, Evidence, Track, counted_page
from stamina_video.evaluation.pages.stories import Mark
from tests.evaluation.pages.reading import Page

BOX = (0.1, 0.2, 0.5, 0.6)
TRACK = Track(
    "red <b>mugs</b>", "O1-Snap", [(0.0, 0), (1.0, 2)], [Mark(1.5, 1, BOX), Mark(3.0, -1)], ["a & b"]
)


def video(evidence: list[Evidence]) -> CountedVideo:
    return CountedVideo("A <script>table", 4.0, [TRACK], evidence, {"model": "<i>"}, [(2.0, 2.5)], "note")


def test_counts_stand_beside_the_truth_and_are_drawn() -> None:
    text = counted_page(video([]))
    page = Page(text)
    assert "red <b>mugs</b> O1-Snap 0 2" in page.words
    assert page.count("svg", **{"class": "plot"}) == 1
    assert page.count("rect", **{"class": "unseen"}) == 1
    assert "No count changed." in page.words
    assert "a & b" in page.words
    assert page.count("script") == 1
    assert "<b>mugs" not in text


def test_evidence_shows_the_frame_and_where() -> None:
    shown = Evidence(
        1.5, "data:image/jpeg;base64,AAAA", [("mugs", Mark(1.5, 1, BOX)), ("packed", Mark(1.5, 1, BOX))]
    )
    page = Page(counted_page(video([shown, Evidence(3.0, None, [("mugs", Mark(3.0, -1))])])))
    assert page.count("img") == 1
    assert page.count("i", style="left:10.0%;top:20.0%;width:40.0%;height:40.0%") == 1
    assert "1.50 s mugs +1 packed +1" in page.words
    assert "3.00 s mugs -1" in page.words
    assert page.requests() == []
