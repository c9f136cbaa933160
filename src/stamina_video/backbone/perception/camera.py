"""The camera's share of a flow field: a shift, turn and zoom of the image, if it explains the change."""

import cv2
import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.perception.glimpse import Grey
from stamina_video.backbone.perception.percept import Floats

Affine = NDArray[np.float64]  # (2, 3): from a pixel now to where it was

STEP = 8  # pixels between the places of the flow that are asked
LOUD = 20  # grey levels: a pixel that differs more says no more than this
CONVINCING = 0.9  # of the change left over, or less

STILL_23 = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def camera_motion(grey_HW: Grey, before_HW: Grey, back_HW2: Floats) -> Affine:
    """How the camera moved; it stood still unless its motion brings the two images clearly closer."""
    fitted_23 = _fitted(back_HW2)
    # On plain walls the flow only repeats what a body before them does.
    convincing = _misfit(grey_HW, warped(before_HW, fitted_23)) < CONVINCING * _misfit(grey_HW, before_HW)
    return fitted_23 if convincing else STILL_23


def corner_shift(camera_23: Affine, shape: tuple[int, ...]) -> float:
    """How far the camera moves the corners of an image at most, in pixels."""
    height, width = shape
    corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]], np.float64)
    return float(np.abs(corners @ camera_23.T - corners[:, :2]).max())


def warped(earlier_HW: Grey, camera_23: Affine) -> Grey:
    """An earlier image as the camera would see it now."""
    size = earlier_HW.shape[::-1]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = cv2.warpAffine(earlier_HW, camera_23, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def _misfit(grey_HW: Grey, other_HW: Grey) -> float:
    return float(np.minimum(cv2.absdiff(grey_HW, other_HW), LOUD).mean())


def _fitted(back_HW2: Floats) -> Affine:
    """The shift, turn and zoom most of the image agrees on: least squares, outliers weighed down."""
    height, width = back_HW2.shape[:2]
    y, x = (
        axis.ravel().astype(np.float64)
        for axis in np.mgrid[STEP // 2 : height : STEP, STEP // 2 : width : STEP]
    )
    flow = back_HW2[STEP // 2 :: STEP, STEP // 2 :: STEP].reshape(-1, 2).astype(np.float64)
    one, nought = np.ones_like(x), np.zeros_like(x)
    design = np.concatenate([np.stack([one, nought, x, -y], axis=1), np.stack([nought, one, y, x], axis=1)])
    wanted = np.concatenate([flow[:, 0], flow[:, 1]])
    shift_x, shift_y, zoom, turn = np.median(flow[:, 0]), np.median(flow[:, 1]), 0.0, 0.0
    for _ in range(4):
        errors = (design @ np.array([shift_x, shift_y, zoom, turn]) - wanted).reshape(2, -1)
        distance = np.hypot(*errors)
        scale = max(float(np.median(distance)), 0.2)
        weights = np.tile(1 / (1 + (distance / scale) ** 2), 2)
        weighted = design * weights[:, None]
        normal = weighted.T @ design + 1e-6 * np.eye(4)
        shift_x, shift_y, zoom, turn = np.linalg.solve(normal, weighted.T @ wanted)
    return np.array([[1 + zoom, -turn, shift_x], [turn, 1 + zoom, shift_y]])
