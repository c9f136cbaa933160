from pathlib import Path

from stamina_video.evaluation.running import FoldCounter, Plan, Run
from tests.evaluation.running.scenes import OneEachLook, data_set


def test_every_video_is_counted_by_its_own_counter(tmp_path: Path) -> None:
    annotations, videos = data_set(tmp_path / "data")
    one, two = OneEachLook(), OneEachLook()
    counter = FoldCounter("folds", {"a.mp4": one, "b.mp4": two})
    run = Run.begin(tmp_path / "run", annotations, videos, counter, Plan(), 0)
    run.work(counter, Plan(), videos)
    assert run.finish().figures()
    assert {stream for stream, _ in one.looks} == {"a.mp4"}
    assert {stream for stream, _ in two.looks} == {"b.mp4"}


def test_its_fingerprint_follows_from_who_counts_what() -> None:
    one, two = OneEachLook(), OneEachLook()
    two.fingerprint = "looks-2"
    prints = {
        FoldCounter("folds", by_video).fingerprint
        for by_video in (
            {"a.mp4": one, "b.mp4": two},
            {"b.mp4": two, "a.mp4": one},
            {"a.mp4": two, "b.mp4": one},
            {"a.mp4": one, "b.mp4": one},
        )
    }
    assert len(prints) == 3
