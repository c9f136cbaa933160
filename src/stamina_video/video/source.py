"""What every source offers; the schedules are the same for all of them."""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence

from stamina_video.semantics import full_indices
from stamina_video.video.frame import Items
from stamina_video.video.schedule import latest_at_ticks, up_to


class Source(ABC):
    """A sequence of frames in display order, with the gaps between them."""

    name: str
    size: tuple[int, int] | None = None  # width and height as shown, once known
    rate: float | None = None  # the declared average, in frames a second
    duration: float | None = None  # as declared, in seconds

    @property
    def is_live(self) -> bool:
        """Whether what it shows is shown once and never again."""
        return False

    @abstractmethod
    def frames(self) -> Items: ...

    def stream(self, fps: float, until: float | None = None) -> Items:
        """Stream access: the latest frame at each grid time, each once, as they come."""
        return latest_at_ticks(up_to(self.frames(), until), fps)

    @abstractmethod
    def close(self) -> None:
        """End what is being read, from any thread."""


class Recording(Source):
    """A source with an end, whose frame times are known without decoding it."""

    def close(self) -> None:
        """Nothing to end: every reading opens the recording afresh and closes it itself."""

    @abstractmethod
    def times(self) -> list[float]: ...

    @abstractmethod
    def select(self, indices: Sequence[int]) -> Items:
        """Only the frames at these ascending positions."""

    def full(self, budget: int, until: float | None = None) -> Items:
        """Full access: at most `budget` frames spread over those no later than `until`."""
        times = self.times()
        reached = len(times) if until is None else bisect_right(times, until)
        return up_to(self.select(full_indices(reached, budget)), until)
