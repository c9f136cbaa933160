from collections.abc import Mapping
from typing import Any

import pytest

from stamina_video.evaluation.pages.stories import stories
from stamina_video.evaluation.results import Result, Row
from stamina_video.semantics import InvalidInput

DETAIL = {"question": "How many?", "times": [4.0, 1.0], "truth": [3, 1], "answers": [[2.0, None]]}


def result(detail: Mapping[str, Any], name: str = "mine") -> Result:
    return Result("svcbench", name, (Row("q", "v.mp4", "E1-Action", {"gpa": (0.5, 1.0)}, detail),), ("gpa",))


def test_a_story_runs_forward() -> None:
    commits = [{"time": 2.0, "kind": "event", "delta": 1, "box": [0.1, 0.2, 0.3, 0.4]}]
    (story,) = stories([result(DETAIL | {"commits": commits, "window": 2.0})])
    assert story.times == (1.0, 4.0)
    assert story.truth == (1, 3)
    assert story.window == 2.0
    (telling,) = story.tellings
    assert telling.answers == ((None, 2.0),)
    assert telling.errors(story.truth) == [None, -1.0]
    assert telling.scores == {"gpa": 0.5}
    assert telling.commits[0].box == (0.1, 0.2, 0.3, 0.4)
    assert not story.is_right


def test_two_runs_tell_one_story() -> None:
    right = DETAIL | {"answers": [[3.0, 1.0]]}
    (story,) = stories([result(DETAIL), result(right, "theirs")])
    assert [telling.run for telling in story.tellings] == ["mine", "theirs"]
    assert stories([result(right)])[0].is_right


def test_single_decisions_have_no_story() -> None:
    assert stories([result({"time": 3.0, "truth": "A", "response": "B"})]) == []


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"times": [1.0]}, "row 'q': expected a true count per time, got 2 for 1"),
        ({"times": ["soon", 1.0]}, "row 'q': expected a list of numbers, got"),
        ({"answers": [[1.0]]}, "row 'q': expected lists of 2 answers, got"),
        ({"answers": 3}, "row 'q': expected lists of 2 answers, got 3"),
        ({"commits": [{"time": "now"}]}, "row 'q': expected commits with a time and a delta, got"),
    ],
)
def test_a_broken_row_is_named(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        stories([result(DETAIL | change)])
