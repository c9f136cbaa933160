"""Writes a scene as a video file with PyAV, and shows its pictures as such a file delivers them."""

import io
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from stamina_video.data.world.dice import Dice
from stamina_video.data.world.scene import Scene
from stamina_video.semantics import MissingExtra

try:
    import av
except ImportError:
    raise MissingExtra("expected av to write videos, got none: pip install 'stamina-video[data]'") from None

FPS = 12
LINES = 480  # of a video; its width follows from the scene
_COMPRESSION_STREAM = 1_000_033


def write_video(scene: Scene, path: Path, lines: int = LINES) -> int:
    """All frames of a scene, compressed more or less as its seed says; returns how many."""
    times = [number / FPS for number in range(int(scene.duration * FPS))]
    with path.open("wb") as file:
        _encode(scene, times, file, lines)
    return len(times)


def delivered(scene: Scene, times: Iterable[float], lines: int = LINES) -> Iterator[NDArray[np.uint8]]:
    """The pictures of these moments, coded one after the other as the scene's file is."""
    file = io.BytesIO()
    _encode(scene, times, file, lines)
    file.seek(0)
    with av.open(file, "r") as container:
        for frame in container.decode(video=0):
            yield np.asarray(frame.to_ndarray(format="rgb24"), np.uint8)


def _encode(scene: Scene, times: Iterable[float], file: BinaryIO, lines: int) -> None:
    width, height = scene.size(lines)
    quality = Dice(scene.seed, _COMPRESSION_STREAM).whole(20, 33)
    with av.open(file, "w", format="mp4") as container:
        # Without x264's macroblock tree: with it, two runs over the same frames differ in their bytes.
        options = {"crf": str(quality), "preset": "veryfast", "x264-params": "mbtree=0"}
        stream = container.add_stream("libx264", rate=FPS, options=options)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.thread_count = 1  # the same bytes whatever the number of cores
        stream.time_base = Fraction(1, FPS)
        for number, time in enumerate(times):
            frame = av.VideoFrame.from_ndarray(scene.frame(time, (width, height)), format="rgb24")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
