"""One decoded source frame: its time is read at once, its pixels only when asked for."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any, cast

import av
import numpy as np
from numpy.typing import NDArray

from stamina_video.video.gap import Gap

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame at `time` seconds after the first one; `index` counts source frames in display order."""

    time: float
    index: int
    picture: av.VideoFrame

    @property
    def image(self) -> Image:
        """RGB, uint8, (height, width, 3), upright."""
        # Contiguous and with positive strides, as torch wants it; a copy only where it is not so already.
        return np.ascontiguousarray(_upright(_rgb(self.picture), self.picture))

    def shifted(self, seconds: float, frames: int) -> "Frame":
        return replace(self, time=self.time + seconds, index=self.index + frames)


Items = Generator[Frame | Gap, None, None]  # in order of time


def displayed_size(picture: av.VideoFrame) -> tuple[int, int]:
    """Width and height as shown, after rotation."""
    matrix = _display_matrix(picture)
    turned = matrix is not None and _is_turned(matrix)
    return (picture.height, picture.width) if turned else (picture.width, picture.height)


def _rgb(picture: av.VideoFrame) -> Image:
    plane = picture.reformat(format="rgb24").planes[0]
    # A view of libav's own buffer, whose rows may be padded.
    rows = np.frombuffer(cast(Any, plane), np.uint8).reshape(plane.height, plane.line_size)
    return rows[:, : plane.width * 3].reshape(plane.height, plane.width, 3)


def _upright(image: Image, picture: av.VideoFrame) -> Image:
    matrix = _display_matrix(picture)
    if matrix is None:
        return image
    if _is_turned(matrix):
        image, down, right = image.transpose(1, 0, 2), matrix[0, 1], matrix[1, 0]
    else:
        down, right = matrix[1, 1], matrix[0, 0]
    return image[:: -1 if down < 0 else 1, :: -1 if right < 0 else 1]


def _is_turned(matrix: NDArray[np.int32]) -> bool:
    """Whether columns become rows; angles between quarter turns go to the nearest one."""
    return bool(abs(matrix[0, 1]) > abs(matrix[0, 0]))


def _display_matrix(picture: av.VideoFrame) -> NDArray[np.int32] | None:
    # (x, y) is shown at (ax + cy, bx + dy) for the rows (a, b, ·), (c, d, ·) of the matrix.
    data = cast(Any, picture.side_data).get("DISPLAYMATRIX")
    return None if data is None else np.frombuffer(bytes(data), np.int32).reshape(3, 3)
