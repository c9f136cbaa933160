"""Lowers a live stream's rate to what the machine sustains. Knows nothing of models."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from statistics import median

from stamina_video.semantics import Observation
from stamina_video.video import Gap

WARM_UP = 2  # the first observations also pay for loading
MEASURED = 8
MARGIN = 0.9  # leaves time for decoding and for a busy moment


def throttled(
    items: Iterable[Observation | Gap], fps: float, say: Callable[[str], None]
) -> Iterator[Observation | Gap]:
    """A live stream at `fps`, or at what its consumer keeps up with once a few observations were timed."""
    throttle = Throttle(fps, say)
    for item in items:
        passed = item if isinstance(item, Gap) else throttle.admit(item)
        if passed is None:
            continue
        started = time.monotonic()
        yield passed
        if isinstance(passed, Observation):
            throttle.took(time.monotonic() - started)


class Throttle:
    """Lets pass what there is time for, numbered anew: a session wants its observations without holes."""

    def __init__(self, fps: float, say: Callable[[str], None]) -> None:
        self.fps = fps
        self._say = say
        self._spent: list[float] = []
        self._interval: float | None = None  # between observations, once the rate was lowered
        self._due = 0.0
        self._passed = 0

    def admit(self, observation: Observation) -> Observation | None:
        """The observation under its new number, or None where it is left out."""
        if self._interval is not None:
            if observation.time < self._due:
                return None
            # From the grid, not from the last one: rounding up each time would lower the rate further.
            following = self._due + self._interval
            self._due = following if following > observation.time else observation.time + self._interval
        self._passed += 1
        return replace(observation, index=self._passed - 1)

    def took(self, seconds: float) -> None:
        """Learn how long one observation took; after a few of them the rate is settled."""
        if len(self._spent) == WARM_UP + MEASURED:
            return
        self._spent.append(seconds)
        if len(self._spent) < WARM_UP + MEASURED:
            return
        sustained = MARGIN / median(self._spent[WARM_UP:])
        if sustained < self.fps:
            self._say(
                f"observing {sustained:.2g} frames a second instead of {self.fps:g}: "
                f"this machine sustains no more, and fast events may be missed"
            )
            self.fps, self._interval = sustained, 1 / sustained
