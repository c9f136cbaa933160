import os
import threading
from pathlib import Path

import numpy as np
import pytest

from stamina_video import video as package
from stamina_video.semantics import InvalidInput, Observation, UnreadableFile, full_indices, stream_indices
from stamina_video.video import Gap, open_video
from tests.video.clips import damage, make_clip, make_image, number_of


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_clip(tmp_path_factory.mktemp("clip") / "packing.mp4", 35, options={"bf": "3"})


def observations(video: package.Video) -> list[Observation]:
    return [item for item in video if isinstance(item, Observation)]


def test_the_surface_is_what_it_is() -> None:
    assert package.__all__ == ["Frame", "Gap", "LiveSettings", "Recording", "Source", "Video", "open_video"]


def test_a_video_is_observed_once_a_second(clip: Path) -> None:
    seen = observations(open_video(str(clip)))
    assert [item.stream for item in seen] == ["packing.mp4"] * 4
    assert [item.index for item in seen] == [0, 1, 2, 3]
    assert [item.time for item in seen] == [0.0, 1.0, 2.0, 3.0]
    assert [item.source_frame for item in seen] == [0, 10, 20, 30]
    assert [number_of(item.image) for item in seen] == [0, 10, 20, 30]


@pytest.mark.parametrize("fps", [0.7, 1.0, 3.0, 9.99, 100.0])
def test_stream_agrees_with_the_table_of_times(clip: Path, fps: float) -> None:
    video = open_video(clip, fps)
    chosen = [item.source_frame for item in observations(video)]
    assert chosen == stream_indices(video.times(), fps)


def test_a_frame_budget_means_full(clip: Path) -> None:
    video = open_video(clip, frames=8, until=2.05, stream="shelf")
    chosen = observations(video)
    assert [item.source_frame for item in chosen] == full_indices(21, 8)
    assert {item.stream for item in chosen} == {"shelf"}


def test_what_is_known_before_decoding(clip: Path) -> None:
    video = open_video(clip)
    assert (video.size, video.rate, video.duration) == ((64, 48), 10.0, 3.5)
    assert len(video.times()) == 35


def test_the_same_video_gives_the_same_bits(clip: Path) -> None:
    video = open_video(clip, fps=5.0)
    first, second = observations(video), observations(video)
    assert [(item.index, item.time, item.source_frame) for item in first] == [
        (item.index, item.time, item.source_frame) for item in second
    ]
    assert all(np.array_equal(one.image, other.image) for one, other in zip(first, second, strict=True))


def test_gaps_come_between_observations_and_are_kept(tmp_path: Path) -> None:
    whole = make_clip(tmp_path / "a.mp4", 40, options={"g": "10", "bf": "0"})
    video = open_video(damage(whole, 13), fps=10.0)
    items = list(video)
    (gap,) = video.gaps
    place = items.index(gap)
    before, after = items[place - 1], items[place + 1]
    assert isinstance(before, Observation)
    assert isinstance(after, Observation)
    assert (before.time, after.time) == (gap.start, gap.end)
    assert after.index == before.index + 1
    assert after.source_frame == before.source_frame + 1 + (gap.missed or 0)
    list(video)
    assert video.gaps == [gap]


def test_a_directory_is_observed_at_its_rate(tmp_path: Path) -> None:
    for number in range(12):
        make_image(tmp_path / f"{number}.png", number)
    seen = observations(open_video(tmp_path, image_rate=4.0))
    assert [number_of(item.image) for item in seen] == [0, 4, 8]
    assert [item.time for item in seen] == [0.0, 1.0, 2.0]


def test_leaving_ends_it(clip: Path) -> None:
    with open_video(clip, fps=10.0) as video:
        reading = iter(video)
        next(reading)
    assert list(reading) == []
    with pytest.raises(InvalidInput, match="after it was closed"):
        next(iter(video))


def test_closing_from_another_thread_ends_it(clip: Path) -> None:
    video = open_video(clip, fps=10.0)
    seen = 0
    for _ in video:
        seen += 1
        closer = threading.Thread(target=video.close)
        closer.start()
        closer.join()
    assert seen == 1


def test_importing_and_reading_leave_libav_quiet(clip: Path, capfd: pytest.CaptureFixture[str]) -> None:
    observations(open_video(damage(clip, 20)))
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")


@pytest.mark.parametrize("named", ["absent.mp4", "concat:a.mp4", Path("absent")])
def test_a_missing_file_is_one_clear_line(named: str | Path) -> None:
    with pytest.raises(UnreadableFile, match=r"^expected a video file, got '.*': No such file or directory$"):
        open_video(named)


def test_a_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableFile, match="neither file nor directory"):
        open_video(tmp_path / "pipe")


def test_a_header_without_frames_is_refused(tmp_path: Path) -> None:
    whole = make_clip(tmp_path / "a.mkv", 5)
    data = whole.read_bytes()
    cluster = data.index(b"\x1f\x43\xb6\x75")
    path = tmp_path / "header.mkv"
    path.write_bytes(data[:cluster])
    with pytest.raises(UnreadableFile, match=r"header\.mkv"):
        open_video(path)


@pytest.mark.parametrize(
    "wrong", [{"fps": 0}, {"fps": float("inf")}, {"frames": 0}, {"until": -1.0}, {"until": float("nan")}]
)
def test_bad_settings_are_one_clear_line(clip: Path, wrong: dict[str, float]) -> None:
    with pytest.raises(InvalidInput, match=r"^expected .*got"):
        open_video(clip, **wrong)  # type: ignore[arg-type]  # wrong on purpose


def test_live_sources_have_neither_budget_nor_table() -> None:
    with pytest.raises(InvalidInput, match="for a frame budget, got 'rtsp://camera/door'"):
        open_video("rtsp://user:secret@camera/door", frames=64)
    with pytest.raises(InvalidInput, match="for a table of times"):
        open_video(0).times()


def test_gaps_are_small_values() -> None:
    assert Gap(1.0, 2.0, "x").shifted(3.0) == Gap(4.0, 5.0, "x", None)
