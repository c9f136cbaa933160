from pathlib import Path
from typing import Any, cast

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from stamina_video.semantics import Observation
from stamina_video.video import frame as frame_module
from stamina_video.video import open_video
from stamina_video.video.container import opened_file
from stamina_video.video.decode import decode
from stamina_video.video.frame import Frame, displayed_size
from tests.video.clips import make_clip, number_of, numbered


def first_frame(path: Path) -> Frame:
    with opened_file(path) as (container, stream):
        return next(item for item in decode(container, stream) if isinstance(item, Frame))


def frame_of(image: NDArray[np.uint8], pixels: str) -> Frame:
    return Frame(0.0, 0, av.VideoFrame.from_ndarray(image, "rgb24").reformat(format=pixels))


@pytest.mark.parametrize(
    "pixels", ["rgb24", "bgr24", "yuv420p", "yuv444p", "yuv420p10le", "gray", "gray10le", "nv12"]
)
@pytest.mark.parametrize("size", [(64, 48), (66, 50), (67, 49)])
def test_every_pixel_format_and_size_becomes_rgb(pixels: str, size: tuple[int, int]) -> None:
    image = frame_of(numbered(0b10110010, size), pixels).image
    assert (image.shape, image.dtype) == ((size[1], size[0], 3), np.dtype(np.uint8))
    assert image.flags.c_contiguous
    assert image.flags.writeable  # torch shares only what it may write to
    assert number_of(image) == 0b10110010


def test_pixels_are_exact_where_nothing_was_coded() -> None:
    noise = np.random.default_rng(3).integers(0, 256, (49, 67, 3), dtype=np.uint8)
    assert np.array_equal(frame_of(noise, "rgb24").image, noise)


def test_pixels_are_handed_on_where_they_lie() -> None:
    """A width whose rows need no padding: what a frame shows is libav's own buffer."""
    frame = frame_of(numbered(9, (64, 48)), "rgb24")
    assert np.shares_memory(frame.image, np.frombuffer(cast(Any, frame.picture.planes[0]), np.uint8))
    assert not frame_of(numbered(9, (64, 48)), "yuv420p").image.flags.owndata


def test_frames_that_are_not_sampled_are_never_converted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    converted: list[float] = []
    rgb = frame_module._rgb

    def noting(picture: av.VideoFrame) -> NDArray[np.uint8]:
        converted.append(float(picture.time or 0))
        return rgb(picture)

    clip = make_clip(tmp_path / "clip.mp4", frames=50)
    monkeypatch.setattr(frame_module, "_rgb", noting)
    seen = [item for item in open_video(clip, 1.0) if isinstance(item, Observation)]
    assert len(converted) == len(seen) < 10


def test_an_image_outlives_its_frame() -> None:
    image = frame_of(numbered(5), "yuv420p").image
    assert number_of(image) == 5


@pytest.mark.parametrize(
    ("turned", "expected"),
    [
        ((90.0, False, False), lambda image: np.rot90(image, 1)),
        ((-90.0, False, False), lambda image: np.rot90(image, -1)),
        ((180.0, False, False), lambda image: np.rot90(image, 2)),
        ((0.0, True, False), lambda image: image[:, ::-1]),
        ((0.0, False, True), lambda image: image[::-1]),
    ],
)
def test_rotation_metadata_is_applied(
    tmp_path: Path, turned: tuple[float, bool, bool], expected: object
) -> None:
    plain = first_frame(make_clip(tmp_path / "plain.mp4", frames=1))
    frame = first_frame(make_clip(tmp_path / "turned.mp4", frames=1, turned=turned))
    assert callable(expected)
    assert np.array_equal(frame.image, expected(plain.image))
    assert frame.image.flags.c_contiguous
    assert displayed_size(frame.picture) == frame.image.shape[1::-1]


def test_a_frame_shifts_in_time_and_position() -> None:
    moved = frame_of(numbered(0), "gray").shifted(1.5, 7)
    assert (moved.time, moved.index) == (1.5, 7)
