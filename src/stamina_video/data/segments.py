"""Writes a segment as a video of its own, frame by frame as its frame map says."""

import dataclasses
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from stamina_video.data.hashing import sha256_of
from stamina_video.data.trajectory import Media, Trajectory
from stamina_video.semantics import InvalidInput, reading_step
from stamina_video.video import Frame, Recording, open_video

RATE = 30.0  # frames a second where the source declares none
HELD = 128  # pictures in memory at a time: backwards, a decoder cannot be followed


def write_segment(trajectory: Trajectory, videos: Path, name: str) -> Trajectory:
    """Write the segment into the folder of its parent; the trajectory then speaks of that file."""
    source = open_video(videos / trajectory.media.path).source
    if not isinstance(source, Recording):
        raise InvalidInput(f"expected a recorded video, got {trajectory.media.path}")
    rate = Fraction(source.rate or RATE).limit_denominator(1001)
    path = videos / name
    _encode(_pictures(source, _frames(trajectory, source.times(), float(rate))), rate, path)
    past = trajectory.provenance
    ancestors = dict.fromkeys((*past.ancestors, trajectory.parent, trajectory.media.sha256))
    return dataclasses.replace(
        trajectory,
        media=Media(name, sha256_of(path), of_segment=True),
        provenance=dataclasses.replace(past, ancestors=tuple(filter(None, ancestors))),
    )


def _frames(trajectory: Trajectory, times: Sequence[float], rate: float) -> list[int]:
    """The source frame that each frame of the segment shows."""
    shown = trajectory.media_map
    # A frame stands for the middle of its time, as in `FrameMap.source_frames`.
    middles = ((index + 0.5) / rate for index in range(max(round(shown.duration * rate), 1)))
    steps = (reading_step(times, shown.source_time(min(at, shown.duration))) for at in middles)
    return [step or 0 for step in steps]


def _pictures(source: Recording, frames: Sequence[int]) -> Iterator[av.VideoFrame]:
    for start in range(0, len(frames), HELD):
        wanted = frames[start : start + HELD]
        found = {
            item.index: av.VideoFrame.from_ndarray(_even(item), format="rgb24")
            for item in source.select(sorted(set(wanted)))
            if isinstance(item, Frame)
        }
        for frame in wanted:
            if frame in found:  # damage may have taken it
                yield found[frame]


def _even(frame: Frame) -> NDArray[np.uint8]:
    """The picture without an odd last row or column, which encoders refuse."""
    image = frame.image
    height, width = image.shape[:2]
    return np.ascontiguousarray(image[: height - height % 2, : width - width % 2])


def _encode(pictures: Iterator[av.VideoFrame], rate: Fraction, path: Path) -> None:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=rate, options={"crf": "18"})
        stream.pix_fmt = "yuv420p"
        for number, picture in enumerate(pictures):
            if number == 0:
                stream.width, stream.height = picture.width, picture.height
            picture.pts, picture.time_base = number, 1 / rate
            container.mux(stream.encode(picture))
        container.mux(stream.encode())
