"""Small videos made on the spot. Every frame carries its number, readable after lossy coding."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 64, 48
BITS = 8
SPOT = WIDTH // BITS  # each bit is a black or white square in the top row


def numbered(number: int, size: tuple[int, int] = (WIDTH, HEIGHT)) -> NDArray[np.uint8]:
    width, height = size
    image = np.random.default_rng(number).integers(40, 140, (height, width, 3), dtype=np.uint8)
    for bit in range(BITS):
        image[:16, bit * SPOT : (bit + 1) * SPOT] = 255 * (number >> bit & 1)
    return image


def number_of(image: NDArray[np.uint8]) -> int:
    return sum(1 << bit for bit in range(BITS) if image[8, bit * SPOT + SPOT // 2].mean() > 128)


def make_clip(
    path: Path,
    frames: int = 30,
    rate: int = 10,
    *,
    stamps: Sequence[int] | None = None,
    time_base: Fraction | None = None,
    codec: str = "libx264",
    pixels: str = "yuv420p",
    size: tuple[int, int] = (WIDTH, HEIGHT),
    options: dict[str, str] | None = None,
    container: dict[str, str] | None = None,
    first_number: int = 0,
    turned: tuple[float, bool, bool] | None = None,
    audio: bool = False,
) -> Path:
    """Frames 0, 1, 2, … at `stamps` in units of `time_base`, or evenly at `rate`."""
    with av.open(str(path), "w", options=container or {}) as output:
        stream = output.add_stream(codec, rate=rate, options=options or {})
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = *size, pixels
        if time_base:
            stream.codec_context.time_base = time_base
        if turned:
            degrees, hflip, vflip = turned
            stream.set_display_rotation(degrees, hflip=hflip, vflip=vflip)
        sound = output.add_stream("aac", rate=8000) if audio else None
        for number in range(frames):
            frame = av.VideoFrame.from_ndarray(numbered(first_number + number, size), "rgb24")
            frame.pts = number if stamps is None else stamps[number]
            frame.time_base = time_base or Fraction(1, rate)
            output.mux(stream.encode(frame))
        output.mux(stream.encode())
        if isinstance(sound, av.AudioStream):
            _silence(output, sound, frames / rate)
    return path


def make_sound(path: Path) -> Path:
    with av.open(str(path), "w") as output:
        sound = output.add_stream("aac", rate=8000)
        assert isinstance(sound, av.AudioStream)
        _silence(output, sound, 1.0)
    return path


def make_image(path: Path, number: int, size: tuple[int, int] = (WIDTH, HEIGHT)) -> Path:
    codec = {".png": "png", ".jpg": "mjpeg", ".bmp": "bmp"}[path.suffix]
    context = av.CodecContext.create(codec, "w")
    assert isinstance(context, av.VideoCodecContext)
    pixels = {"png": "rgb24", "mjpeg": "yuvj420p", "bmp": "bgr24"}[codec]
    context.width, context.height, context.pix_fmt = *size, pixels
    context.time_base = Fraction(1, 25)
    frame = av.VideoFrame.from_ndarray(numbered(number, size), "rgb24").reformat(format=pixels)
    path.write_bytes(b"".join(bytes(packet) for packet in [*context.encode(frame), *context.encode()]))
    return path


def damage(path: Path, victim: int) -> Path:
    """A copy of a file in which one packet, in decoding order, is overwritten with zeros."""
    with av.open(str(path)) as container:
        payload = [bytes(packet) for packet in container.demux(video=0)][victim]
    data = path.read_bytes().replace(payload, bytes(len(payload)))
    damaged = path.with_stem(f"damaged-{path.stem}")
    damaged.write_bytes(data)
    return damaged


def _silence(output: av.container.OutputContainer, sound: av.AudioStream, seconds: float) -> None:
    for start in range(0, int(seconds * 8000), 1024):
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), "fltp", "mono")
        frame.sample_rate, frame.pts, frame.time_base = 8000, start, Fraction(1, 8000)
        output.mux(sound.encode(frame))
    output.mux(sound.encode())
