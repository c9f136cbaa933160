"""Frames of a scene: a pure function of the scene and the time."""

import numpy as np

from stamina_video.data.world.camera import Camera, Light, Sensor
from stamina_video.data.world.lens import develop, smear, soften
from stamina_video.data.world.raster import F32, F64, I32, U8
from stamina_video.data.world.shade import shade
from stamina_video.data.world.stage import Posed, Stage

SHADOW = 224  # samples along a side of the shadow map


class Renderer:
    """Draws one scene at any time and size; the size resamples the same field of view."""

    def __init__(
        self, stage: Stage, camera: Camera, light: Light, sensor: Sensor, aspect: float, seed: int
    ) -> None:
        self._stage, self._camera, self._light, self._sensor = stage, camera, light, sensor
        self._aspect, self._seed = aspect, seed
        self._shadow = np.empty((SHADOW, SHADOW), np.float32)
        self._shadow_id = np.empty((SHADOW, SHADOW), np.int32)
        self._shadow_triangle = np.empty((SHADOW, SHADOW), np.int32)
        self._buffers: dict[tuple[int, int], tuple[F32, I32, I32, F32, F32, F32]] = {}

    def frame(self, time: float, width: int, height: int) -> U8:
        depth, instance, triangle, image, work, motion = self._buffers_of(width, height)
        view = self._camera.view(time, 2 * width, 2 * height, self._aspect)
        posed = self._stage.posed(time, view[0], folded=True)
        posed.draw(view, False, depth, instance, triangle)
        shadow_view = self._cast(posed, time)
        stage, sensor, opened = self._stage, self._sensor, time - self._sensor.shutter
        before = stage.points(opened, posed) if sensor.shutter else posed.xyz
        shade(
            instance, triangle, posed.xyz, posed.facing, stage.texture_V2, stage.texels_T, stage.triangles_T3,
            posed.shift_I, stage.materials_I8[posed.chosen_I], stage.textures_KX3, view, self._light.rows(),
            self._shadow, shadow_view, image, before,
            self._camera.view(opened, 2 * width, 2 * height, self._aspect), motion,
        )  # fmt: skip
        if sensor.shutter:
            smear(image, motion, work)
        if sensor.softness:
            soften(image, sensor.softness, work)
        out = np.empty((height, width, 3), np.uint8)
        grain = (self._seed * 2654435761 + round(time * 1000) * 40503) & 0xFFFFFFFF
        exposure = self._light.exposure.at(time)[0] * sensor.gain
        develop(image, exposure, sensor.vignette, sensor.grade(), sensor.noise, grain, out)
        return out

    def _cast(self, posed: Posed, time: float) -> F64:
        """The shadow map around what the camera looks at."""
        focus, far = self._camera.focus(time)
        shadow_view = self._light.shadow_view(focus, 0.35 + 0.7 * far, SHADOW)
        posed.draw(shadow_view, True, self._shadow, self._shadow_id, self._shadow_triangle)
        return shadow_view

    def _buffers_of(self, width: int, height: int) -> tuple[F32, I32, I32, F32, F32, F32]:
        if (width, height) not in self._buffers:
            samples, pixels = (2 * height, 2 * width), (height, width, 3)
            self._buffers[width, height] = (
                np.empty(samples, np.float32),
                np.empty(samples, np.int32),
                np.empty(samples, np.int32),
                np.empty(pixels, np.float32),
                np.empty(pixels, np.float32),
                np.empty((height, width, 2), np.float32),
            )
        return self._buffers[width, height]
