"""A live stream after an interruption: it counts and times its pictures from 0 again, the session goes on."""

import time as clock
from dataclasses import dataclass, replace

from stamina_video.semantics import Observation
from stamina_video.video import Gap

AWAY = "the session was not running"


@dataclass(frozen=True, slots=True)
class Shift:
    """What lies between the stream's own numbers and those of the session."""

    observations: int = 0
    seconds: float = 0.0

    def moved(self, observation: Observation) -> Observation:
        if not self.observations and not self.seconds:
            return observation
        index, time = observation.index + self.observations, observation.time + self.seconds
        return replace(observation, index=index, time=time)

    def moved_gap(self, gap: Gap) -> Gap:
        return gap.shifted(self.seconds)


def rejoined(first: Observation, observations: int, time: float, wall: float) -> Shift:
    """The shift of a stream that had come so far at that moment; the wall clock measures the time away."""
    away = max(clock.time() - wall, 0.0)  # a clock that was set back does not turn time back
    return Shift(observations - first.index, time + away - first.time)
