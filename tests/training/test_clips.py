import json
from dataclasses import replace
from pathlib import Path

import pytest

from stamina_video.backbone.perception import Eyes, Percept
from stamina_video.data.pool import write_pool
from stamina_video.data.trajectory import Mask, Media
from stamina_video.semantics import InvalidInput
from stamina_video.training.clips import LONGEST, clip_samples, clips, watched
from stamina_video.training.recipes import nano
from tests.backbone.fakes import toy_perception
from tests.video.clips import make_clip

ROW = {
    "id": "c-0",
    "source_dataset": "clips",
    "video_path": "swing.mp4",
    "question": "How many swings have been completed so far?",
    "target": "swing",
    "counting_subtype": "E2-Periodic",
    "occurrence_times": [1.5, 3.4],
    "time_tolerance": 0.15,
    "confidence": "high",
    "query_points": {"time": [2.5, 4.6], "count": [1, 2]},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "videos").mkdir()
    make_clip(tmp_path / "videos" / "swing.mp4", frames=50, rate=10)
    (tmp_path / "clips.jsonl").write_text(json.dumps(ROW) + "\n")
    return tmp_path


def closed() -> Eyes:
    raise AssertionError("nothing is missing")


def test_a_clip_is_looked_at_as_often_as_its_targets_need_and_once(folder: Path) -> None:
    found, left_out = clips([folder])
    assert (len(found), left_out) == (1, 0)
    assert found[0].fps > 1
    assert len(found[0].times) <= LONGEST
    said: list[tuple[int, int]] = []
    cache = folder / "cache"
    watched(found, toy_perception, cache, lambda done, of: said.append((done, of)))
    watched(found, closed, cache, lambda done, of: said.append((done, of)))
    assert said == [(0, 1)]


def test_annotated_completions_support_a_count_wherever_they_are_sure(folder: Path) -> None:
    clip = clips([folder])[0][0]
    watched([clip], toy_perception, folder / "cache", lambda done, of: None)
    (sample,) = clip_samples(clip, folder / "cache", nano(), seed=0)
    (lesson,) = sample.lessons
    assert lesson.completed is not None
    told = {
        round(clip.times[end - 1], 1): count
        for end, count in zip(
            lesson.completed.ends_J.tolist(), lesson.completed.counts_J.tolist(), strict=True
        )
    }
    assert list(told.values()) == [0, 1, 1, 1, 2, 2]  # at 1, 2, 2.5, 3, 4 and 4.6 s
    assert lesson.crossings is None
    observations = sample.read()
    assert [one.time for one in observations] == list(clip.times)
    assert all(isinstance(one.image, Percept) for one in observations)


def test_annotated_completions_are_no_boundaries(folder: Path) -> None:
    assert all(Mask.BOUNDARY not in one.masks for one in clips([folder])[0][0].trajectories)


def test_a_folder_without_endpoints_is_refused(folder: Path) -> None:
    (folder / "clips.jsonl").write_text("")
    with pytest.raises(InvalidInput, match="expected supported count endpoints"):
        clips([folder])


def test_a_video_is_left_out_with_all_that_was_made_from_it(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = ROW | {"id": "c-1", "video_path": "other.mp4"}
    (folder / "clips.jsonl").write_text(f"{json.dumps(ROW)}\n{json.dumps(other)}\n")
    make_clip(folder / "videos" / "other.mp4", frames=50, rate=10)
    made = tmp_path_factory.mktemp("made")
    (made / "videos").mkdir()
    make_clip(made / "videos" / "again.mp4", frames=50, rate=10)
    (clip, *_) = clips([folder])[0]
    (swing,) = clip.trajectories
    write_pool([replace(swing, id="again", media=Media("again.mp4"))], made)

    def left(*without: str) -> list[str]:
        return [clip.path.name for clip in clips([folder, made], without)[0]]

    assert left() == ["swing.mp4", "other.mp4", "again.mp4"]
    assert left("swing") == ["other.mp4"]
    with pytest.raises(InvalidInput, match=r"videos of the data \(other, swing\) to leave out, got swung"):
        left("swung")
