"""What is kept of the past to see motion: two thumbnails. A value: fork it, save it, send it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stamina_video.semantics import InvalidInput

Grey = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """The last observation in grey, and what the scene looks like without the things that pass."""

    grey_HW: Grey
    background_HW: Grey

    def __post_init__(self) -> None:
        for name, array in self.arrays().items():
            assert array.dtype == np.uint8, f"{name} is {array.dtype}, not uint8"
            assert array.shape == self.grey_HW.shape, f"{name} is {array.shape}, not {self.grey_HW.shape}"

    def arrays(self) -> dict[str, NDArray[np.uint8]]:
        return {"grey_HW": self.grey_HW, "background_HW": self.background_HW}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Glimpse":
        """Undo `arrays`, as after loading a snapshot."""
        if set(arrays) != {"grey_HW", "background_HW"}:
            raise InvalidInput(
                f"expected grey_HW and background_HW, got {', '.join(sorted(arrays)) or 'nothing'}"
            )
        return cls(**{name: np.ascontiguousarray(array, dtype=np.uint8) for name, array in arrays.items()})
