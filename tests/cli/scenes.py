"""A short video of coloured blobs that move, come and go, for the tiny model's toy eyes."""

from fractions import Fraction
from pathlib import Path

import av

from tests.backbone.fakes import toy_image

SIZE = (128, 96)
RATE = 10
FRAMES = 40
DURATION = FRAMES / RATE


def blob_video(
    path: Path, size: tuple[int, int] = SIZE, codec: str = "libx264", pixels: str = "yuv420p"
) -> Path:
    width, height = size
    with av.open(str(path), "w") as output:
        stream = output.add_stream(codec, rate=RATE)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = width, height, pixels
        for number in range(FRAMES):
            share = number / FRAMES
            blobs = [("red", 0.15 + 0.7 * share, 0.3, 0.12), ("blue", 0.8 - 0.5 * share, 0.5, 0.1)]
            blobs += [("green", 0.5, 0.15 + 0.4 * share, 0.1)] if 10 < number < 30 else []
            frame = av.VideoFrame.from_ndarray(toy_image(*blobs, height=height, width=width), "rgb24")
            frame.pts, frame.time_base = number, Fraction(1, RATE)
            output.mux(stream.encode(frame))
        output.mux(stream.encode())
    return path
