"""The eyes put together: detector, appearance, motion and colour → the tokens of one observation."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.perception.boxes import (
    THINNEST,
    WHOLE_14,
    areas,
    box_means,
    grid_boxes,
    inner,
    intersections,
)
from stamina_video.backbone.perception.colour import COLOUR_CHANNELS, colour_field
from stamina_video.backbone.perception.detector import Detections, Detector, Image
from stamina_video.backbone.perception.encoder import Encoder
from stamina_video.backbone.perception.glimpse import Glimpse
from stamina_video.backbone.perception.motion import MOTION_CHANNELS, look
from stamina_video.backbone.perception.percept import Floats, Percept, PerceptLayout, TokenKind
from stamina_video.backbone.perception.proposals import moving_regions
from stamina_video.backbone.text import TextEncoder
from stamina_video.semantics import InvalidInput

LONG_SIDE = 640  # nothing after the detector looks at more pixels
BEHIND = 0.15  # the outer part of a box shows what lies behind the thing


class Eyes(Protocol):
    """Anything that turns an image and a glimpse of the past into a percept, with no other memory."""

    @property
    def layout(self) -> PerceptLayout: ...

    def perceive(self, image_HW3: Image, previous: Glimpse | None) -> tuple[Percept, Glimpse]: ...


@dataclass(frozen=True)
class Perception:
    """Eyes made of a detector, an encoder and a text encoder for the detector's class names."""

    detector: Detector
    encoder: Encoder
    text: TextEncoder
    embedding: int = 0  # width of the detector's own embeddings, appended to the appearance
    detections: int = 25
    grid: int = 7
    regions: int = 8
    fingerprint: str = ""  # of the weights inside detector and encoder

    @cached_property
    def layout(self) -> PerceptLayout:
        return PerceptLayout(
            appearance=self.encoder.width + self.embedding,
            names=self.text.width,
            motion=len(MOTION_CHANNELS),
            colour=len(COLOUR_CHANNELS),
            detections=self.detections,
            grid=self.grid,
            regions=self.regions,
        )

    def perceive(self, image_HW3: Image, previous: Glimpse | None) -> tuple[Percept, Glimpse]:
        """What is seen now. The same image and glimpse always give the same percept, bit for bit."""
        image_HW3 = _checked(image_HW3)
        detections = self._detect(image_HW3)
        small_HW3 = shrunk(image_HW3)
        motion, glimpse = look(small_HW3, previous)
        region_boxes_R4, region_scores_R = moving_regions(motion, detections, self.regions)
        elsewhere_G4 = np.concatenate([grid_boxes(self.grid), WHOLE_14])
        boxes_N4 = np.concatenate([detections.boxes_K4, elsewhere_G4, region_boxes_R4])
        kind_N = _kinds(len(detections), self.grid**2, len(region_boxes_R4))
        found_NK = _found(boxes_N4, detections)
        found_G = found_NK[len(detections) :][: len(elsewhere_G4)].max(axis=1, initial=0)
        percept = Percept(
            appearance_NP=self._appearance(small_HW3, boxes_N4, detections),
            boxes_N4=boxes_N4,
            names_NS=found_NK @ self._names(detections) / np.maximum(found_NK.sum(axis=1, keepdims=True), 1),
            scores_N=np.concatenate([detections.scores_K, found_G, region_scores_R]),
            motion_NM=motion.over(boxes_N4),
            colour_NC=box_means(colour_field(small_HW3), _without_surroundings(boxes_N4, kind_N)),
            kind_N=kind_N,
        )
        return percept, glimpse

    def _detect(self, image_HW3: Image) -> Detections:
        detections = self.detector(image_HW3).best(self.detections)
        got = detections.embeddings_KE.shape[1]
        if got != self.embedding:
            raise InvalidInput(f"expected embeddings {self.embedding} wide from the detector, got {got}")
        return detections

    def _names(self, detections: Detections) -> Floats:
        """What each detection may be: the mean of its words' vectors, weighed by their probabilities."""
        total_K1 = np.maximum(detections.labels_KV.sum(axis=1, keepdims=True), 1e-6)
        return np.asarray(
            (detections.labels_KV / total_K1) @ self.text.encode(detections.vocabulary), np.float32
        )

    def _appearance(self, image_HW3: Image, boxes_N4: Floats, detections: Detections) -> Floats:
        embeddings_NE = np.zeros((len(boxes_N4), self.embedding), np.float32)
        embeddings_NE[: len(detections)] = detections.embeddings_KE
        pooled = [box_means(field_HWC, boxes_N4) for field_HWC in self.encoder.encode(image_HW3)]
        return np.concatenate([*pooled, embeddings_NE], axis=1)


def _checked(image_HW3: Image) -> Image:
    if image_HW3.dtype != np.uint8 or image_HW3.ndim != 3 or image_HW3.shape[2] != 3 or 0 in image_HW3.shape:
        raise InvalidInput(
            f"expected an image of height × width × 3 bytes, got {image_HW3.dtype} of shape {image_HW3.shape}"
        )
    return image_HW3


def shrunk(image_HW3: Image) -> Image:
    longest = max(image_HW3.shape[:2])
    if longest <= LONG_SIDE:
        return image_HW3
    height, width = (max(1, round(side * LONG_SIDE / longest)) for side in image_HW3.shape[:2])
    return np.asarray(cv2.resize(image_HW3, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _kinds(detections: int, cells: int, regions: int) -> NDArray[np.int8]:
    """Tokens always come in this order."""
    order = np.array([TokenKind.DETECTION, TokenKind.GRID, TokenKind.GLOBAL, TokenKind.REGION], np.int8)
    return np.repeat(order, [detections, cells, 1, regions])


def _found(boxes_N4: Floats, detections: Detections) -> Floats:
    """How strongly each detection is found in each token; a detection's own token has it alone, whole."""
    cover_NK = (
        intersections(boxes_N4, detections.boxes_K4) / np.maximum(areas(boxes_N4), THINNEST**2)[:, None]
    )
    found_NK = cover_NK * detections.scores_K
    found_NK[: len(detections)] = np.eye(len(detections), dtype=np.float32)
    return np.asarray(found_NK, np.float32)


def _without_surroundings(boxes_N4: Floats, kind_N: NDArray[np.int8]) -> Floats:
    is_thing_N = (kind_N == TokenKind.DETECTION) | (kind_N == TokenKind.REGION)
    return np.where(is_thing_N[:, None], inner(boxes_N4, BEHIND), boxes_N4)
