"""A small video whose every frame can be told from its colour."""

from pathlib import Path

import av
import numpy as np

FPS = 4


def film(path: Path, seconds: float, step: int = 4) -> None:
    """Grey frames that get brighter by `step` each."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=FPS, options={"crf": "0"})
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for number in range(int(seconds * FPS)):
            image = np.full((48, 64, 3), number * step, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")))
        container.mux(stream.encode())
