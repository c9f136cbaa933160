import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from stamina_video.evaluation.choices import score_ovobench
from stamina_video.evaluation.ovobench import Reply, read_decisions
from stamina_video.evaluation.responses import Responses, read_responses
from stamina_video.semantics import InvalidInput
from tests.shared_data import SHARED, needs

RELEASED = SHARED / "ovobench" / "ovo_bench_new.json"
RESULTS = SHARED / "ovobench" / "results"

CHOICE = {
    "id": 5,
    "task": "EPM",
    "video": "Ego4D/a.mp4",
    "realtime": 12,
    "question": "What did I drop?",
    "options": ["a cup", "a spoon"],
    "gt": 1,
}
STEPS = {
    "id": 6,
    "task": "SSR",
    "video": "COIN/b.mp4",
    "test_info": [
        {"realtime": 3, "step": "cut", "type": 1},
        {"realtime": 3, "step": "fold", "type": 0},
    ],
}
REPEATS = {
    "id": 7,
    "task": "REC",
    "video": "c.mp4",
    "activity": "jumping",
    "test_info": [{"realtime": 4.5, "count": 2}],
}
CLUES = {
    "id": 8,
    "task": "CRR",
    "video": "d.mp4",
    "question": "Where did she go?",
    "test_info": [{"realtime": 9, "type": 0}],
}


def written(tmp_path: Path, *records: dict[str, Any]) -> Path:
    path = tmp_path / "ovo.json"
    path.write_text(json.dumps(records))
    return path


def test_every_trigger_is_a_decision(tmp_path: Path) -> None:
    decisions = read_decisions(written(tmp_path, CHOICE, STEPS, REPEATS, CLUES))
    assert [(one.id, one.time, one.reply, one.truth) for one in decisions] == [
        ("5/0", 12.0, Reply.CHOICE, "B"),
        ("6/0", 3.0, Reply.YES_NO, "Yes"),
        ("6/1", 3.0, Reply.YES_NO, "No"),
        ("7/0", 4.5, Reply.NUMBER, "2"),
        ("8/0", 9.0, Reply.YES_NO, "No"),
    ]
    assert decisions[0].words["options"] == "A. a cup\nB. a spoon"
    assert decisions[2].words == {"step": "fold"}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"task": "XYZ"}, "record 0: expected a task .* got 'XYZ'"),
        ({"gt": 2}, "record 0: expected gt as an option index below 2, got 2"),
        ({"realtime": -1}, "record 0: expected a query time in seconds, finite and not negative, got -1"),
        ({"id": "5"}, "record 0: expected a whole number as id, got '5'"),
        ({"options": "a, b"}, "record 0: expected a list in 'options', got 'a, b'"),
    ],
)
def test_a_record_that_does_not_fit_is_named(tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        read_decisions(written(tmp_path, CHOICE | change))


def test_a_repeated_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="record 1: expected each record once, got id 5 again"):
        read_decisions(written(tmp_path, CHOICE, CHOICE))


def test_tasks_weigh_alike_within_a_track(tmp_path: Path) -> None:
    decisions = read_decisions(written(tmp_path, STEPS, REPEATS, CLUES))
    result = score_ovobench(decisions, Responses((), ("Yes", "Yes", "2", None)))
    figures = result.figures()
    assert figures["SSR"]["official"] == 0.5
    assert figures["CRR"]["official"] == 0.0  # no response is a wrong one
    assert figures["forward"]["official"] == pytest.approx(0.5)
    assert figures["overall"]["official"] == 0.5
    assert "total" not in figures  # other tracks are not in this file


@needs(RELEASED)
def test_the_released_file_holds_what_the_paper_says() -> None:
    decisions = read_decisions(RELEASED)
    assert len(decisions) == 3035
    assert len({one.record for one in decisions}) == 1640
    assert len({one.video for one in decisions}) == 644
    assert Counter(one.task for one in decisions if one.index == 0)["EPM"] == 297


@needs(RESULTS)
@pytest.mark.parametrize(
    ("model", "released", "parsed"),
    [
        ("Gemini", (62.54, 69.32, 57.15, 63.00), (62.21, 68.25, 57.15, 62.53)),
        ("FlashVStream", (27.38, 28.37, 45.09, 33.61), (27.38, 28.37, 45.09, 33.61)),
        ("InternVL2", (43.44, 60.39, 46.60, 50.15), (43.44, 60.39, 46.60, 50.15)),
        ("LongVU", (35.01, 57.61, 47.50, 46.71), (34.83, 56.27, 47.50, 46.20)),
    ],
)
def test_published_responses_score_as_released(
    model: str, released: tuple[float, ...], parsed: tuple[float, ...]
) -> None:
    decisions = read_decisions(RELEASED)
    figures = score_ovobench(decisions, read_responses([RESULTS / model], decisions)).figures()
    names = ("backward", "realtime", "forward", "total")
    assert tuple(round(100 * (figures[name]["official"] or 0), 2) for name in names) == released
    assert tuple(round(100 * (figures[name]["strict"] or 0), 2) for name in names) == parsed
