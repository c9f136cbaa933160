"""Boxes round whatever moves or stands out, for the many things no detector has a class for."""

import cv2
import numpy as np

from stamina_video.backbone.perception.boxes import areas, overlaps
from stamina_video.backbone.perception.detector import Detections
from stamina_video.backbone.perception.motion import Motion
from stamina_video.backbone.perception.percept import Floats

SMALLEST = 10  # pixels of the thumbnail
LARGEST = 0.6  # of the image: beyond, it is the scene and not a thing
SURE = 0.3  # a detection with this score that overlaps
SAME_THING = 0.5  # this much already speaks for the region


def moving_regions(motion: Motion, detections: Detections, most: int) -> tuple[Floats, Floats]:
    """Boxes and scores of at most this many connected regions, those with the most change first."""
    active_HW = cv2.morphologyEx(
        motion.active_HW.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)
    )
    count, labels_HW, statistics, _ = cv2.connectedComponentsWithStats(active_HW)
    energy_R = np.bincount(labels_HW.ravel(), weights=motion.energy_HW.ravel(), minlength=count)[1:]
    left, top, width, height, pixels_R = statistics[1:].T
    image_height, image_width = active_HW.shape
    boxes_R4 = np.stack(
        [left / image_width, top / image_height, (left + width) / image_width, (top + height) / image_height],
        axis=1,
    ).astype(np.float32)
    sure_K4 = detections.boxes_K4[detections.scores_K >= SURE]
    spoken_for_R = overlaps(boxes_R4, sure_K4).max(axis=1, initial=0) > SAME_THING
    wanted_R = (pixels_R >= SMALLEST) & (areas(boxes_R4) <= LARGEST) & ~spoken_for_R
    rows = np.flatnonzero(wanted_R)
    rows = rows[np.argsort(-energy_R[rows], kind="stable")[:most]]
    contrast_R = energy_R / np.maximum(pixels_R, 1)
    return boxes_R4[rows], (contrast_R / (contrast_R + 20))[rows].astype(np.float32)
