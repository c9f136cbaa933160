"""Choreography of one pair of feet: walk, turn, stand."""

import math
from collections.abc import Sequence

from stamina_video.data.world.motion import Path, Track

SPEED = 1.25  # metres a second


class Walk:
    """A figure's root path: x, y, yaw, metres walked, how much it walks."""

    def __init__(self, start: float, x: float, y: float, yaw: float = 0.0, pace: float = 1.0) -> None:
        self.path = Path(start, (x, y, yaw, 0.0, 0.0))
        self._pace = pace

    @property
    def now(self) -> float:
        return self.path.now

    def track(self) -> Track:
        return self.path.track()

    def to(self, x: float, y: float) -> None:
        """Turn towards a point and walk there."""
        here = self.path.here
        dx, dy = x - here[0], y - here[1]
        far = math.sqrt(dx * dx + dy * dy)
        self.turn(math.atan2(-dx, dy) / (2 * math.pi), 1.0)
        self.path.to((x, y, self.path.here[2], here[3] + far, 1.0), far / (SPEED * self._pace))

    def along(self, points: Sequence[Sequence[float]]) -> None:
        for x, y in points:
            self.to(x, y)

    def turn(self, yaw: float, walking: float = 0.0) -> None:
        """Face another way by the shorter turn."""
        x, y, now, walked, _ = self.path.here
        by = round(((yaw - now + 0.5) % 1.0 - 0.5) * 2**20) / 2**20
        self.path.to((x, y, now + by, walked, walking), 0.15 + 0.9 * abs(by))

    def stand(self, seconds: float) -> None:
        x, y, yaw, walked, _ = self.path.here
        self.path.to((x, y, yaw, walked, 0.0), 0.25)
        self.path.wait(max(seconds - 0.25, 0.0))

    def stand_until(self, time: float) -> None:
        if time > self.now + 0.25:
            self.stand(time - self.now)
