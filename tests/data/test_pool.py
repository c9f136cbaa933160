from pathlib import Path

import pytest

from stamina_video.data.cycles import sped
from stamina_video.data.pool import read_pool, write_pool
from stamina_video.data.questions import load_questions
from stamina_video.semantics import InvalidInput, UnreadableFile, read_questions
from tests.data.making import cycling, make, tracked
from tests.shared_data import CLIPS, needs


def test_the_questions_can_be_read_by_every_counter(tmp_path: Path) -> None:
    squats = cycling([(1.0, 2.0)], 4.0)
    exported = write_pool([make(), tracked(), squats, sped(squats, 2.0)], tmp_path)
    questions = {question.id: question for question in read_questions(tmp_path / "annotations.jsonl")}
    assert questions["t"].counts == (1, 3, 3)
    assert questions["t"].target == "red mugs"
    assert questions["t#O2-Gain-4.000000"].read().window == 4.0
    # One group a window; what left cannot be written as a count.
    assert "tracked#O1-Delta-2.000000" in questions
    assert questions["tracked#O1-Delta-2.000000"].counts == (1,)
    assert exported.left_out == {"segments that exist only as a frame map": 4, "changes below zero": 1}
    assert exported.points == sum(len(question.times) for question in questions.values())


def test_both_tables_come_back(tmp_path: Path) -> None:
    write_pool([make(), tracked()], tmp_path)
    pool = read_pool(tmp_path)
    assert pool.trajectories["id"].to_list() == ["t", "tracked"]
    assert pool.queries.filter(trajectory="t").height == 5


def test_nothing_to_compile_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="at least one trajectory"):
        write_pool([], tmp_path)
    with pytest.raises(UnreadableFile, match="expected a Parquet table"):
        read_pool(tmp_path)


@needs(CLIPS)
def test_the_real_clips_keep_their_points(tmp_path: Path) -> None:
    loaded = load_questions(CLIPS / "clips.jsonl")
    write_pool(loaded.trajectories, tmp_path)
    written = {question.id: question for question in read_questions(tmp_path / "annotations.jsonl")}
    for question in read_questions(CLIPS / "clips.jsonl"):
        again = written[f"clips:{question.id}"]
        assert (again.times, again.counts, again.text) == (question.times, question.counts, question.text)
