"""A directory of images as a video: one image every 1/rate seconds, in natural order."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from stamina_video.semantics import UnreadableFile, stream_indices
from stamina_video.semantics.schedule import check_rate
from stamina_video.video.address import printable
from stamina_video.video.container import opened_file
from stamina_video.video.decode import decode
from stamina_video.video.frame import Frame, Items, displayed_size
from stamina_video.video.gap import Gap
from stamina_video.video.source import Recording

SUFFIXES = frozenset({".bmp", ".jpeg", ".jpg", ".pgm", ".png", ".ppm", ".tif", ".tiff", ".webp"})


class ImageDirectory(Recording):
    """Images keep their own sizes; only those a schedule chooses are decoded."""

    def __init__(self, path: Path, rate: float = 1.0) -> None:
        check_rate(rate)
        self.name = printable(path.resolve().name)
        self.rate = rate
        self._paths = sorted(_images(path), key=_natural)
        if not self._paths:
            raise UnreadableFile(f"expected images in the directory {str(path)!r}, got none")
        self.duration = len(self._paths) / rate
        first = next((item for item in self.frames() if isinstance(item, Frame)), None)
        if first is None:
            raise UnreadableFile(f"expected images in {str(path)!r}, got none that can be decoded")
        self.size = displayed_size(first.picture)

    def frames(self) -> Items:
        return self.select(range(len(self._paths)))

    def times(self) -> list[float]:
        assert self.rate is not None
        return [index / self.rate for index in range(len(self._paths))]

    def stream(self, fps: float, until: float | None = None) -> Items:
        times = [time for time in self.times() if until is None or time <= until]
        return self.select(stream_indices(times, fps))

    def select(self, indices: Sequence[int]) -> Items:
        times = self.times()
        for index in indices:
            frame = _first_frame(self._paths[index])
            if frame is None:
                reason = printable(f"damaged image {self._paths[index].name}")
                yield Gap(times[index], times[index], reason, 1)
            else:
                yield Frame(times[index], index, frame.picture)


def _first_frame(path: Path) -> Frame | None:
    try:
        with opened_file(path) as (container, stream):
            return next((item for item in decode(container, stream) if isinstance(item, Frame)), None)
    except UnreadableFile:
        return None


def _images(directory: Path) -> Iterator[Path]:
    for path in directory.iterdir():
        if path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and path.is_file():
            yield path


def _natural(path: Path) -> tuple[list[tuple[bool, int, str]], str]:
    """img2 before img10: digits compare as numbers, and come before letters."""
    parts = re.findall(r"\d+|\D+", path.name)
    return [(not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts], path.name
