"""Sampling a file beside ffmpeg's own fps filter: `python -m benchmarks.video`."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np

from benchmarks.table import Row, markdown
from stamina_video.video import open_video

WIDTH, HEIGHT, RATE, SECONDS = 1920, 1080, 30, 20
ROUNDS = 3
BAR = 1.2


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        clip = _make_clip(Path(folder) / "clip.mp4")
        return [_sampling(clip), _table_of_times(clip)]


def _sampling(clip: Path) -> Row:
    what = f"sampling {SECONDS} s of 1080p H.264 at 1 fps into RGB ÷ `ffmpeg -vf fps=1 -f null`"
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg is None:
        return Row(what, "not measured: no ffmpeg command on this machine", f"≤ {BAR}", met=False)
    command = [ffmpeg, "-v", "error", "-nostdin", "-i", str(clip), "-an", "-vf", "fps=1", "-f", "null", "-"]
    # Turn about, fastest of each: other load on the machine only adds.
    spent = [(_seconds(lambda: _sample(clip)), _seconds(lambda: _run(command))) for _ in range(ROUNDS)]
    ours, theirs = (min(times) for times in zip(*spent, strict=True))
    ratio = ours / theirs
    return Row(what, f"{ratio:.2f} ({ours:.2f} s ÷ {theirs:.2f} s)", f"≤ {BAR}", ratio <= BAR)


def _table_of_times(clip: Path) -> Row:
    video = open_video(clip)
    table = min(_seconds(video.times) for _ in range(ROUNDS))
    decoding = _seconds(lambda: _sample(clip))
    ratio = table / decoding
    return Row("all frame times, without decoding ÷ sampling", f"{ratio:.3f}", "≤ 0.1", ratio <= 0.1)


def _sample(clip: Path) -> None:
    seen = sum(1 for _ in open_video(clip, fps=1.0))
    assert seen == SECONDS


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _make_clip(path: Path) -> Path:
    """Texture that drifts, with a little grain: what a fixed camera gives an encoder to do."""
    random = np.random.default_rng(0)
    texture = random.integers(0, 256, (HEIGHT // 8, WIDTH // 8, 3), dtype=np.uint8)
    scene = np.kron(texture, np.ones((8, 8, 1), np.uint8))
    grain = random.integers(0, 12, (4, HEIGHT, WIDTH, 3), dtype=np.uint8)
    with av.open(str(path), "w") as output:
        stream = output.add_stream("libx264", rate=RATE, options={"preset": "fast", "crf": "23"})
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for count in range(RATE * SECONDS):
            moved = np.roll(scene, 3 * count, axis=1) // 2 + grain[count % len(grain)]
            output.mux(stream.encode(av.VideoFrame.from_ndarray(moved, "rgb24")))
        output.mux(stream.encode())
    return path


if __name__ == "__main__":
    print(markdown(rows()))
