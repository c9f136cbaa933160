from pathlib import Path

import pytest

from stamina_video.data.checker import check_pool
from stamina_video.data.cycles import cropped, repeated, reversed_, sped
from stamina_video.data.links import links_of
from stamina_video.data.pool import write_pool
from stamina_video.data.segments import write_segment
from stamina_video.data.trajectory import Trajectory
from stamina_video.semantics import Observation, read_questions
from stamina_video.video import open_video
from tests.data.filming import FPS, film
from tests.data.making import cycling

BRIGHTER = 6  # each frame of the film than the one before
SQUATS = cycling([(1.0, 2.0), (4.0, 6.0)], 10.0)


@pytest.fixture
def videos(tmp_path: Path) -> Path:
    film(tmp_path / "kitchen.mp4", 10, BRIGHTER)
    return tmp_path


@pytest.mark.parametrize(
    "made",
    [
        sped(SQUATS, 2.0),
        sped(SQUATS, 0.5),
        repeated(SQUATS, 1, 2),
        reversed_(SQUATS),
        cropped(SQUATS, 2.5, 8.0),
    ],
    ids=lambda made: made.provenance.steps[-1],
)
def test_every_frame_shows_the_moment_it_stands_for(made: Trajectory, videos: Path) -> None:
    written = write_segment(made, videos, "segment.mp4")
    shown = [item for item in open_video(videos / "segment.mp4", fps=FPS) if isinstance(item, Observation)]
    expected = made.frame_map.source_frames(FPS, FPS)
    assert [round(float(item.image.mean()) / BRIGHTER) for item in shown] == expected
    assert written.media_map.is_whole
    assert written.frame_map == made.frame_map


def test_the_file_can_be_asked_about_and_remembers_its_source(videos: Path) -> None:
    written = write_segment(repeated(SQUATS, 0, 1), videos, "segment.mp4")
    assert written.provenance.ancestors == ("kitchen",)
    assert set(links_of(written)) & set(links_of(SQUATS))
    write_pool([SQUATS, written], videos / "pool")
    assert check_pool(videos / "pool", videos).faults == ()
    questions = {
        question.video: question for question in read_questions(videos / "pool" / "annotations.jsonl")
    }
    assert questions["segment.mp4"].counts[-1] == 3
