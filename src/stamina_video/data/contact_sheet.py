"""Small pictures of a causal clip: what had been shown by a moment, and nothing later."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import cv2

from stamina_video.data.frame_map import FrameMap
from stamina_video.semantics import InvalidInput, reading_step
from stamina_video.video import Frame, Recording, open_video

WIDTH = 200
QUALITY = 75

Pictures = Mapping[int, bytes]  # JPEG by frame number


def evenly(start: float, end: float, pictures: int) -> list[float]:
    """Times from start to end, both included."""
    if end <= start or pictures < 2:
        return [end]
    return [start + (end - start) * step / (pictures - 1) for step in range(pictures)]


class ContactSheets:
    """The frames of one video that several sheets need, decoded in one pass."""

    def __init__(self, path: Path) -> None:
        source = open_video(path).source
        if not isinstance(source, Recording):
            raise InvalidInput(f"expected a recorded video, got {path}")
        self._source = source
        self._times = source.times()

    def frames_at(self, frame_map: FrameMap, times: Iterable[float]) -> list[int]:
        """The source frames shown at a segment's times; a held frame comes once, a repeated one again."""
        steps = (self.shown_at(frame_map.source_time(at)) for at in times)
        return [step for step, _ in groupby(steps) if step is not None]

    def shown_at(self, time: float) -> int | None:
        """The frame on screen at a moment of the video; None before its first."""
        return reading_step(self._times, time)

    def pictures(self, frames: Iterable[int]) -> Pictures:
        wanted = sorted(set(frames))
        found: dict[int, bytes] = {}
        remaining: Sequence[int] = wanted
        for item in self._source.select(wanted):
            if isinstance(item, Frame):
                # A damaged frame is stood in for by the next one that can be read.
                due = [frame for frame in remaining if frame <= item.index]
                remaining = remaining[len(due) :]
                found |= dict.fromkeys(due, _jpeg(item))
        return found


def _jpeg(frame: Frame) -> bytes:
    image = frame.image
    height, width = image.shape[:2]
    small = cv2.resize(image, (WIDTH, max(round(height * WIDTH / width), 1)), interpolation=cv2.INTER_AREA)
    done, encoded = cv2.imencode(".jpg", small[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    assert done
    return encoded.tobytes()
