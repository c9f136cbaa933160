from pathlib import Path

import numpy as np
import pytest

from stamina_video.semantics import InvalidInput, UnreadableFile
from stamina_video.video import Frame, Gap
from stamina_video.video.images import ImageDirectory
from tests.video.clips import make_image, number_of, numbered


def numbers(directory: ImageDirectory) -> list[int]:
    return [number_of(item.image) for item in directory.frames() if isinstance(item, Frame)]


def test_images_come_in_natural_order(tmp_path: Path) -> None:
    names = ["10.png", "2.png", "1.png", "a10.png", "a9.png"]
    for name, number in zip(names, [3, 2, 1, 5, 4], strict=True):
        make_image(tmp_path / name, number)
    directory = ImageDirectory(tmp_path, rate=5.0)
    assert numbers(directory) == [1, 2, 3, 4, 5]
    assert directory.times() == [0.0, 0.2, 0.4, 0.6, 0.8]
    assert (directory.size, directory.rate, directory.duration) == ((64, 48), 5.0, 1.0)
    assert directory.name == tmp_path.name


def test_lossless_images_keep_every_pixel(tmp_path: Path) -> None:
    make_image(tmp_path / "1.png", 9)
    (frame,) = ImageDirectory(tmp_path).frames()
    assert isinstance(frame, Frame)
    assert np.array_equal(frame.image, numbered(9))


def test_other_files_are_left_aside(tmp_path: Path) -> None:
    make_image(tmp_path / "1.jpg", 1)
    make_image(tmp_path / ".hidden.png", 2)
    (tmp_path / "notes.txt").write_text("not an image")
    (tmp_path / "2.png").mkdir()
    assert numbers(ImageDirectory(tmp_path)) == [1]


def test_images_keep_their_own_sizes(tmp_path: Path) -> None:
    make_image(tmp_path / "1.png", 1, (64, 48))
    make_image(tmp_path / "2.bmp", 2, (80, 32))
    shapes = [item.image.shape for item in ImageDirectory(tmp_path).frames() if isinstance(item, Frame)]
    assert shapes == [(48, 64, 3), (32, 80, 3)]


def test_a_broken_image_is_a_gap(tmp_path: Path) -> None:
    for number in range(3):
        make_image(tmp_path / f"{number}.png", number)
    (tmp_path / "1.png").write_bytes(b"broken")
    first, gap, last = ImageDirectory(tmp_path).frames()
    assert gap == Gap(1.0, 1.0, "damaged image 1.png", 1)
    assert isinstance(first, Frame)
    assert isinstance(last, Frame)
    assert (first.time, last.time, last.index) == (0.0, 2.0, 2)


def test_only_chosen_images_are_decoded(tmp_path: Path) -> None:
    for number in range(20):
        make_image(tmp_path / f"{number}.png", number)
    directory = ImageDirectory(tmp_path, rate=10.0)
    for number in set(range(20)) - {0, 10}:
        (tmp_path / f"{number}.png").unlink()  # decoding one of these would be a gap
    chosen = list(directory.stream(1.0))
    assert [item.index for item in chosen if isinstance(item, Frame)] == [0, 10]
    assert len(chosen) == 2
    assert [item.index for item in directory.stream(1.0, until=0.9) if isinstance(item, Frame)] == [0]


def test_full_spreads_a_budget(tmp_path: Path) -> None:
    for number in range(5):
        make_image(tmp_path / f"{number}.png", number)
    chosen = ImageDirectory(tmp_path).full(2, until=3.5)
    assert [item.index for item in chosen if isinstance(item, Frame)] == [0, 3]


def test_a_directory_without_images_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"expected images in the directory .*, got none$"):
        ImageDirectory(tmp_path)
    (tmp_path / "1.png").write_bytes(b"broken")
    with pytest.raises(UnreadableFile, match="none that can be decoded"):
        ImageDirectory(tmp_path)


def test_a_rate_is_above_zero(tmp_path: Path) -> None:
    make_image(tmp_path / "1.png", 1)
    with pytest.raises(InvalidInput, match="frame rate above zero"):
        ImageDirectory(tmp_path, rate=0.0)
