from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from stamina_video.cli import annotate, main
from stamina_video.cli.annotate import annotate_video, encoder
from stamina_video.cli.counting import Counted, TargetCount
from stamina_video.cli.overlay import Recorder
from stamina_video.semantics import InvalidInput, Target
from stamina_video.video import Frame, Source, open_video
from tests.cli.scenes import DURATION, FRAMES, RATE, SIZE, blob_video, counting_model
from tests.video.clips import make_clip, make_image

NOTHING = Recorder().overlay(
    Counted((TargetCount(Target("mugs", "O1-Snap"), (), (), (), None, ()),), observations=0, end=0.0)
)


def frames_of(path: Path) -> list[tuple[float, NDArray[np.uint8]]]:
    return [(item.time, item.image) for item in open_video(path).source.frames() if isinstance(item, Frame)]


def source_of(path: Path) -> Source:
    return open_video(path).source


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stamina_video.runtime.load", lambda name: counting_model())


@pytest.mark.usefixtures("tiny")
def test_the_command_writes_the_whole_video_with_marks(tmp_path: Path) -> None:
    clip, out = blob_video(tmp_path / "table.mp4"), tmp_path / "out.mp4"
    targets = (
        "--target",
        "red blobs",
        "--operator",
        "O2-Unique",
        "--target",
        "s",
        "--operator",
        "E2-Periodic",
    )
    with pytest.raises(SystemExit) as left:
        main(["count", str(clip), *targets, "--fps", "2", "--annotate", str(out)])
    assert left.value.code == 0
    before, after = frames_of(clip), frames_of(out)
    assert [time for time, _ in after] == pytest.approx([number / RATE for number in range(FRAMES)])
    assert after[0][1].shape == (SIZE[1], SIZE[0], 3)
    changed = [np.abs(a.astype(int) - b).mean() for (_, a), (_, b) in zip(before, after, strict=True)]
    assert min(changed) > 5, "every frame carries the counts"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.mp4", "table.mp4"]


@pytest.mark.usefixtures("tiny")
def test_the_last_query_ends_the_annotated_video(tmp_path: Path) -> None:
    clip, out = blob_video(tmp_path / "table.mp4"), tmp_path / "out.mp4"
    arguments = ("--target", "red blobs", "--operator", "O2-Unique", "--fps", "2", "--at", "1")
    with pytest.raises(SystemExit) as left:
        main(["count", str(clip), *arguments, "--annotate", str(out)])
    assert left.value.code == 0
    assert [time for time, _ in frames_of(out)][-1] == pytest.approx(1.0)


@pytest.mark.parametrize("chosen", ["libx264", "mpeg4"])
@pytest.mark.parametrize("size", [(65, 47), (64, 48), (161, 90)])
def test_any_size_and_either_encoder(
    size: tuple[int, int], chosen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(annotate, "_ENCODERS", {chosen: annotate._ENCODERS[chosen]})
    clip = make_clip(tmp_path / "clip.mkv", 6, codec="ffv1", pixels="yuv444p", size=size)
    annotate_video(source_of(clip), tmp_path / "out.mp4", NOTHING)
    with av.open(str(tmp_path / "out.mp4")) as written:
        stream = written.streams.video[0]
        assert stream.codec_context.name == {"libx264": "h264"}.get(chosen, chosen)
        assert (stream.width, stream.height) == tuple(length + length % 2 for length in size)
    assert len(frames_of(tmp_path / "out.mp4")) == 6


def test_variable_frame_times_are_kept(tmp_path: Path) -> None:
    stamps = [0, 40, 300, 310, 900]
    clip = make_clip(tmp_path / "clip.mkv", 5, stamps=stamps, time_base=Fraction(1, 1000))
    annotate_video(source_of(clip), tmp_path / "out.mp4", NOTHING)
    assert [time for time, _ in frames_of(tmp_path / "out.mp4")] == pytest.approx(
        [stamp / 1000 for stamp in stamps], abs=1e-3
    )


def test_images_of_different_sizes_become_one_video(tmp_path: Path) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    for number, size in enumerate([(64, 48), (80, 60), (64, 48)]):
        make_image(folder / f"{number}.png", number, size)
    annotate_video(source_of(folder), tmp_path / "out.mp4", NOTHING)
    assert {image.shape for _, image in frames_of(tmp_path / "out.mp4")} == {(48, 64, 3)}


def test_a_failure_leaves_the_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyboardInterrupt

    clip, out = blob_video(tmp_path / "table.mp4"), tmp_path / "out.mp4"
    out.write_text("older")
    monkeypatch.setattr(annotate, "draw", broken)
    with pytest.raises(KeyboardInterrupt):
        annotate_video(source_of(clip), out, NOTHING)
    assert out.read_text() == "older"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.mp4", "table.mp4"]


def test_progress_follows_the_clock(tmp_path: Path) -> None:
    reached: list[float] = []
    annotate_video(
        source_of(blob_video(tmp_path / "table.mp4")), tmp_path / "out.mp4", NOTHING, progress=reached.append
    )
    assert reached == sorted(reached)
    assert reached[-1] == pytest.approx(DURATION - 1 / RATE)


def test_no_encoder_at_all_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(annotate, "_ENCODERS", {"no-such-encoder": {}})
    with pytest.raises(InvalidInput, match="expected one of the encoders no-such-encoder"):
        encoder()
