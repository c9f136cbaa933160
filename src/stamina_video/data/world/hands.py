"""Choreography of one hand: reach, grip, carry, release, hover. Returns the moments that truth is made of."""

from collections.abc import Sequence

from stamina_video.data.world.builder import Prop
from stamina_video.data.world.motion import Path, Track, Vector

OPEN, GRIP = 0.05, 0.62  # how far the fingers curl
CLEAR = 0.16  # metres a hand travels above what stands on a surface


class Hand:
    """One hand's path of grasped point and curl, and the props it moves along."""

    def __init__(self, home: Sequence[float], start: float, pace: float = 1.0) -> None:
        self.home = tuple(home)
        self.path = Path(start, (*self.home, OPEN))
        self._pace = pace
        self._held: Prop | None = None
        self._turn: Vector = (0.0, 0.0, 0.0)

    @property
    def now(self) -> float:
        return self.path.now

    def track(self) -> Track:
        return self.path.track()

    def wait(self, seconds: float) -> None:
        self._move(self.path.here[:3], seconds, self.path.here[3])

    def wait_until(self, time: float) -> None:
        if time > self.now:
            self.wait(time - self.now)

    def go(self, point: Sequence[float], seconds: float) -> None:
        self._move(point, seconds / self._pace, self.path.here[3])

    def over(self, point: Sequence[float]) -> None:
        """Travel to a point in an arc above what stands around."""
        x, y, z = self.path.here[:3]
        top = max(z, point[2] + CLEAR)
        self.go(((x + point[0]) / 2, (y + point[1]) / 2, top), 0.55)
        self.go(point, 0.6)

    def grip(self, prop: Prop) -> float:
        """Come down on a prop and close the fingers; the moment they hold."""
        self.over(_grasp(prop, prop.path.here))
        self._move(self.path.here[:3], 0.25, GRIP)
        prop.path.wait_until(self.now)
        self._held, self._turn = prop, prop.path.here[3:]
        return self.now

    def lift(self) -> float:
        """Raise what is held; the moment it leaves its place."""
        left = self.now
        x, y, z = self.path.here[:3]
        self.go((x, y, z + CLEAR), 0.45)
        return left

    def bring(self, place: Sequence[float]) -> float:
        """Carry what is held to a place and set it down, still held; the moment it stands."""
        assert self._held is not None, "only what is held can be brought"
        self.over(_grasp(self._held, place))
        return self.now

    def release(self) -> float:
        """Open the fingers; the moment they let go."""
        self._held = None
        self._move(self.path.here[:3], 0.3, OPEN)
        return self.now

    def home_again(self) -> float:
        """Leave; the moment the hand is clear of what it let go."""
        x, y, z = self.path.here[:3]
        self.go((x, y, z + CLEAR), 0.4)
        clear = self.now
        self.over(self.home)
        return clear

    def adopt(self, prop: Prop) -> None:
        """Take over what another hand has just let go, where it is."""
        self.wait_until(prop.path.now)
        self.path.to((*_grasp(prop, prop.path.here), GRIP), 0.15)
        prop.path.wait_until(self.now)
        self._held, self._turn = prop, prop.path.here[3:]

    def _move(self, point: Sequence[float], seconds: float, curl: float) -> None:
        self.path.to((*point[:3], curl), seconds)
        if self._held is not None:
            drop = _height(self._held)
            self._held.path.to(
                (point[0], point[1], point[2] - drop, *self._turn), self.now - self._held.path.now
            )


def _height(prop: Prop) -> float:
    return prop.height * 0.92


def _grasp(prop: Prop, pose: Sequence[float]) -> Vector:
    return (pose[0], pose[1], pose[2] + _height(prop))
