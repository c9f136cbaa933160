"""Who can be seen at a time, by geometry: the share of an entity's outline that is in frame and not covered.

Computed from the triangles the renderer draws, at one coarse resolution whatever size is rendered; light,
blur and noise change nothing.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from stamina_video.data.world.body import Entity
from stamina_video.data.world.camera import Camera
from stamina_video.data.world.raster import F32, I32
from stamina_video.data.world.stage import Stage

RATE = 10  # looks per second; between two looks the earlier one holds
ROWS = 96  # samples along the frame's height
ENTER = 0.35  # the share of the outline that makes an entity visible …
LEAVE = 0.20  # … and the share below which it is no longer: a threshold alone would flicker
SMALLEST = 0.0008  # of the frame's area


@dataclass(frozen=True, slots=True)
class Sighting:
    """One entity at one time. The box holds left, top, right, bottom of its visible part, 0 to 1."""

    entity: Entity
    box: tuple[float, float, float, float]
    fraction: float
    area: float


@dataclass(frozen=True, slots=True)
class Presence:
    """When one entity was visible: intervals from a start until before an end."""

    entity: Entity
    intervals: tuple[tuple[float, float], ...]

    def visible(self, time: float) -> bool:
        return any(start <= time < end for start, end in self.intervals)

    @property
    def first(self) -> float:
        return self.intervals[0][0]


class Eye:
    """Looks at a stage through a camera."""

    def __init__(self, stage: Stage, camera: Camera, aspect: float) -> None:
        self._stage, self._camera, self._aspect = stage, camera, aspect
        self._rows, self._columns = ROWS, round(ROWS * aspect)
        self._frame = _buffers(self._rows, self._columns)
        # Twice the frame each way: what lies outside counts towards an entity's whole outline.
        self._canvas = _buffers(2 * self._rows, 2 * self._columns)

    def look(self, time: float) -> list[Sighting]:
        """Every entity with some part in view."""
        rows, columns = self._rows, self._columns
        view = self._camera.view(time, columns, rows, self._aspect)
        # Whole samples from the canvas's middle, so that a sample is the same in the frame and on the canvas.
        view[4, 2], view[5, 2] = columns - columns // 2, rows - rows // 2
        posed = self._stage.posed(time, view[0])
        body_I = self._stage.body_I[posed.chosen_I]
        posed.draw(view, False, *self._frame)
        frame = self._frame[1]
        seen = np.where(frame >= 0, body_I[frame], -1)
        view[4, 2], view[5, 2] = columns, rows
        sightings = []
        for number in np.unique(seen[seen >= 0]):
            entity = self._stage.bodies[number].entity
            if entity is None:
                continue
            mine = seen == number
            box, area = _box(mine), int(mine.sum())
            posed.draw(view, False, *self._canvas, np.flatnonzero(body_I == number))
            whole = int((self._canvas[1] >= 0).sum())
            sightings.append(Sighting(entity, box, min(area / max(whole, 1), 1.0), area / (rows * columns)))
        return sightings

    def landmarks(self, time: float) -> list[Sighting]:
        """Every landmark in view. The box is that of all of it in frame: what covers it does not move it."""
        view = self._camera.view(time, self._columns, self._rows, self._aspect)
        posed = self._stage.posed(time, view[0])
        body_I = self._stage.body_I[posed.chosen_I]
        posed.draw(view, False, *self._frame)
        seen = np.where(self._frame[1] >= 0, body_I[self._frame[1]], -1)
        parts: dict[Entity, list[int]] = {}
        for number, body in enumerate(self._stage.bodies):
            if body.landmark is not None:
                parts.setdefault(body.landmark, []).append(number)
        sightings = []
        for landmark, bodies in parts.items():
            posed.draw(view, False, *self._frame, np.flatnonzero(np.isin(body_I, bodies)))
            alone = self._frame[1] >= 0
            if alone.any():
                area = int(np.isin(seen, bodies).sum())
                share = min(area / int(alone.sum()), 1.0)
                sightings.append(Sighting(landmark, _box(alone), share, area / alone.size))
        return sightings


def _buffers(rows: int, columns: int) -> tuple[F32, I32, I32]:
    size = (rows, columns)
    return np.empty(size, np.float32), np.empty(size, np.int32), np.empty(size, np.int32)


def _box(mask: NDArray[np.bool_]) -> tuple[float, float, float, float]:
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    height, width = mask.shape
    left, right, top, bottom = int(columns[0]), int(columns[-1]) + 1, int(rows[0]), int(rows[-1]) + 1
    return (left / width, top / height, right / width, bottom / height)


def presences(eye: Eye, duration: float) -> tuple[Presence, ...]:
    """Every entity that was ever visible, in the order of first appearance."""
    times = [k / RATE for k in range(int(duration * RATE) + 1) if k / RATE < duration] + [duration]
    open_since: dict[int, float] = {}
    found: dict[int, tuple[Entity, list[tuple[float, float]]]] = {}
    for now, _ in pairwise(times):
        sightings = {sighting.entity.id: sighting for sighting in eye.look(now)}
        for number in list(open_since):
            if number not in sightings or not _clear(sightings[number], LEAVE):
                found[number][1].append((open_since.pop(number), now))
        for number, sighting in sightings.items():
            if number not in open_since and _clear(sighting, ENTER):
                found.setdefault(number, (sighting.entity, []))
                open_since[number] = now
    for number, since in open_since.items():
        found[number][1].append((since, duration))
    kept = [Presence(entity, tuple(intervals)) for entity, intervals in found.values()]
    return tuple(sorted(kept, key=lambda presence: (presence.first, presence.entity.id)))


def _clear(sighting: Sighting, share: float) -> bool:
    return sighting.fraction >= share and sighting.area >= SMALLEST
