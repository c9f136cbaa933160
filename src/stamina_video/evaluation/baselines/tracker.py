"""Our detector and ByteTrack: visible tracks are the visible count, new track ids the different ones."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from stamina_video.backbone.perception import Detections, Detector
from stamina_video.backbone.text import TextEncoder
from stamina_video.evaluation.baselines.committing import CommittingCounting
from stamina_video.evaluation.causality import Witness
from stamina_video.semantics import Change, Decision, Kind, MissingExtra, Observation, Operator, Target
from stamina_video.semantics.pace import Pace

LOOKS = 5.0  # a second: tracks are linked by overlap, and people overlap with themselves that long
ACTIVATION = 0.35  # a detection this sure opens a track; lower ones only continue one
LOST = 30  # thirtieths of a second a track is kept for a return
CONSECUTIVE = 2  # detections in a row before a track counts
ALIKE = 0.45  # cosine of a target and a class name below which the detector does not know the thing
AS_GOOD = 0.9  # classes almost as near as the nearest are meant too: vehicles are cars and trucks


@dataclass(frozen=True)
class Tracker:
    """Counts the detector's classes that a description means."""

    detector: Detector
    text: TextEncoder
    vocabulary: tuple[str, ...]
    name: str = field(default="baseline:tracker", init=False)

    @property
    def fingerprint(self) -> str:
        said = (ACTIVATION, LOST, CONSECUTIVE, ALIKE, AS_GOOD)
        return f"{self.name} efficientdet-lite2 bytetrack {' '.join(map(str, said))}"

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"detector": "efficientdet-lite2", "tracker": "ByteTrack (supervision)", "resize": "448 × 448"}

    @property
    def answers(self) -> frozenset[Operator]:
        return frozenset(operator for operator in Operator if not operator.is_event)

    def pace(self, targets: Sequence[Target]) -> Pace:
        return Pace(LOOKS, f"tracks of {len(targets)} targets are linked by overlap")

    def begin(
        self, witness: Witness, fps: float, targets: Sequence[Target], ledger: str | Path
    ) -> "TrackerCounting":
        del ledger  # ByteTrack's state cannot be kept: an interrupted pass starts over
        names = dict.fromkeys(target.description for target in targets if target.operator in self.answers)
        classes = {name: self._classes(name) for name in names}
        return TrackerCounting(witness.stream, self, fps, classes)

    def _classes(self, description: str) -> frozenset[int]:
        """Which classes a description means, by its words' vectors; none where nothing is near."""
        cosines_V = self._vocabulary_VS @ self.text.encode([description])[0]
        nearest = float(cosines_V.max())
        if nearest < ALIKE:
            return frozenset()
        return frozenset(np.flatnonzero(cosines_V >= AS_GOOD * nearest).tolist())

    @cached_property
    def _vocabulary_VS(self) -> Any:
        return self.text.encode(list(self.vocabulary))


class TrackerCounting(CommittingCounting):
    def __init__(
        self, stream: str, tracker: Tracker, fps: float, classes: Mapping[str, frozenset[int]]
    ) -> None:
        super().__init__(stream, tracker.fingerprint)
        self._detector = tracker.detector
        self._classes = classes
        self._tracks = {name: Tracks(fps) for name, known in classes.items() if known}

    def decide(self, observation: Observation) -> Iterable[Decision]:
        if not self._tracks:
            return
        detections = self._detector(observation.image)
        for name, tracks in self._tracks.items():
            seen = tracks.update(detections, self._classes[name], observation.image.shape[:2])
            yield Decision(self.stream, name, observation.index, observation.time, seen)


class Tracks:
    """One target's tracks, numbered from 0 in the order they are first seen."""

    def __init__(self, fps: float) -> None:
        self._byte_track = _byte_track(fps)
        self._numbers: dict[int, int] = {}
        self._visible: frozenset[int] = frozenset()

    def update(
        self, detections: Detections, classes: frozenset[int], size: tuple[int, int]
    ) -> tuple[Change, ...]:
        """Exits, entries and new ones since the last observation."""
        tracked = self._byte_track.update_with_detections(_chosen(detections, classes, size))
        known = set(self._numbers.values())
        visible = frozenset(
            self._numbers.setdefault(int(track), len(self._numbers)) for track in tracked.tracker_id
        )
        left, came = sorted(self._visible - visible), sorted(visible - self._visible)
        self._visible = visible
        return (
            *(Change(Kind.EXIT, -1, f"track:{one}", "left", {"identity": one}) for one in left),
            *(Change(Kind.ENTRY, 1, f"track:{one}", "entered", {"identity": one}) for one in came),
            *(
                Change(Kind.IDENTITY, 1, f"track:{one}", "new", {"identity": one})
                for one in sorted(visible - known)
            ),
        )


def _chosen(detections: Detections, classes: frozenset[int], size: tuple[int, int]) -> Any:
    """The detections whose likeliest class is meant, as supervision has them: in pixels."""
    import supervision  # noqa: PLC0415  # an extra, and slow to load

    best_K = detections.labels_KV.argmax(1)
    meant_K = np.isin(best_K, list(classes))
    height, width = size
    return supervision.Detections(
        xyxy=detections.boxes_K4[meant_K] * np.array([width, height, width, height], np.float32),
        confidence=detections.scores_K[meant_K],
        class_id=best_K[meant_K],
    )


def _byte_track(fps: float) -> Any:
    try:
        from supervision.tracker.byte_tracker.core import ByteTrack  # noqa: PLC0415  # an extra
    except ImportError:
        raise MissingExtra(
            "expected supervision for baseline:tracker; install stamina-video[baselines]"
        ) from None
    with warnings.catch_warnings():
        # It moves to another package of the same makers, which asks for a second OpenCV.
        warnings.simplefilter("ignore", FutureWarning)
        return ByteTrack(
            track_activation_threshold=ACTIVATION,
            lost_track_buffer=LOST,
            frame_rate=max(fps, 1.0),
            minimum_consecutive_frames=CONSECUTIVE,
        )
