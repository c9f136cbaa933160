"""Motion between two observations: dense flow, the camera's share of it, and what stands out of the scene."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.perception.boxes import box_means
from stamina_video.backbone.perception.camera import camera_motion, corner_shift, warped
from stamina_video.backbone.perception.detector import Image
from stamina_video.backbone.perception.glimpse import Glimpse, Grey
from stamina_video.backbone.perception.percept import Floats

LONG_SIDE = 256
SHORTEST = 32  # the flow's pyramid needs this much
SETTLE_STILL, SETTLE_CHANGING = 4, 1  # grey levels the background moves towards the image at each observation
STEADY, PANNING = 0.5, 2.0  # pixels of the thumbnail the camera shifts its corners by
STANDS_OUT = 24  # grey levels between a thing and its background
MOVES = 1.0  # pixels of the thumbnail, beyond the camera
CHANGED = 6  # grey levels: flow on a surface that did not change is noise
CUT = 0.6  # when this much of the image stands out, it is another scene

# Displacements are in hundredths of the longer side, differences in hundredths of full scale.
MOTION_CHANNELS = (
    "known",  # 0 at the first observation, when nothing below means anything
    *("dx", "dy", "speed", "spread"),
    *("own_dx", "own_dy", "own_speed"),  # without the camera's motion
    *("moving", "foreground"),  # shares of the box
    *("difference", "standing_out"),
)

SPEED, SPREAD, MOVING, DIFFERENCE = (
    MOTION_CHANNELS.index(name) - 1 for name in ("speed", "spread", "moving", "difference")
)


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Fields over a thumbnail: the motion channels but the first, with the speed squared for its spread."""

    field_HWC: Floats
    active_HW: NDArray[np.bool_]  # where something moves or stands out
    known: bool

    def over(self, boxes_N4: Floats) -> Floats:
        """The motion channels of each box."""
        means_NC = box_means(self.field_HWC, boxes_N4)
        speed_N, square_N = means_NC[:, SPEED], means_NC[:, SPREAD]
        means_NC[:, SPREAD] = np.sqrt(np.maximum(square_N - speed_N**2, 0))
        known_N1 = np.full((len(boxes_N4), 1), self.known, np.float32)
        return np.concatenate([known_N1, means_NC], axis=1)

    @property
    def energy_HW(self) -> Floats:
        return np.asarray(self.field_HWC[..., DIFFERENCE:].sum(axis=-1), np.float32)


def look(image_HW3: Image, previous: Glimpse | None) -> tuple[Motion, Glimpse]:
    """The motion since the previous observation, and what to keep for the next."""
    grey_HW = _thumbnail(image_HW3)
    if previous is None or previous.grey_HW.shape != grey_HW.shape:
        return _unknown(grey_HW.shape), Glimpse(grey_HW, grey_HW)
    back_HW2 = _flow(grey_HW, previous.grey_HW)
    camera_23 = camera_motion(grey_HW, previous.grey_HW, back_HW2)
    before_HW, background_HW = _carried(previous, camera_23)
    difference_HW = np.asarray(cv2.absdiff(grey_HW, before_HW), np.uint8)
    standing_HW = np.asarray(cv2.absdiff(grey_HW, background_HW), np.uint8)
    field_HWC = _field(back_HW2, camera_23, difference_HW, standing_HW)
    is_cut = np.mean(standing_HW > STANDS_OUT) > CUT
    settled_HW = grey_HW if is_cut else _settled(background_HW, grey_HW, difference_HW)
    # Ground that something just left changes too, and its flow is a guess; but it looks like the background.
    moving_HW = (field_HWC[..., MOVING] > 0) & (standing_HW > STANDS_OUT / 2)
    return Motion(field_HWC, moving_HW | (standing_HW > STANDS_OUT), known=True), Glimpse(grey_HW, settled_HW)


def _unknown(shape: tuple[int, ...]) -> Motion:
    field_HWC = np.zeros((*shape, len(MOTION_CHANNELS) - 1), np.float32)
    return Motion(field_HWC, np.zeros(shape, np.bool_), known=False)


def _thumbnail(image_HW3: Image) -> Grey:
    shrink = LONG_SIDE / max(image_HW3.shape[:2])
    height, width = (max(SHORTEST, round(side * shrink)) for side in image_HW3.shape[:2])
    small = cv2.resize(image_HW3, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), np.uint8)


def _flow(grey_HW: Grey, before_HW: Grey) -> Floats:
    """From every pixel now to where it was: the tokens' boxes lie in the present image."""
    rest_HW2 = np.zeros((*grey_HW.shape, 2), np.float32)
    flow = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM).calc(grey_HW, before_HW, rest_HW2)
    return np.asarray(flow, np.float32)


def _carried(previous: Glimpse, camera_23: NDArray[np.float64]) -> tuple[Grey, Grey]:
    """The last image and the background as the camera would see them now."""
    shift = corner_shift(camera_23, previous.grey_HW.shape)
    if shift < STEADY:
        return previous.grey_HW, previous.background_HW  # interpolating again and again would blur what stays
    before_HW = warped(previous.grey_HW, camera_23)
    # A camera that pans has no background: what stands out is then what differs from the last image.
    return before_HW, before_HW if shift > PANNING else warped(previous.background_HW, camera_23)


def _settled(background_HW: Grey, grey_HW: Grey, difference_HW: Grey) -> Grey:
    """A small step nearer to the image, larger where nothing changes: ghosts of what left must fade."""
    step_HW = np.where(difference_HW > CHANGED, SETTLE_CHANGING, SETTLE_STILL).astype(np.int16)
    gap_HW = grey_HW.astype(np.int16) - background_HW
    return np.asarray(background_HW + gap_HW.clip(-step_HW, step_HW), np.uint8)


def _field(
    back_HW2: Floats, camera_23: NDArray[np.float64], difference_HW: Grey, standing_HW: Grey
) -> Floats:
    height, width = difference_HW.shape
    y, x = np.mgrid[:height, :width].astype(np.float32)
    (zoom_x, shear_x, shift_x), (shear_y, zoom_y, shift_y) = camera_23.astype(np.float32)
    own_x = x * (zoom_x - 1) + y * shear_x + shift_x - back_HW2[..., 0]
    own_y = x * shear_y + y * (zoom_y - 1) + shift_y - back_HW2[..., 1]
    speed, own_speed = cv2.magnitude(back_HW2[..., 0], back_HW2[..., 1]), cv2.magnitude(own_x, own_y)
    foreground = standing_HW > STANDS_OUT
    moving = (own_speed > MOVES) & (difference_HW > CHANGED)
    hundredth = 100 / max(height, width)
    return np.stack(
        [
            -back_HW2[..., 0] * hundredth,
            -back_HW2[..., 1] * hundredth,
            speed * hundredth,
            (speed * hundredth) ** 2,
            own_x * hundredth,
            own_y * hundredth,
            own_speed * hundredth,
            moving,
            foreground,
            difference_HW * np.float32(100 / 255),
            standing_HW * np.float32(100 / 255),
        ],
        axis=-1,
        dtype=np.float32,
    )
