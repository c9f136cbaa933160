"""Where the picture is taken from, and in what light, at a time."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stamina_video.data.world.motion import Track, sine, still
from stamina_video.data.world.space import cross, direction


@dataclass(frozen=True, slots=True)
class Camera:
    """Tracks of the eye and of the point it looks at; `zoom` is the distance of a picture of height 2."""

    eye: Track
    aim: Track
    zoom: Track = field(default_factory=lambda: still(2.4))
    shake: float = 0.0  # metres at the aim
    phases: tuple[float, ...] = (0.1, 0.4, 0.7, 0.2, 0.5, 0.8)

    def view(self, time: float, width: int, height: int, aspect: float) -> NDArray[np.float64]:
        """Eye, right, up, forward, then scale and centre of columns and of rows, for a grid of samples."""
        eye, aim = self.eye.at(time), self._shaken(time)
        forward, _ = direction(eye, aim)
        right, _ = direction((0, 0, 0), cross(forward, (0.0, 0.0, 1.0)))
        up = cross(right, forward)
        zoom = self.zoom.at(time)[0]
        scale_x, scale_y = zoom * width / 2 / aspect, zoom * height / 2
        return np.array(
            [eye, right, up, forward, (scale_x, 0, width / 2), (scale_y, 0, height / 2)], np.float64
        )

    def focus(self, time: float) -> tuple[tuple[float, float, float], float]:
        """What the eye rests on, without the shake, and how far away that is."""
        x, y, z = self.aim.at(time)
        return (x, y, z), direction(self.eye.at(time), (x, y, z))[1]

    def _shaken(self, time: float) -> tuple[float, float, float]:
        x, y, z = self.aim.at(time)
        p = self.phases
        return (
            x
            + self.shake
            * (sine(0.31 * time + p[0]) + 0.5 * sine(1.13 * time + p[1]) + 0.25 * sine(2.9 * time + p[2])),
            y,
            z
            + self.shake
            * (sine(0.27 * time + p[3]) + 0.5 * sine(1.37 * time + p[4]) + 0.25 * sine(3.3 * time + p[5])),
        )


@dataclass(frozen=True, slots=True)
class Light:
    """A key light with shadows, a fill, and the room's own light; `exposure` carries flashes and dimming."""

    towards: tuple[float, float, float]
    key: tuple[float, float, float]
    sky: tuple[float, float, float]
    ground: tuple[float, float, float]
    fill: tuple[float, float, float] = (0.15, 0.15, 0.18)
    exposure: Track = field(default_factory=lambda: still(1.0))

    def rows(self) -> NDArray[np.float64]:
        towards, _ = direction((0, 0, 0), self.towards)
        across, _ = direction((0, 0, 0), (-self.towards[0], self.towards[1] - 0.6, 0.7))
        return np.array([towards, self.key, self.sky, self.ground, across, self.fill], np.float64)

    def shadow_view(self, focus: tuple[float, float, float], reach: float, size: int) -> NDArray[np.float64]:
        """The same layout as a camera's view, looking along the light at what surrounds the focus."""
        towards, _ = direction((0, 0, 0), self.towards)
        eye = tuple(focus[i] + towards[i] * reach * 2 for i in range(3))
        forward = tuple(-c for c in towards)
        right, _ = direction((0, 0, 0), cross(forward, (0.0, 1.0, 0.05)))
        up = cross(right, forward)
        scale = size / 2 / reach
        return np.array([eye, right, up, forward, (scale, 0, size / 2), (scale, 0, size / 2)], np.float64)


@dataclass(frozen=True, slots=True)
class Sensor:
    """What the camera itself adds: the lens, the shutter, the chip and how its pictures are graded."""

    noise: float = 2.0  # levels out of 255
    softness: float = 0.2
    vignette: float = 0.5
    gain: float = 1.0  # over the light's own exposure
    shutter: float = 0.0  # seconds during which motion smears
    saturation: float = 1.0
    contrast: float = 0.0  # below zero flattens
    lift: float = 0.0  # how grey black is
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)

    def grade(self) -> NDArray[np.float64]:
        return np.array((self.saturation, self.contrast, self.lift, *self.tint))
