"""What a detector could have reported: things with boxes over time, from a scene or from followed boxes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stamina_video.data.perception.stream import CLUTTER, Floats, Ints, Stream, areas
from stamina_video.data.perception.tracks import Track
from stamina_video.data.world.camera import Camera
from stamina_video.data.world.kinds import KINDS
from stamina_video.data.world.scene import Scene

SMOOTHED = 5  # observations: what shakes faster than this is the detector, not the thing
UNNAMED = -1  # a thing for which the detector has no class


@dataclass(frozen=True, slots=True, eq=False)
class Things:
    """E things at T times. `shown` is the visible share of each, nought where it is out of view."""

    times_T: NDArray[np.float64]
    ids_E: Ints
    classes_E: Ints
    boxes_TE4: Floats
    shown_TE: Floats
    drift_TE2: Floats  # how the camera moved what lies there, in hundredths of the longer side
    scale_2: Floats  # hundredths of the longer side in the image's width and height


def things_of(scene: Scene, times: Sequence[float], vocabulary: Sequence[str]) -> Things:
    """The entities of a scene; it is looked at as truth looks at it, and not rendered."""
    looks = [scene.boxes(time) for time in times]
    ids = sorted({sighting.entity.id for look in looks for sighting in look})
    kinds = {sighting.entity.id: sighting.entity.kind for look in looks for sighting in look}
    column = {number: index for index, number in enumerate(ids)}
    boxes_TE4 = np.zeros((len(looks), len(ids), 4), np.float32)
    shown_TE = np.zeros((len(looks), len(ids)), np.float32)
    for row, look in enumerate(looks):
        for sighting in look:
            boxes_TE4[row, column[sighting.entity.id]] = sighting.box
            shown_TE[row, column[sighting.entity.id]] = sighting.fraction
    words = {word: index for index, word in enumerate(vocabulary)}
    scale_2 = 100 * np.array((scene.aspect, 1.0), np.float32) / max(scene.aspect, 1.0)
    return Things(
        np.asarray(times, np.float64),
        np.array(ids, np.int64),
        np.array([words.get(_class(kinds[number]), UNNAMED) for number in ids], np.int64),
        boxes_TE4,
        shown_TE,
        _drift(scene.camera, scene.aspect, times, _centres(boxes_TE4)) * scale_2,
        scale_2,
    )


def things_followed(stream: Stream, tracks: Sequence[Track]) -> Things:
    """Tracks as if they were things: seen throughout, smooth, and behind whatever stands lower."""
    frames, things = len(stream), len(tracks)
    boxes_TE4 = np.zeros((frames, things, 4), np.float32)
    drift_TE2 = np.zeros((frames, things, 2), np.float32)
    present_TE = np.zeros((frames, things), np.bool_)
    for e, track in enumerate(tracks):
        span = np.arange(track.frames_D[0], track.frames_D[-1] + 1)
        present_TE[span, e] = True
        for side in range(4):
            known = stream.boxes_N4[track.rows_D, side]
            boxes_TE4[span, e, side] = _smooth(np.interp(span, track.frames_D, known))
        camera = stream.motion_NM[track.rows_D, 1:3] - stream.motion_NM[track.rows_D, 5:7]
        drift_TE2[track.frames_D, e] = camera
    classes = [np.bincount(stream.classes_N2[track.rows_D, 0]).argmax() for track in tracks]
    shown_TE = np.where(present_TE, 1 - covered(boxes_TE4, present_TE), 0).astype(np.float32)
    return Things(
        stream.times_T,
        np.full(things, CLUTTER, np.int64),
        np.array(classes, np.int64),
        boxes_TE4,
        np.where(present_TE, np.maximum(shown_TE, 0.05), 0).astype(np.float32),
        drift_TE2,
        np.full(2, 100, np.float32),
    )


def covered(boxes_TE4: Floats, present_TE: NDArray[np.bool_]) -> Floats:
    """The greatest share of a thing that one standing before it covers: before is whose foot is lower."""
    low_TEE2 = np.maximum(boxes_TE4[:, :, None, :2], boxes_TE4[:, None, :, :2])
    high_TEE2 = np.minimum(boxes_TE4[:, :, None, 2:], boxes_TE4[:, None, :, 2:])
    shared_TEE = np.maximum(high_TEE2 - low_TEE2, 0).prod(axis=-1)
    before_TEE = (boxes_TE4[:, None, :, 3] > boxes_TE4[:, :, None, 3]) & present_TE[:, None, :]
    share_TEE = np.where(before_TEE, shared_TEE, 0) / np.maximum(areas(boxes_TE4), 1e-6)[:, :, None]
    return np.asarray(share_TEE.max(axis=2, initial=0), np.float32)


def _class(kind: str) -> str:
    return KINDS[kind].like if kind in KINDS else kind


def _centres(boxes_TE4: Floats) -> Floats:
    return np.asarray((boxes_TE4[..., :2] + boxes_TE4[..., 2:]) / 2, np.float32)


def _smooth(values: NDArray[np.float64]) -> NDArray[np.float64]:
    width = min(SMOOTHED, len(values) - 1 + len(values) % 2)
    padded = np.pad(values, width // 2, mode="reflect", reflect_type="odd") if width > 1 else values
    return np.convolve(padded, np.full(width, 1 / width), mode="valid")


def _drift(camera: Camera, aspect: float, times: Sequence[float], centres_TE2: Floats) -> Floats:
    """How far a still point behind each centre, as far off as the camera's aim, has moved in the image."""
    drift_TE2 = np.zeros_like(centres_TE2)
    for row in range(1, len(times)):
        _, far = camera.focus(times[row])
        now, before = (camera.view(times[k], 1, 1, aspect) for k in (row, row - 1))
        across_E = (centres_TE2[row, :, 0] - now[4, 2]) / now[4, 0]
        down_E = (now[5, 2] - centres_TE2[row, :, 1]) / now[5, 0]
        point_E3 = now[0] + far * (now[3] + across_E[:, None] * now[1] + down_E[:, None] * now[2])
        away_E3 = point_E3 - before[0]
        depth_E = np.maximum(away_E3 @ before[3], 0.05)
        was_E2 = np.stack(
            [
                before[4, 2] + before[4, 0] * (away_E3 @ before[1]) / depth_E,
                before[5, 2] - before[5, 0] * (away_E3 @ before[2]) / depth_E,
            ],
            axis=1,
        )
        drift_TE2[row] = np.clip(centres_TE2[row] - was_E2, -1, 1)
    return drift_TE2
