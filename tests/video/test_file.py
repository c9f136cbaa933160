import errno
import gc
import io
import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from stamina_video.semantics import UnreadableFile, full_indices, stream_indices
from stamina_video.video import Frame, Gap
from stamina_video.video.file import VideoFile
from tests.video.clips import damage, make_clip, make_image, number_of


def frames_of(file: VideoFile) -> list[Frame]:
    return [item for item in file.frames() if isinstance(item, Frame)]


def gaps_of(file: VideoFile) -> list[Gap]:
    return [item for item in file.frames() if isinstance(item, Gap)]


def check_whole(file: VideoFile, times: list[float]) -> None:
    """All frames, in order, at these times, without gaps; the table says the same."""
    items = list(file.frames())
    frames = [item for item in items if isinstance(item, Frame)]
    assert len(frames) == len(items)
    assert [frame.time for frame in frames] == pytest.approx(times, abs=1e-9)
    assert [frame.index for frame in frames] == list(range(len(times)))
    assert [number_of(frame.image) for frame in frames] == list(range(len(times)))
    assert file.times() == [frame.time for frame in frames]


@pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".mov", ".ts", ".flv"])
def test_containers(tmp_path: Path, suffix: str) -> None:
    file = VideoFile(make_clip(tmp_path / f"clip{suffix}"))
    check_whole(file, [count / 10 for count in range(30)])
    assert (file.name, file.size, file.rate) == (f"clip{suffix}", (64, 48), 10.0)
    assert file.duration == pytest.approx(3.0, abs=0.11)


@pytest.mark.parametrize(
    ("suffix", "codec"), [(".webm", "libvpx"), (".avi", "mpeg4"), (".mkv", "mjpeg"), (".mkv", "ffv1")]
)
def test_codecs(tmp_path: Path, suffix: str, codec: str) -> None:
    pixels = "yuvj420p" if codec == "mjpeg" else "yuv420p"
    check_whole(
        VideoFile(make_clip(tmp_path / f"clip{suffix}", codec=codec, pixels=pixels)),
        [n / 10 for n in range(30)],
    )


def test_variable_rate(tmp_path: Path) -> None:
    stamps = [0, 40, 50, 500, 501, 1999, 2000, 4500, 4533, 9000]
    path = make_clip(tmp_path / "a.mkv", len(stamps), stamps=stamps, time_base=Fraction(1, 1000))
    file = VideoFile(path)
    check_whole(file, [stamp / 1000 for stamp in stamps])
    picked = [item.index for item in file.stream(1.0) if isinstance(item, Frame)]
    assert picked == stream_indices([stamp / 1000 for stamp in stamps], 1.0) == [0, 4, 6, 8, 9]


def test_reordered_frames_come_in_display_order(tmp_path: Path) -> None:
    options = {"bf": "4", "b-adapt": "0", "b-pyramid": "normal"}
    check_whole(VideoFile(make_clip(tmp_path / "a.mp4", 40, options=options)), [n / 10 for n in range(40)])


@pytest.mark.parametrize("suffix", [".mkv", ".ts"])
@pytest.mark.parametrize("first", [700, 3_600_000])
def test_time_starts_at_the_first_frame(tmp_path: Path, suffix: str, first: int) -> None:
    stamps = [first + 100 * count for count in range(20)]
    path = make_clip(tmp_path / f"a{suffix}", 20, stamps=stamps, time_base=Fraction(1, 1000))
    check_whole(VideoFile(path), [count / 10 for count in range(20)])


def test_without_timestamps_the_declared_rate_is_assumed_and_told(tmp_path: Path) -> None:
    file = VideoFile(make_clip(tmp_path / "a.h264", 20, options={"bf": "2"}))
    first, *rest = file.frames()
    assert first == Gap(0.0, 0.0, "no timestamps: times assume 10 frames a second", 0)
    assert [item.time for item in rest if isinstance(item, Frame)] == pytest.approx(
        [n / 10 for n in range(20)]
    )
    assert file.times() == pytest.approx([n / 10 for n in range(20)])


def test_a_container_without_display_times_still_runs_forwards(tmp_path: Path) -> None:
    file = VideoFile(make_clip(tmp_path / "a.avi", 30, options={"bf": "3"}))
    frames = frames_of(file)
    assert [number_of(frame.image) for frame in frames] == list(range(30))
    assert [frame.time for frame in frames] == sorted(frame.time for frame in frames)
    assert frames[-1].time == pytest.approx(2.9, abs=0.4)
    assert gaps_of(file) == []


def test_a_recording_appended_to_another(tmp_path: Path) -> None:
    first, second = make_clip(tmp_path / "1.ts", 10), make_clip(tmp_path / "2.ts", 10, first_number=100)
    path = tmp_path / "both.ts"
    path.write_bytes(first.read_bytes() + second.read_bytes())
    file = VideoFile(path)
    frames = frames_of(file)
    assert [number_of(frame.image) for frame in frames] == [*range(10), *range(100, 110)]
    assert [frame.time for frame in frames] == pytest.approx([n / 10 for n in range(20)])
    assert file.times() == [frame.time for frame in frames]
    assert [gap.reason.split(" by ")[0] for gap in gaps_of(file)] == ["timestamps went back"]


@pytest.mark.parametrize(
    ("codec", "pixels", "size"),
    [
        ("libx264", "yuv420p10le", (64, 48)),
        ("libx264", "gray", (64, 48)),
        ("libx264", "yuv444p", (67, 49)),
        ("ffv1", "gray10le", (67, 49)),
        ("ffv1", "yuv420p", (101, 33)),
    ],
)
def test_depths_grey_and_odd_sizes(tmp_path: Path, codec: str, pixels: str, size: tuple[int, int]) -> None:
    file = VideoFile(make_clip(tmp_path / "a.mkv", 12, codec=codec, pixels=pixels, size=size))
    check_whole(file, [n / 10 for n in range(12)])
    assert file.size == size
    assert frames_of(file)[0].image.shape == (size[1], size[0], 3)


def test_the_size_is_the_size_shown(tmp_path: Path) -> None:
    file = VideoFile(make_clip(tmp_path / "a.mp4", 3, turned=(90.0, False, False)))
    assert file.size == (48, 64)
    assert frames_of(file)[0].image.shape == (64, 48, 3)


def test_one_frame(tmp_path: Path) -> None:
    file = VideoFile(make_clip(tmp_path / "a.mp4", 1))
    check_whole(file, [0.0])
    assert [type(item) for item in file.stream(1.0)] == [type(item) for item in file.full(64)] == [Frame]


def test_a_photograph_is_a_video_of_one_frame(tmp_path: Path) -> None:
    file = VideoFile(make_image(tmp_path / "a.jpg", 77))
    assert [number_of(frame.image) for frame in frames_of(file)] == [77]


@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
def test_sound_beside_the_picture_is_left_aside(tmp_path: Path, suffix: str) -> None:
    check_whole(VideoFile(make_clip(tmp_path / f"a{suffix}", audio=True)), [n / 10 for n in range(30)])


@pytest.mark.parametrize("budget", [1, 2, 7, 64])
@pytest.mark.parametrize("until", [None, 0.0, 1.25, 2.9])
def test_full_spreads_a_budget_over_a_prefix(tmp_path: Path, budget: int, until: float | None) -> None:
    file = VideoFile(make_clip(tmp_path / "a.mp4", 30, options={"bf": "3"}))
    reached = sum(until is None or time <= until for time in file.times())
    chosen = [item for item in file.full(budget, until) if isinstance(item, Frame)]
    assert [frame.index for frame in chosen] == full_indices(reached, budget)
    assert [number_of(frame.image) for frame in chosen] == full_indices(reached, budget)


def test_the_same_file_gives_the_same_bits(tmp_path: Path) -> None:
    file = VideoFile(make_clip(tmp_path / "a.mp4", 30, options={"bf": "3"}))
    first, second = frames_of(file), frames_of(file)
    assert [(frame.time, frame.index) for frame in first] == [(frame.time, frame.index) for frame in second]
    assert all(np.array_equal(one.image, other.image) for one, other in zip(first, second, strict=True))


@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
def test_a_truncated_file_is_told_up_to_its_end(tmp_path: Path, suffix: str) -> None:
    whole = VideoFile(make_clip(tmp_path / f"a{suffix}", container={"movflags": "faststart"}))
    data = whole.path.read_bytes()
    path = tmp_path / f"cut{suffix}"
    path.write_bytes(data[: len(data) * 2 // 3])
    items = list(VideoFile(path).frames())
    *frames, gap = items
    assert [item.index for item in frames if isinstance(item, Frame)] == list(range(len(frames)))
    assert 5 < len(frames) < 30
    last = frames[-1]
    assert isinstance(last, Frame)
    assert isinstance(gap, Gap)
    assert (gap.start, gap.reason) == (last.time, "the video ends before its declared end")
    assert gap.end == pytest.approx(3.0, abs=0.11)
    same = zip(frames, frames_of(whole), strict=False)
    assert all(isinstance(item, Frame) and np.array_equal(item.image, other.image) for item, other in same)


def test_full_tells_a_missing_end_too(tmp_path: Path) -> None:
    whole = make_clip(tmp_path / "a.mkv").read_bytes()
    path = tmp_path / "cut.mkv"
    path.write_bytes(whole[: len(whole) * 2 // 3])
    *_, gap = VideoFile(path).full(4)
    assert isinstance(gap, Gap)


@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
@pytest.mark.parametrize("options", [{"g": "10", "bf": "0"}, {"g": "10", "bf": "3", "b-adapt": "0"}])
@pytest.mark.parametrize("victim", [13, 17])
def test_a_corrupt_packet_is_a_gap_up_to_the_next_key_frame(
    tmp_path: Path, suffix: str, options: dict[str, str], victim: int
) -> None:
    whole = VideoFile(make_clip(tmp_path / f"a{suffix}", 40, options=options))
    file = VideoFile(damage(whole.path, victim))

    items = list(file.frames())
    gap = next(item for item in items if isinstance(item, Gap))
    frames = {item.time: item for item in items if isinstance(item, Frame)}
    assert gap.reason == "damaged data"
    assert gap.missed
    assert 0.5 <= gap.start < gap.end <= 2.1
    good = {frame.time: frame for frame in frames_of(whole)}
    assert {time for time in good if time <= gap.start or time >= gap.end} <= set(frames)
    assert all(np.array_equal(frame.image, good[time].image) for time, frame in frames.items())
    again = list(file.frames())
    assert [item.time for item in again if isinstance(item, Frame)] == list(frames)


def test_reading_leaves_nothing_open(tmp_path: Path) -> None:
    file = VideoFile(make_clip(tmp_path / "a.mp4"))
    before = len(list(Path("/proc/self/fd").iterdir()))
    reading = file.frames()
    next(reading)
    reading.close()
    list(file.stream(1.0))
    gc.collect()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


class FailingDisk(io.FileIO):
    """Reads well for the first part of a file."""

    whole = 0

    def read(self, size: int | None = -1, /) -> bytes:
        if self.tell() + (size or 0) > self.whole:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return super().read(size)


def test_a_failing_disk_is_a_gap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_clip(
        tmp_path / "a.mp4", 250, codec="ffv1", container={"movflags": "faststart"}, pixels="yuv420p"
    )
    file = VideoFile(path)
    monkeypatch.setattr(FailingDisk, "whole", path.stat().st_size // 2)

    def on_that_disk(path: Path, mode: str) -> FailingDisk:
        return FailingDisk(path, mode)

    monkeypatch.setattr(Path, "open", on_that_disk)
    *frames, gap = file.frames()
    assert [item.index for item in frames if isinstance(item, Frame)] == list(range(len(frames)))
    assert len(frames) > 50
    assert isinstance(gap, Gap)
    assert gap.reason == "reading failed: Input/output error"
    assert gap.end == pytest.approx(25.0, abs=0.11)
    with pytest.raises(UnreadableFile, match="Input/output error"):
        file.times()
