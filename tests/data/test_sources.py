import json
from pathlib import Path

import pytest

from stamina_video.data.sources import load_source
from stamina_video.data.storage import write_trajectories
from stamina_video.data.trajectory import Media
from stamina_video.data.world.maker import Recipe, make_world
from stamina_video.semantics import UnreadableFile, read_questions
from tests.data.making import make


def test_parquet_and_questions_are_told_apart(tmp_path: Path) -> None:
    write_trajectories([make()], tmp_path / "t.parquet")
    assert load_source(tmp_path / "t.parquet").trajectories == (make(),)
    row = {
        "id": "1",
        "video_path": "v.mp4",
        "question": "How many cuts have occurred so far?",
        "counting_subtype": "E1-Transit",
        "query_points": {"time": [2.0], "count": [1]},
    }
    (tmp_path / "q.jsonl").write_text(json.dumps(row))
    assert load_source(tmp_path / "q.jsonl").trajectories[0].target.description == "cuts"


def test_a_file_of_other_content_is_refused(tmp_path: Path) -> None:
    (tmp_path / "kitchen.mp4").write_bytes(b"another film")
    claimed = make("claimed", media=Media("kitchen.mp4", "ab" * 32))
    write_trajectories([make(), claimed], tmp_path / "t.parquet")
    loaded = load_source(tmp_path / "t.parquet", tmp_path)
    assert loaded.trajectories == (make(),)
    ((refusal),) = loaded.refused
    assert refusal.reason.startswith(
        "trajectory claimed: expected kitchen.mp4 with sha256 abababababab…, got "
    )


def test_a_world_folder_brings_the_truth_of_its_scenes(tmp_path: Path) -> None:
    list(make_world(Recipe(5, seconds=4.0), 1, tmp_path))
    loaded = load_source(tmp_path)
    assert {trajectory.parent for trajectory in loaded.trajectories} == {"packing-train-5-0000"}
    assert all(trajectory.media.sha256 for trajectory in loaded.trajectories)
    truth = {(made.target.description, made.operator): made for made in loaded.trajectories}
    for question in read_questions(tmp_path / "annotations.jsonl"):
        assert question.target
        if not question.operator.windowed:
            made = truth[question.target, question.operator]
            if made.completions:
                counts = tuple(sum(end <= at for end in made.completions) for at in question.times)
                assert counts == question.counts


def test_another_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="expected a folder made by `stamina world make`"):
        load_source(tmp_path)
