import json
from pathlib import Path
from typing import Any

import pytest

from stamina_video.data.frame_map import Span
from stamina_video.data.hashing import sha256_of
from stamina_video.data.questions import load_questions, parent_of
from stamina_video.data.trajectory import Mask
from stamina_video.semantics import UnreadableFile
from tests.shared_data import CLIPS, SVCBENCH_QUERIES, SVCBENCH_QUESTIONS, needs

KICKS = {
    "id": "7",
    "source_dataset": "clips",
    "video_path": "yard/boy.mp4",
    "question": "How many times has the boy kicked the ball so far?",
    "target": "ball kick",
    "counting_subtype": "E2-Periodic",
    "occurrence_times": [1.0, 2.0],
    "time_tolerance": 0.1,
    "confidence": "high",
    "query_points": {"time": [0.5, 3.0], "count": [0, 2]},
}


def load(folder: Path, *rows: Any) -> Any:
    path = folder / "q.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return load_questions(path, folder)


def test_a_verified_row_brings_its_boundaries(tmp_path: Path) -> None:
    (tmp_path / "yard").mkdir()
    (tmp_path / "yard" / "boy.mp4").write_bytes(b"film")
    (kicks,) = load(tmp_path, KICKS).trajectories
    assert (kicks.id, kicks.parent, kicks.provenance.group) == ("clips:7", "boy", "periodic")
    assert kicks.media.sha256 == sha256_of(tmp_path / "yard" / "boy.mp4")
    assert kicks.completions == (1.0, 2.0)
    assert kicks.stable == (Span(0.0, 0.9), Span(1.1, 1.9), Span(2.1, 3.0))
    assert kicks.masks == {Mask.COUNT, Mask.BOUNDARY, Mask.STABLE}
    assert kicks.aliases == ("the boy kicked the ball",)


def test_an_unsure_row_supports_its_query_points_alone(tmp_path: Path) -> None:
    (kicks,) = load(tmp_path, KICKS | {"confidence": "medium"}).trajectories
    assert kicks.masks == {Mask.COUNT}
    assert kicks.completions == kicks.stable == ()


def test_evidence_that_contradicts_the_counts_is_not_used(tmp_path: Path) -> None:
    (kicks,) = load(tmp_path, KICKS | {"occurrence_times": [1.0, 2.0, 2.5]}).trajectories
    assert kicks.masks == {Mask.COUNT}
    assert kicks.completions == kicks.stable == ()


@pytest.mark.parametrize("missing", ["occurrence_times", "time_tolerance", "confidence"])
def test_without_all_of_it_nothing_is_verified(missing: str, tmp_path: Path) -> None:
    row = {name: value for name, value in KICKS.items() if name != missing}
    (kicks,) = load(tmp_path, row).trajectories
    assert kicks.stable == kicks.marks == ()


def test_equal_visible_counts_establish_no_stable_interval(tmp_path: Path) -> None:
    row = KICKS | {"counting_subtype": "O1-Snap", "question": "How many balls are visible right now?"}
    (balls,) = load(tmp_path, row).trajectories
    assert balls.stable == ()
    assert Mask.STABLE not in balls.masks


def test_a_window_makes_interval_labels(tmp_path: Path) -> None:
    row = KICKS | {
        "counting_subtype": "O2-Gain",
        "question": "How many new balls have appeared in the past 4 seconds?",
    }
    (gain,) = load(tmp_path, row).trajectories
    assert [(end.time, end.since) for end in gain.endpoints] == [(0.5, -3.5), (3.0, -1.0)]


def test_rows_of_one_id_are_the_points_of_one_question(tmp_path: Path) -> None:
    common = {name: KICKS[name] for name in ("id", "video_path", "question", "counting_subtype")}
    rows = [common | {"query_time": time, "count": count} for time, count in ((5.0, 4), (2.0, 1))]
    (kicks,) = load(tmp_path, *rows).trajectories
    assert [(end.time, end.count) for end in kicks.endpoints] == [(2.0, 1), (5.0, 4)]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"query_points": {"time": [1.0, 2.0], "count": [3, 1]}}, "never to fall"),
        ({"query_points": {"time": [1.0], "count": [1, 2]}}, "query points with as many times as counts"),
        ({"query_points": 7}, "query points with as many times as counts"),
        ({"query_points": {"time": [], "count": []}}, "at least one"),
        ({"query_points": {"time": [1.0], "count": ["two"]}}, "expected a whole count at 1.0, got 'two'"),
        ({"occurrence_times": ["soon"]}, "expected an occurrence time in seconds, got 'soon'"),
        ({"target": 3}, "expected words in 'target', got 3"),
        ({"query_points": {"time": [float("nan")], "count": [1]}}, "finite"),
        ({"video_path": ""}, "expected words in 'video_path'"),
        ({"counting_subtype": "E9"}, "expected an operator"),
    ],
)
def test_bad_rows_are_refused_and_the_rest_loaded(changed: Any, said: str, tmp_path: Path) -> None:
    loaded = load(tmp_path, KICKS | {"id": "ok"}, KICKS | changed)
    assert [trajectory.id for trajectory in loaded.trajectories] == ["clips:ok"]
    ((refusal),) = loaded.refused
    assert refusal.id == "7"
    assert said in refusal.reason


def test_rows_without_an_id_or_repeated_are_refused(tmp_path: Path) -> None:
    loaded = load(tmp_path, KICKS, KICKS, {"video_path": "v.mp4"})
    assert [refusal.id for refusal in loaded.refused] == ["7", "without an id in line 3"]
    assert "expected each question once" in loaded.refused[0].reason


def test_files_of_another_kind_are_refused(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text("[]")
    with pytest.raises(UnreadableFile, match="a JSON object in every line"):
        load_questions(tmp_path / "q.jsonl")
    with pytest.raises(UnreadableFile, match="expected JSON Lines"):
        load_questions(tmp_path / "none.jsonl")


def test_a_video_is_known_by_its_stem() -> None:
    assert parent_of("a/b/room.tour.mp4") == "room.tour"


@needs(CLIPS)
def test_the_real_clips_load() -> None:
    loaded = load_questions(CLIPS / "clips.jsonl", CLIPS / "videos")
    assert len(loaded.trajectories) == 28
    assert not loaded.refused
    assert all(trajectory.media.sha256 for trajectory in loaded.trajectories)
    assert sum(Mask.BOUNDARY in trajectory.masks for trajectory in loaded.trajectories) >= 10


@needs(SVCBENCH_QUESTIONS)
@pytest.mark.parametrize(("path", "points"), [(SVCBENCH_QUESTIONS, 4576), (SVCBENCH_QUERIES, 4576)])
def test_the_benchmark_loads(path: Path, points: int) -> None:
    loaded = load_questions(path)
    assert len(loaded.trajectories) == 1000
    assert not loaded.refused
    assert sum(len(trajectory.endpoints) for trajectory in loaded.trajectories) == points
