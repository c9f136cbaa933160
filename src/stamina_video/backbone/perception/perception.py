"""The assembly: an image and a glimpse of the past → tokens. Nothing here is learned or counted."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.names import Names
from stamina_video.backbone.perception.around import Around, Landmark
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
from stamina_video.backbone.perception.detector import PAINT_UNIT, Detections, Detector, Image
from stamina_video.backbone.perception.encoder import Encoder
from stamina_video.backbone.perception.files import KEPT, Files, gathered
from stamina_video.backbone.perception.finder import Finder
from stamina_video.backbone.perception.gait import GAIT
from stamina_video.backbone.perception.glimpse import Glimpse
from stamina_video.backbone.perception.landmarks import Landmarks
from stamina_video.backbone.perception.linking import Links, Overlapping, Sights
from stamina_video.backbone.perception.motion import MOTION_CHANNELS, Motion, look
from stamina_video.backbone.perception.percept import Floats, Percept, PerceptLayout, TokenKind
from stamina_video.backbone.perception.proposals import moving_regions
from stamina_video.semantics import InvalidInput

# K things, N tokens, R regions, S seats

LONG_SIDE = 640  # nothing after the detector looks at more pixels
BEHIND = 0.15  # the outer part of a box shows what lies behind the thing
LIFE_CHANNELS = ("missed", "looks", "sure", *GAIT)
DECIDED = 2.5  # the power of names' shares: where no name fits well, the best of them still stands out
SURELY = 0.5  # share of a name from which a thing passes for a person or a box
MANY_LOOKS = 3.0  # the logarithm of how many are a lot
PAINT = 3
PASSED = ("doorway", "scanner")  # landmarks with two sides


class Eyes(Protocol):
    """Anything that turns an image and a glimpse of the past into a percept, with no other memory."""

    @property
    def layout(self) -> PerceptLayout: ...

    def perceive(self, image_HW3: Image, previous: Glimpse | None) -> tuple[Percept, Glimpse]: ...


@dataclass(frozen=True)
class Perception:
    """Eyes made of a detector and of what tells things of one look from those of the next.

    An encoder covers the image with features where the detector hands over none.
    """

    detector: Detector
    names: Names
    encoder: Encoder | None = None
    linker: Links = field(default_factory=Overlapping)
    fields: int = 0  # channels of the fields that the detector hands over
    embedding: int = 0  # width of the detector's own embeddings, appended to the appearance
    detections: int = 24
    grid: int = 7
    regions: int = 8
    fingerprint: str = ""  # of the weights inside

    @cached_property
    def layout(self) -> PerceptLayout:
        return PerceptLayout(
            appearance=(self.encoder.width if self.encoder else self.fields) + self.embedding,
            names=self.names.width,
            motion=len(MOTION_CHANNELS),
            colour=len(COLOUR_CHANNELS) + PAINT,
            life=len(LIFE_CHANNELS),
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
        field_HWC = colour_field(small_HW3)
        things = self._gathered(detections, motion, field_HWC, previous)
        regions = self._passing(motion, detections, previous)
        around, landmarks = self._around(things, previous)
        return self._percept(small_HW3, motion, field_HWC, detections, things, regions, around), replace(
            glimpse, things=_lived(things, around), regions=_lived(regions, around), landmarks=landmarks
        )

    def save_pretrained(self, folder: Path) -> None:
        """The trained parts, where there are some."""
        if isinstance(self.detector, Finder):
            self.detector.eyes.save_pretrained(folder)

    def _gathered(
        self, detections: Detections, motion: Motion, field_HWC: Floats, previous: Glimpse | None
    ) -> Files:
        known = previous.things if previous is not None else None
        if known is None:
            known = Files.empty(self.detections, self.names.width, self.embedding)
        paints_K3 = detections.paints_K3
        if paints_K3 is None:
            paints_K3 = _mean_paint(field_HWC, detections.boxes_K4)
        now = Sights(
            detections.boxes_K4,
            detections.scores_K,
            self.names.told(detections.vocabulary, detections.labels_KV),
            paints_K3,
            detections.embeddings_KE,
            _moved(motion, detections.boxes_K4),
        )
        files, _ = gathered(known, now, self.linker)
        return files

    def _passing(self, motion: Motion, detections: Detections, previous: Glimpse | None) -> Files:
        """Regions have neither names nor looks of their own: overlap says which is which."""
        boxes_R4, scores_R = moving_regions(motion, detections, self.regions)
        known = previous.regions if previous is not None else None
        if known is None:
            known = Files.empty(self.regions, 0, 0)
        nothing = np.zeros((len(boxes_R4), 0), np.float32)
        still_R3 = np.zeros((len(boxes_R4), 3), np.float32)
        now = Sights(boxes_R4, scores_R, nothing, still_R3, nothing, _moved(motion, boxes_R4))
        files, _ = gathered(known, now, Overlapping())
        return files

    def _percept(
        self,
        small_HW3: Image,
        motion: Motion,
        field_HWC: Floats,
        detections: Detections,
        things: Files,
        regions: Files,
        around: Around,
    ) -> Percept:
        thing_S, region_S = things.open, regions.open
        elsewhere_G4 = np.concatenate([grid_boxes(self.grid), WHOLE_14])
        boxes_N4 = np.concatenate([things.boxes_S4[thing_S], elsewhere_G4, regions.boxes_S4[region_S]])
        kind_N = _kinds(len(thing_S), self.grid**2, len(region_S))
        is_thing_N = kind_N == TokenKind.DETECTION
        found_NK = _found(boxes_N4, things.boxes_S4[thing_S], things.scores_S[thing_S])
        found_NK[is_thing_N] = np.eye(len(thing_S), dtype=np.float32)
        shares_KN = things.shares(DECIDED)[thing_S]
        total_N1 = np.maximum(found_NK.sum(axis=1, keepdims=True), 1)
        elsewhere_G = found_NK[len(thing_S) :][: len(elsewhere_G4)].max(axis=1, initial=0)
        colour_NC = box_means(field_HWC, _without_surroundings(boxes_N4, kind_N))
        paint_N3 = np.zeros((len(boxes_N4), PAINT), np.float32)
        paint_N3[is_thing_N] = things.paints_S3[thing_S]
        return Percept(
            appearance_NP=self._appearance(small_HW3, boxes_N4, detections, things.features_SE[thing_S]),
            boxes_N4=boxes_N4,
            names_NS=np.asarray(found_NK @ shares_KN / total_N1, np.float32),
            scores_N=np.concatenate([things.scores_S[thing_S], elsewhere_G, regions.scores_S[region_S]]),
            motion_NM=motion.over(boxes_N4),
            colour_NC=np.concatenate([colour_NC, paint_N3], axis=1),
            life_NL=np.concatenate(
                [
                    _lives(things, around),
                    np.zeros((len(elsewhere_G4), len(LIFE_CHANNELS))),
                    _lives(regions, around),
                ]
            ).astype(np.float32),
            kind_N=kind_N,
            seat_N=self._seats(thing_S, region_S),
        )

    def _around(self, things: Files, previous: Glimpse | None) -> tuple[Around, Landmarks]:
        seats = things.open
        shares_KN = things.shares(DECIDED)[seats]
        people, boxes, shelves, *passed = (
            self._surely(name, things.boxes_S4[seats], shares_KN)
            for name in ("person", "box", "shelf", *PASSED)
        )
        before = previous.landmarks if previous is not None else None
        landmarks = (before or Landmarks.none(len(PASSED))).gone_on(passed)
        steady = (Landmark(landmarks.steady(kind), found) for kind, found in enumerate(passed))
        return Around(people, boxes, shelves, *steady), landmarks

    def _surely(self, name: str, boxes_K4: Floats, shares_KN: Floats) -> Floats:
        """Boxes of the things that surely have this name, the surest first."""
        if name not in self.names.columns:
            return boxes_K4[:0]
        shares_K = shares_KN[:, self.names.columns.index(name)]
        order = np.argsort(-shares_K, kind="stable")
        return boxes_K4[order[shares_K[order] >= SURELY]]

    def _detect(self, image_HW3: Image) -> Detections:
        detections = self.detector(image_HW3).best(self.detections)
        got = detections.embeddings_KE.shape[1]
        if got != self.embedding:
            raise InvalidInput(f"expected embeddings {self.embedding} wide from the detector, got {got}")
        return detections

    def _appearance(
        self, image_HW3: Image, boxes_N4: Floats, detections: Detections, features_KE: Floats
    ) -> Floats:
        fields = self.encoder.encode(image_HW3) if self.encoder else detections.fields
        own_NE = np.zeros((len(boxes_N4), self.embedding), np.float32)
        own_NE[: len(features_KE)] = features_KE
        return np.concatenate([*(box_means(field_HWC, boxes_N4) for field_HWC in fields), own_NE], axis=1)

    def _seats(self, thing_S: NDArray[np.intp], region_S: NDArray[np.intp]) -> NDArray[np.int8]:
        cells = np.full(self.grid**2, -1)
        whole = [self.detections + self.regions]
        return np.concatenate([thing_S, cells, whole, self.detections + region_S]).astype(np.int8)


def _lives(files: Files, around: Around) -> Floats:
    """For how long each open one has not been seen, how often it was, how sure the eyes are; and its gait."""
    seats = files.open
    looks_S = np.log1p(files.looks_S[seats]) / MANY_LOOKS
    lived_S3 = np.stack([files.missed_S[seats] / KEPT, looks_S, files.scores_S[seats]], axis=1)
    gaits = files.gaits.told(seats, files.looks_S, files.missed_S, files.boxes_S4, around)
    return np.concatenate([lived_S3, gaits], axis=1).astype(np.float32)


def _lived(files: Files, around: Around) -> Files:
    gaits = files.gaits.lived(files.open, files.looks_S, files.missed_S, files.boxes_S4, around)
    return replace(files, gaits=gaits)


def _moved(motion: Motion, boxes_K4: Floats) -> Floats:
    """Where the flow says each box came from, as a share of the image."""
    over_KM = motion.over(boxes_K4)
    shift_K2 = over_KM[:, [MOTION_CHANNELS.index("dx"), MOTION_CHANNELS.index("dy")]] / 100
    height, width = motion.field_HWC.shape[:2]
    return np.asarray(shift_K2 * max(height, width) / np.array([width, height]), np.float32)


def _mean_paint(field_HWC: Floats, boxes_K4: Floats) -> Floats:
    """The mean colour of a box, for detectors that say nothing of paint."""
    lab_K3 = box_means(field_HWC, inner(boxes_K4, BEHIND))[:, -3:]
    return np.asarray(lab_K3 * np.array([100, 128, 128]) / PAINT_UNIT, np.float32)


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


def _found(boxes_N4: Floats, things_K4: Floats, scores_K: Floats) -> Floats:
    """How strongly each thing is found in each place."""
    cover_NK = intersections(boxes_N4, things_K4) / np.maximum(areas(boxes_N4), THINNEST**2)[:, None]
    return np.asarray(cover_NK * scores_K, np.float32)


def _without_surroundings(boxes_N4: Floats, kind_N: NDArray[np.int8]) -> Floats:
    is_thing_N = (kind_N == TokenKind.DETECTION) | (kind_N == TokenKind.REGION)
    return np.where(is_thing_N[:, None], inner(boxes_N4, BEHIND), boxes_N4)
