"""Writes a counted video anew, with what was counted drawn onto every frame."""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.video.stream import VideoStream
from PIL import Image

from stamina_video.cli.destinations import written_whole
from stamina_video.cli.drawing import Picture, draw
from stamina_video.cli.overlay import Overlay
from stamina_video.semantics import InvalidInput
from stamina_video.video import Frame, Source

# Divides by every common rate, 29.97 included, and is no finer than MPEG-4 can tell.
TIME_BASE = Fraction(1, 60_000)
_ENCODERS = {
    "libx264": {"crf": "20", "preset": "veryfast"},
    "mpeg4": {"qmin": "2", "qmax": "6"},
}


def annotate_video(
    source: Source,
    path: Path,
    overlay: Overlay,
    until: float | None = None,
    progress: Callable[[float], None] = lambda _: None,
) -> None:
    """The source's frames up to `until` at their own times and size, written whole or not at all."""
    with written_whole(path) as draft:
        try:
            _write(source, draft, overlay, until, progress)
        except av.FFmpegError as error:
            raise InvalidInput(
                f"expected a video that can be written to {path}, got {error.strerror}"
            ) from None


def _write(
    source: Source, draft: Path, overlay: Overlay, until: float | None, progress: Callable[[float], None]
) -> None:
    assert source.size is not None, "a recording knows its size"
    with av.open(str(draft), "w") as output:
        stream = output.add_stream(encoder(), rate=_rate(source))
        assert isinstance(stream, VideoStream)
        stream.width, stream.height = (size + size % 2 for size in source.size)
        stream.pix_fmt = "yuv420p"
        stream.options = dict(_ENCODERS[stream.codec_context.codec.name])
        stream.codec_context.time_base = TIME_BASE
        last = -1
        for frame in source.frames():
            if not isinstance(frame, Frame):
                continue
            if until is not None and frame.time > until:
                break
            picture = draw(_sized(frame.image, source.size), overlay.at(frame.time), frame.time)
            encoded = av.VideoFrame.from_ndarray(_even(picture), "rgb24")
            # Frames of one time exist; players want them a tick apart.
            last = max(round(frame.time / TIME_BASE), last + 1)
            encoded.pts, encoded.time_base = last, TIME_BASE
            output.mux(stream.encode(encoded))
            progress(frame.time)
        output.mux(stream.encode())


def encoder() -> str:
    """H.264 where this build of libav brings it, else MPEG-4."""
    for name in _ENCODERS:
        with suppress(av.codec.codec.UnknownCodecError):
            return av.Codec(name, "w").name
    raise InvalidInput(f"expected one of the encoders {', '.join(_ENCODERS)} for --annotate, got none")


def _rate(source: Source) -> Fraction:
    return Fraction(source.rate or 25.0).limit_denominator(1001)


def _sized(picture: Picture, size: tuple[int, int]) -> Picture:
    """Images of a directory may differ in size; a video's frames do not."""
    height, width = picture.shape[:2]
    return picture if (width, height) == size else np.asarray(Image.fromarray(picture).resize(size))


def _even(picture: Picture) -> Picture:
    """Encoders halve the colour: an odd edge is repeated."""
    height, width = picture.shape[:2]
    if height % 2 == width % 2 == 0:
        return picture
    return np.pad(picture, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
