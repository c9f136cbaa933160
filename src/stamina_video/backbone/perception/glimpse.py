"""What is kept of the past to see motion and to go on with things. A value: fork it, save it, send it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.perception.files import Files
from stamina_video.backbone.perception.landmarks import Landmarks
from stamina_video.semantics import InvalidInput

Grey = NDArray[np.uint8]
THUMBNAILS = ("grey_HW", "background_HW")
FILES = ("things", "regions")
LANDMARKS = "landmarks"


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """The last observation in grey, what the scene looks like without what passes, and open files."""

    grey_HW: Grey
    background_HW: Grey
    things: Files | None = None
    regions: Files | None = None
    landmarks: Landmarks | None = None

    def __post_init__(self) -> None:
        for name in THUMBNAILS:
            array = getattr(self, name)
            assert array.dtype == np.uint8, f"{name} is {array.dtype}, not uint8"
            assert array.shape == self.grey_HW.shape, f"{name} is {array.shape}, not {self.grey_HW.shape}"

    def arrays(self) -> dict[str, NDArray[Any]]:
        named: dict[str, NDArray[Any]] = {name: getattr(self, name) for name in THUMBNAILS}
        for name in FILES:
            files: Files | None = getattr(self, name)
            if files is not None:
                named |= {f"{name}.{part}": array for part, array in files.arrays().items()}
        if self.landmarks is not None:
            named |= {f"{LANDMARKS}.{part}": array for part, array in self.landmarks.arrays().items()}
        return named

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Glimpse":
        """Undo `arrays`, as after loading a snapshot."""
        if not set(THUMBNAILS) <= set(arrays):
            raise InvalidInput(
                f"expected grey_HW and background_HW, got {', '.join(sorted(arrays)) or 'nothing'}"
            )
        grey_HW, background_HW = (np.ascontiguousarray(arrays[name], dtype=np.uint8) for name in THUMBNAILS)
        things, regions = (
            Files.from_arrays(mine) if (mine := _part(arrays, name)) else None for name in FILES
        )
        landmarks = Landmarks(**mine) if (mine := _part(arrays, LANDMARKS)) else None
        return cls(grey_HW, background_HW, things, regions, landmarks)


def _part(arrays: Mapping[str, NDArray[Any]], name: str) -> dict[str, NDArray[Any]]:
    prefix = f"{name}."
    return {key.removeprefix(prefix): array for key, array in arrays.items() if key.startswith(prefix)}
