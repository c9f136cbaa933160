"""A scene: a pure description, and what can be asked of it."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stamina_video.data.world.body import Body
from stamina_video.data.world.camera import Camera, Light, Sensor
from stamina_video.data.world.counted import Counted
from stamina_video.data.world.render import Renderer
from stamina_video.data.world.script import Occurrence
from stamina_video.data.world.stage import Stage
from stamina_video.data.world.truth import Truth
from stamina_video.data.world.visibility import Eye, Sighting, presences
from stamina_video.semantics import InvalidInput, Target, seconds


@dataclass(frozen=True, eq=False)
class Scene:
    """Bodies, camera, light and script of one video. `aspect` is width over height of its field of view."""

    family: str
    seed: int
    split: str
    duration: float
    aspect: float
    bodies: tuple[Body, ...]
    camera: Camera
    light: Light
    sensor: Sensor
    script: tuple[Occurrence, ...]
    counted: tuple[Counted, ...]
    twins: frozenset[str] = field(default_factory=frozenset)  # nuisances this scene carries, by name

    @property
    def targets(self) -> tuple[Target, ...]:
        return tuple(counted.target for counted in self.counted)

    def frame(self, time: float, size: tuple[int, int] | None = None) -> NDArray[np.uint8]:
        """The picture at a time, height × width × 3. The size (width, height) resamples one field of view."""
        width, height = size or self.size(224)
        if width < 1 or height < 1:
            raise InvalidInput(f"expected a size from 1 × 1, got {width} × {height}")
        return self._renderer.frame(self._within(time), width, height)

    def size(self, height: int) -> tuple[int, int]:
        """Width and height of an undistorted frame; even, as video encoders want it."""
        return 2 * round(height * self.aspect / 2), height

    def boxes(self, time: float) -> list[Sighting]:
        """Every entity with some part in view: who, where, and how much of it can be seen."""
        return self._eye.look(self._within(time))

    def landmarks(self, time: float) -> list[Sighting]:
        """What is passed, entered or stood on, where it is in view; none of it is counted."""
        return self._eye.landmarks(self._within(time))

    @cached_property
    def truth(self) -> Truth:
        return Truth(self.duration, presences(self._eye, self.duration), self.script, self.counted)

    @cached_property
    def _stage(self) -> Stage:
        return Stage(self.bodies)

    @cached_property
    def _eye(self) -> Eye:
        return Eye(self._stage, self.camera, self.aspect)

    @cached_property
    def _renderer(self) -> Renderer:
        return Renderer(self._stage, self.camera, self.light, self.sensor, self.aspect, self.seed)

    def _within(self, time: float) -> float:
        if not 0 <= seconds(time, "a time") <= self.duration:
            raise InvalidInput(f"expected a time from 0 to {self.duration:g} s, got {time:g}")
        return time
