"""A short video of coloured blobs that move, come and go, for the tiny model's toy eyes."""

from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import av

from stamina_video.runtime import Model, Session
from tests.backbone.fakes import toy_image
from tests.runtime.tiny import TARGETS, observation, tiny_model

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


@lru_cache
def counting_model() -> Model:
    """The first of the random models that finds someone new after the first observation."""
    for seed in range(40):
        model = tiny_model(seed)
        with Session(model, TARGETS[:1]) as session:
            for index in range(4):
                session.observe(observation(index))
            if any(commit.observation for commit in session.ledger.history("table", "red blobs", "unique")):
                return model
    raise AssertionError("none of the random models counts")
