import json
from pathlib import Path

import pytest

from stamina_video.data.world.annotations import questions
from stamina_video.semantics import Operator, Target, read_questions
from tests.data.world.scenes import ALL, SECONDS, scene


@pytest.mark.parametrize("family", ALL)
def test_the_rows_read_back_and_every_answer_follows(family: str, tmp_path: Path) -> None:
    made = scene(family)
    rows = questions(made, "clip.mp4")
    path = tmp_path / "annotations.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for question, row in zip(read_questions(path), rows, strict=True):
        reading = question.read()
        assert question.target is not None
        target = Target(question.target, question.operator)
        assert list(question.counts) == made.truth.counts(target, question.times, reading.window)
        assert row["occurrence_times"] == list(made.truth.occurrences(target))
        assert row["counting_type"] == row["counting_subtype"][:2]
        assert list(question.times) == sorted(set(question.times))
        assert all(0 < at <= SECONDS for at in question.times)
        # What the question says names the target, in one of its wordings.
        counted = made.truth.resolve(target)
        if not counted.event:
            assert reading.target in (counted.target.description, *counted.aliases)


def test_cumulative_answers_are_the_occurrences_until_then() -> None:
    for row in questions(scene("doorway"), "clip.mp4"):
        if Operator.parse(row["counting_subtype"]).cumulative:
            points = row["query_points"]
            until = [sum(time <= at for time in row["occurrence_times"]) for at in points["time"]]
            assert points["count"] == until


def test_windowed_answers_follow_from_the_occurrences_in_the_window() -> None:
    seen = set()
    for family in ALL:
        for row in questions(scene(family), "clip.mp4"):
            operator = Operator.parse(row["counting_subtype"])
            if not operator.windowed:
                continue
            seen.add(operator)
            window = float(row["question"].split(" past ")[1].split()[0])
            points = row["query_points"]
            within = [
                sum(at - window < time <= at for time in row["occurrence_times"]) for at in points["time"]
            ]
            assert points["count"] == within
    assert seen == {Operator.O1_DELTA, Operator.O2_GAIN}


def test_names_are_distinct() -> None:
    rows = questions(scene("packing"), "clip.mp4")
    assert len({row["id"] for row in rows}) == len(rows) > 5
